"""The REST API as a whole: who may call it, how it answers, and its description."""
