"""The cost model: processor time of a transfer as counts times coefficients, fitted to micro-runs.

`counts.py` says what is counted, `mechanisms.py` how each mechanism of the benchmark is lowered, `microruns.py` what
is run, `fit.py` finds the coefficients, `evaluate.py` tests them and `predict.py` answers from them.
"""
