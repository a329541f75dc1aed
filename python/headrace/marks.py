"""Names of the attributes in which headrace keeps what a format cannot say itself.

MARK, STEPS and COMPLETE are those of headrace_mpi: mark_name and steps_attribute of NetCDF, and steps_name and
complete_name of Zarr, below mpi/formats.
"""

KIND = "headrace_kind"  # a kind that the format does not have, such as logical32; written by convert and describe
ORDER = "headrace_byte_order"  # "little" or "big", of opaque bytes
MARK = "headrace_type"  # "logical" or "complex", of a NetCDF variable
STEPS = "headrace_steps"  # of Zarr: the dimension of the steps; of NetCDF: the numbers of those that an array has
COMPLETE = "headrace_all_chunks_written"  # of a Zarr array: its chunks are all there
