"""What is slow: answers in words, from what was measured of late."""
