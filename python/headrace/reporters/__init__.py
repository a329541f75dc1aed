"""Shows results: on the terminal and as one HTML file."""
