"""HDF5 files. First: datasets.py."""
