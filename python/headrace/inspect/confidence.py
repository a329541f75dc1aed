"""How sure a guess of types is: the share of such guesses that were right when the truth was known.

A logistic curve over what the guess was made from, fitted to files of test/corpus/fresh.py and codes.py by
`python test/corpus/calibration.py --fit`, which prints the table below. Whether it holds is measured with other files.
"""

import math

MOST, LEAST = 0.999, 0.02

# Fitted: for each way to find types a constant; then what a margin in bits, a margin a value, and more values add.
_WAYS: dict[str, float] = {
    "among": -3.03,
    "character": 1.96,
    "int16": -1.21,
    "int32": 0.19,
    "int32-": -1.85,
    "int64": -0.50,
    "leading": 0.89,
    "mixed": 0.85,
    "mixed+": -0.11,
    "odd": -2.51,
    "real32": -1.18,
    "real32+": 1.24,
    "real64": 0.32,
    "real64+": 0.10,
    "real64-": -2.16,
    "turned": -0.10,
}
_MARGIN, _EACH, _VALUES, _BEHIND = 0.042, 0.918, 0.000, 0.000
_OTHER = -2.85  # of ways that occurred too seldom
_SPLIT_TWICE = "mixed+"  # two ways agree where the items begin: that is worth a margin of 2 bits a value at least


def features(group: str, margin: float, values: int) -> tuple[float, float, float, float]:
    """What the curve is made of."""
    ahead = max(0.0, margin)
    each = ahead / max(1, values)
    return (
        math.log2(1 + ahead),
        math.log2(1 + (max(2.0, each) if group == _SPLIT_TWICE else each)),
        math.log2(max(1, values)),
        float(margin < 0),
    )


def of_types(group: str, margin: float, values: int) -> float:
    """The share of guesses like this that are right: found in that way, so many bits ahead, from so many values."""
    some = zip((_MARGIN, _EACH, _VALUES, _BEHIND), features(group, margin, values), strict=True)
    total = _WAYS.get(group, _OTHER) + sum(weight * value for weight, value in some)
    return min(MOST, max(LEAST, 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))))
