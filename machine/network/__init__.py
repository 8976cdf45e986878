"""The addresses of the machine's interfaces, changed so that nobody locks themselves out."""
