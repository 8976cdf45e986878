"""What a policy says, when it is due, what is kept: pure, without clock, database or machine."""
