"""`headrace bench parallel`: one array on many MPI ranks, by every pattern and library that is there. First: run.py."""
