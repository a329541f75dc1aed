"""What slows Fortran I/O down, as rules with codes: one catalogue for what is seen in a run and what is seen in the source."""
