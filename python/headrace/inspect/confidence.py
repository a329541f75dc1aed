"""How sure a guess of types is."""

import math


def of_types(group: str, margin: float, values: int) -> float:
    return min(0.999, 1 - 2.0 ** -max(0.0, min(margin, 50.0)))
