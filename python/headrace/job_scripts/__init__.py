"""Findings in job scripts, files of MPI-IO hints and listings of the environment: codes HR902 to HR965 of the catalogue.

`findings.py` is the entry; it names the next file down. A shell's grammar (tree-sitter-bash) reads the scripts. Of the
601 scripts in guides of seven centres that were tried, it read all that bash itself accepts but for three; bashlex
refused every third of them.
"""
