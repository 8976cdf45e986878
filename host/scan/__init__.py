"""What files a snapshot holds: by folder, by kind, by size, and what each record size would make of them."""
