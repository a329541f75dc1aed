"""One file a command: its options and its one function `run`."""
