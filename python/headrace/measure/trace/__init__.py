"""`headrace bench trace`: what tracing costs the traced program. First: run.py."""
