"""What slows Fortran I/O down, as rules with codes: one catalogue for what a run and what the source shows."""
