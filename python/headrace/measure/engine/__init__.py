"""The one measuring engine: records, verdicts, states, schedule, campaign, results files. METHOD: doc/reference/method.md."""
