"""Real file systems for the tests: README.md beside this file says what is here, __main__.py what `make testfilesystems` runs."""
