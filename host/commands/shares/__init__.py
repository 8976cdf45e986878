"""Commands on shares, people, rights and sessions."""
