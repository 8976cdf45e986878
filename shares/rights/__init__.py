"""Who may do what with the folders of shares: access control lists, and what they come to for each person."""
