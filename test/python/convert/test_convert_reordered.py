"""Copies between orders of dimensions hold every element in its place."""

import itertools

import numpy as np
import pytest

from headrace.containers.reordered import copy_elements, in_c_order

SHAPES = [(7, 65, 70), (70, 65, 7), (300, 1, 129), (1, 200, 200), (4097, 3), (3, 4097), (2, 3, 100, 5, 67), (5000,)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", ["f8", "i1", "c16", "V16", "S3"])
def test_any_order_of_dimensions_is_copied(shape: tuple[int, ...], kind: str) -> None:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    stored = np.random.default_rng(1).integers(65, 90, size, np.uint8).view(kind).reshape(shape)
    orders = itertools.permutations(range(len(shape))) if len(shape) < 4 else [(4, 3, 2, 1, 0), (2, 0, 4, 1, 3)]
    for order in orders:
        source = stored.transpose(order)
        found = in_c_order(source)
        assert found.flags.c_contiguous and found.dtype == source.dtype and found.shape == source.shape
        assert found.tobytes() == source.tobytes()


def test_parts_are_copied_into_parts() -> None:
    stored, to = np.arange(200 * 90 * 80.0).reshape(80, 90, 200), np.zeros((200, 90, 80))
    copy_elements(to[3:190, :, 5:77], stored.T[3:190, :, 5:77])
    assert np.array_equal(to[3:190, :, 5:77], stored.T[3:190, :, 5:77])
    assert np.count_nonzero(to) == np.count_nonzero(to[3:190, :, 5:77])
