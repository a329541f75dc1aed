"""How sure a guess of types is: the share of such guesses that were right where the truth was known.

A logistic curve over what the guess was made from, fitted to files of test/corpus/fresh.py by
`python test/corpus/calibration.py --fit`, which prints the table below. Whether it holds is measured with other files.
"""

import math

MOST, LEAST = 0.999, 0.02

# Fitted: for each way to find types a constant; then what a margin in bits, a margin a value, and more values add.
_WAYS: dict[str, float] = {
    "character": 2.97,
    "int16": -1.07,
    "int32": 0.57,
    "int32-": -3.54,
    "int64": -0.21,
    "leading": 1.09,
    "mixed": 1.18,
    "mixed+": 0.72,
    "odd": -2.42,
    "real32": -0.15,
    "real32+": 2.66,
    "real64": 0.99,
    "real64+": 0.77,
    "real64-": 1.04,
    "turned": -0.23,
}
_MARGIN, _EACH, _VALUES, _BEHIND = 0.000, 1.203, 0.000, 0.000
_OTHER = -3.84  # of ways that occurred too seldom


def features(margin: float, values: int) -> tuple[float, float, float, float]:
    """What the curve is made of."""
    ahead = max(0.0, margin)
    return (
        math.log2(1 + ahead),
        math.log2(1 + ahead / max(1, values)),
        math.log2(max(1, values)),
        float(margin < 0),
    )


def of_types(group: str, margin: float, values: int) -> float:
    """The share of guesses like this that are right: found in that way, so many bits ahead, from so many values."""
    some = zip((_MARGIN, _EACH, _VALUES, _BEHIND), features(margin, values), strict=True)
    total = _WAYS.get(group, _OTHER) + sum(weight * value for weight, value in some)
    return min(MOST, max(LEAST, 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))))
