"""File systems and volumes inside pools."""
