"""NetCDF files. First: variables.py."""
