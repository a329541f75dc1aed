"""`headrace bench text`: text files of arrays, written and read by headrace and by its peers. First: run.py."""
