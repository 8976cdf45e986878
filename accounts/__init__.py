"""Who may use the console and the API: accounts with a role, tokens with scopes."""
