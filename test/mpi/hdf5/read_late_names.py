"""Open late_names.h5 with h5py: which dimensions the arrays have, and that each scale lists who uses it."""

from known_values import module, np, values

h5py = module("h5py")

# As late_names.cpp writes them: shape, first value, and the paths of the dimensions, slowest first. The array y is no
# coordinate of the dimension y, and "group" is a group.
MEMBERS = {
    "rho": ((5, 4), 1, ["/rho_y", "/x"]),
    "psi": ((5, 4), 2, ["/psi_group", "/x"]),
    "y": ((3,), 4, ["/n"]),
    "group/inner": ((4,), 5, ["/group/z"]),
    "later": ((5, 4), 6, ["/later_y", "/x"]),
    "last": ((4, 5), 7, ["/x", "/z"]),
}

with h5py.File("late_names.h5") as state:
    used: dict[str, list[str]] = {}
    for name, (extents, first, scales) in MEMBERS.items():
        np.testing.assert_array_equal(state[name][...], values("int32", extents, first), err_msg=name)
        shown = [dimension[0].name for dimension in state[name].dims]
        assert shown == scales, (name, shown)
        for scale in shown:
            used.setdefault(scale, []).append(f"/{name}")
    assert state["x"].is_scale
    np.testing.assert_array_equal(state["x"][...], values("int32", (5,), 3))
    assert state["rho"].attrs["four"] == 4
    assert state["later"].attrs["four"] == 4
    for scale, users in used.items():
        listed = [state[user[0]].name for user in state[scale].attrs["REFERENCE_LIST"]]
        assert sorted(listed) == sorted(users), (scale, listed, users)
print("late names as expected in h5py")
