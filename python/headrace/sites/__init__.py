"""What is known of sites and kinds of file systems, each figure with its source and date. First: schema.py."""
