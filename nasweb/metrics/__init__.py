"""What Prometheus reads at `/metrics`: facts that are cached anyway, as families of samples.

No command is run and no disk is asked. How many samples there are follows the hardware; of what people make
(datasets) a bounded number is shown, and how many are left out.
"""
