"""`headrace bench run`: what headrace run makes faster, and what it must not make slower. First: run.py."""
