"""Real file systems for the tests. README.md says what is here, __main__.py what `make testfilesystems` runs."""
