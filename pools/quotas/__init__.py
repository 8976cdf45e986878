"""How much datasets, and people in them, may take, and what is kept free for them."""
