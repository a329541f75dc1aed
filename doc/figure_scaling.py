"""Draws the figure of the scaling model: `python doc/figure_scaling.py doc/figure_scaling.svg`.

Points of a made-up machine. File per process, 64 MiB for each MPI rank: 1.5 GB/s a MPI rank, 8 GB/s a node,
40 GB/s of storage, noise of 4 %.
"""

import math
import sys
from pathlib import Path

import numpy as np

from headrace.model.scaling import Fit, Place, Point, Storage, fit
from headrace.model.scaling_picture import draw
from headrace.model.scaling_terms import bases_of, log_seconds

COSTS = [1e-3, 2e-5, 1 / 1.5e9, 1 / 8e9, 1 / 40e9, 1e-300]  # in the order of scaling_terms.NAMES
SHARPNESS = 3.0


def main(target: Path) -> None:
    """Three runs on 1 to 16 MPI ranks of one, two and four nodes."""
    random = np.random.default_rng(1)
    theta = np.append(np.log(COSTS), math.log(SHARPNESS))
    points: list[Point] = []
    for nodes in (1, 2, 4):
        for ranks in (nodes * per_node for per_node in (1, 2, 4, 8, 16)):
            place = Place(ranks, nodes, ranks * 2.0**26, "file_per_process")
            seconds = float(np.exp(log_seconds(theta, bases_of([place], Storage()))[0][0]))
            for noise in random.standard_normal(3):
                points.append(
                    Point(ranks, nodes, place.bytes, place.pattern, seconds=seconds * math.exp(0.04 * float(noise)))
                )
    found = fit(points)
    assert isinstance(found, Fit)
    target.write_text(draw(found, "A made-up machine, file per process").replace('width="100%"', 'width="860"', 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
