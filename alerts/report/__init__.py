"""The health report: what an owner keeps of the last month, on a page, by the API and in a message."""
