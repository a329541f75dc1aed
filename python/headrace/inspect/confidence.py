"""How sure a guess of types is: the share of such guesses that were right where the truth was known.

A logistic curve over what the guess was made from, fitted to files of test/corpus/fresh.py and codes.py by
`python test/corpus/calibration.py --fit`, which prints the table below. Whether it holds is measured with other files.
"""

import math

MOST, LEAST = 0.999, 0.02

# Fitted: for each way to find types a constant; then what a margin in bits, a margin a value, and more values add.
_WAYS: dict[str, float] = {
    "among": -3.35,
    "character": 1.76,
    "int16": -1.23,
    "int32": 0.28,
    "int32-": -2.77,
    "int64": -0.44,
    "leading": 0.81,
    "mixed": 0.96,
    "mixed+": 0.22,
    "odd": -2.56,
    "real32": -1.03,
    "real32+": 1.72,
    "real64": 0.54,
    "real64+": 0.46,
    "real64-": -1.19,
    "turned": 0.08,
}
_MARGIN, _EACH, _VALUES, _BEHIND = 0.000, 1.025, 0.000, 0.000
_OTHER = -3.16  # of ways that occurred too seldom


_SPLIT_TWICE = "mixed+"  # two ways agree where the items begin: a margin a value tells no more then


def features(group: str, margin: float, values: int) -> tuple[float, float, float, float]:
    """What the curve is made of."""
    ahead = max(0.0, margin)
    return (
        math.log2(1 + ahead),
        0.0 if group == _SPLIT_TWICE else math.log2(1 + ahead / max(1, values)),
        math.log2(max(1, values)),
        float(margin < 0),
    )


def of_types(group: str, margin: float, values: int) -> float:
    """The share of guesses like this that are right: found in that way, so many bits ahead, from so many values."""
    some = zip((_MARGIN, _EACH, _VALUES, _BEHIND), features(group, margin, values), strict=True)
    total = _WAYS.get(group, _OTHER) + sum(weight * value for weight, value in some)
    return min(MOST, max(LEAST, 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))))
