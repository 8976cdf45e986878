"""The files in datasets and snapshots: opened so that nobody is led out of the dataset, and described."""
