"""`headrace trace`: which source line costs the I/O time.

launch.py starts the program with the library of intercept/ in it, join.py makes one trace of what its processes left:
profile.py reads that of one process, merge.py adds many (results.py: what a trace is), archive.py keeps all in one
file, table.py prints it. check.py says what can be traced in an executable.
"""
