"""Events, the incidents they make, and the notifications of those."""
