"""Files of Fortran's records and of plain bytes. First: plain.py."""
