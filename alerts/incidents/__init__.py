"""Why is it degraded? One incident in words for each cause, kept from its first sign to its end."""
