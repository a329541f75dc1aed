"""`headrace trace`: which source line costs the I/O time.

launch.py starts the program with the library of intercept/ in it, profile.py reads what that left for each process,
merge.py makes one trace of many (results.py: what a trace is), archive.py keeps all in one file, table.py prints it.
check.py says what can be traced in an executable.
"""
