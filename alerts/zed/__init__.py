"""What zed reports of pools: in words, kept for good, and in the incidents that it belongs to."""
