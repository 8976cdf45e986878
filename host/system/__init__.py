"""What programs of ours ask of the kernel beside files: processes that go on, and mounts of their own."""
