"""Trials: does an item of the advice help here? candidates.py: what is tried; copies.py runs it, verdict.py judges."""
