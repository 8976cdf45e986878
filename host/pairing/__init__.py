"""Two Naswebs that come to know each other by a code that one shows and the other is typed."""
