"""Says to each page that somebody looks at when there is something new to read."""
