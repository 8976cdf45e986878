"""Who is told of troubles, and how: channels, what each of them is told when, and its delivery."""
