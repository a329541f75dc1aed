"""The data model of results files, and what is said of them: statistics, verdicts, comparisons. First: records.py."""
