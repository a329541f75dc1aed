"""headrace run: fast formatted I/O in programs that nobody compiled again.

Begin with launch.py, which starts a program; statistics.py and table.py say what was taken over, saved.py what that
was worth; verify.py compares runs with and without. The library itself is intercept/run/.
"""
