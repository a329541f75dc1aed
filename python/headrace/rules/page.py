"""The page of the documentation with all rules: python -m headrace.rules.page > doc/reference/rules.md."""

import sys

from headrace.rules.catalogue import RULES
from headrace.rules.rule import Rule

_GROUPS = {
    "1": "Unformatted transfers",
    "2": "Text",
    "3": "Statements around transfers",
    "4": "Correctness and portability",
    "5": "MPI",
    "6": "I/O libraries",
    "7": "Internal files",
    "9": "Job scripts",
}
_EVIDENCE = {
    "trace": "`headrace trace` shows it",
    "source": "only the source shows it; `headrace trace` does not",
    "both": "`headrace trace` shows it, and the source does",
    "script": "a job script, a file of hints or the environment shows it",
}
_EFFECTS = {
    "identical": "the same bytes",
    "reader": "other bytes: what reads the file must change too",
    "durability": "the same bytes at the end; less is on disk after a crash",
    "none": "nothing changes in the file",
}


def page() -> str:
    """All rules as Markdown, with an anchor for each code."""
    lines = [
        "# Rules of Fortran I/O",
        "",
        "`headrace trace` names these rules in its [advice](trace.md), and `headrace advise --job-script` those of",
        "[job scripts](job_scripts.md). A code keeps its meaning for ever.",
        "",
        "| code | name | what the program, or the script, does |",
        "| --- | --- | --- |",
        *(f"| [{rule.code}](#{rule.code.lower()}) | {rule.name} | {rule.finds} |" for rule in RULES),
    ]
    group = ""
    for rule in RULES:
        if rule.code[2] != group:
            group = rule.code[2]
            lines += ["", f"## {_GROUPS[group]}"]
        lines += ["", *_section(rule)]
    return "\n".join(lines) + "\n"


def _section(rule: Rule) -> list[str]:
    return [
        f"### {rule.code}",
        "",
        f"**{rule.name}**: {rule.finds}.",
        "",
        f"- Instead: {rule.instead}.",
        f"- Why: {rule.reason}.",
        f"- The file: {_EFFECTS[rule.effect]}.",
        f"- Evidence: {_EVIDENCE[rule.evidence]}.",
        f"- Source: {rule.source}.",
    ]


if __name__ == "__main__":
    sys.stdout.write(page())
