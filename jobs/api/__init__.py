"""What every part of the REST API is built from, and the resources of jobs: jobs, audit, the inventory."""
