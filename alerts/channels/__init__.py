"""Who is notified of incidents, and how: channels, what each of them is sent and when, and its delivery."""
