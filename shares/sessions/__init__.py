"""Who is connected to the shares, and how somebody is disconnected."""
