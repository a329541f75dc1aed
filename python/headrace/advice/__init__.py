"""Advice: what to change, by the rules of rules/catalogue.py, and what that is expected to take.

`costs.py` has what statements and bytes cost, `sources_of_costs.py` where that comes from; `facts.py` is what rules
ask of a trace. `unformatted.py`, `text.py`, `around.py`, `parallel.py`, `libraries.py` and `internal.py` hold the
rules; `rewrite.py` writes the new statement, `advise.py` puts everything together, `printed.py` prints it.
"""
