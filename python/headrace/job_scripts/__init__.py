"""Findings in job scripts, files of MPI-IO hints and listings of the environment: codes HR902 to HR962.

`findings.py` is the entry; it names the next file down. A shell's grammar (tree-sitter-bash) reads the scripts. Of the
765 scripts of twelve public guides and codes that were tried, it read all but five that bash itself accepts; bashlex
refused 287.
"""
