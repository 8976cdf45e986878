"""Programs that root runs in systemd units of their own, because they outlive the worker."""
