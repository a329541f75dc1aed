"""`headrace bench binary`: binary files of arrays, by headrace, by its peers and by the system alone. First: run.py."""
