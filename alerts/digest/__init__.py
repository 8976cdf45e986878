"""What a channel is sent regularly: a digest of what happened, and that everything is as it should be."""
