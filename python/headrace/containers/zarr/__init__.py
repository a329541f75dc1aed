"""Zarr stores. First: store.py."""
