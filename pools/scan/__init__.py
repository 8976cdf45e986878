"""What files a dataset holds: scanned in the background, and which record size suits them."""
