"""The measuring engine: records, verdicts, states, schedule, campaign, results files. See doc/reference/method.md."""
