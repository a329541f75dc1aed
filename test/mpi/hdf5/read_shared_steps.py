"""Open the files shared_steps_* with h5py: which arrays share the numbers of their steps, and under which name."""

from pathlib import Path

from known_values import module, np, values

h5py = module("h5py")

# As shared_steps.cpp writes them, and the path of the steps' dimension. An array called taken_step stands where the
# steps of "taken" would; "b" and "c" share as they would share "step", and groups have steps of their own.
MEMBERS = [
    ("a", [1, 2], "/step"),
    ("b", [5, 6], "/b_step"),
    ("c", [5, 6], "/b_step"),
    ("d", [1, 2], "/step"),
    ("e", [2, 1], "/e_step"),
    ("f", [5], "/f_step"),
    ("g", [5, 6, 7], "/g_step"),
    ("group/b", [5, 6], "/group/step"),
    ("group/c", [5, 6], "/group/step"),
    ("group/d", [1, 2], "/group/d_step"),
    ("taken", [8, 9], "/taken_2_step"),
    ("taken_step", [], None),
    ("untaken", [8, 9], "/taken_2_step"),
]
EXTENTS = (5, 4)


def check(file: Path) -> None:
    with h5py.File(file) as state:
        for number, (name, steps, scale) in enumerate(MEMBERS):
            found = state[name]
            expected = [values("int32", EXTENTS, 1000 * number + 10 * step) for step in steps or [0]]
            np.testing.assert_array_equal(found[...], np.stack(expected) if steps else expected[0], err_msg=name)
            shown = [dimension[0].name for dimension in found.dims]
            group = "/group/" if name.startswith("group/") else "/"
            assert shown == [*([scale] if scale else []), group + "y", group + "x"], (file, name, shown)
            if scale:
                np.testing.assert_array_equal(found.dims[0][0][...], steps, err_msg=f"{file}, steps of {name}")
                assert state[scale].is_scale and state[scale].maxshape == (None,), (file, scale)
                users = [state[user[0]].name for user in state[scale].attrs["REFERENCE_LIST"]]
                assert sorted(users) == sorted(f"/{m[0]}" for m in MEMBERS if m[2] == scale), (file, scale, users)
        dimensions = sorted({scale for _, _, scale in MEMBERS if scale})
        scales: list[str] = []
        state.visititems(lambda path, item: scales.append(f"/{path}") if getattr(item, "is_scale", False) else None)
        plain = [f"{group}{axis}" for group in ("/", "/group/") for axis in "xy"]
        assert sorted(scales) == sorted(dimensions + plain), (file, scales)


files = sorted(Path().glob("shared_steps_*.h5"))
assert len(files) == 6, files
for one in files:
    check(one)
    print(f"{one}: shared steps as expected in h5py")
