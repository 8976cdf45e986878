"""How fast a pool is, measured with fio(1) on a dataset that is there for nothing else."""
