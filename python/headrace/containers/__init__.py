"""What stands in files: readers and writers, a file for each format, listed in formats.py. First: variable.py."""
