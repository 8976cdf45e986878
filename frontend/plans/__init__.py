"""The one way from a form to a job: plans as pages."""
