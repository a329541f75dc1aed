"""What is run on each file system. Each function takes its folder and returns what it found."""
