"""Methods on MPI ranks by which results are read. Light: the help of commands names them."""

LIMIT = "raw:file_per_process"  # what every row is a fraction of
ZARR = "headrace:zarr:file_per_process"
NPY = "headrace:npy:shared_collective"
HDF5 = "headrace:hdf5:shared_collective"
ADIOS2 = "headrace:adios2:file_per_process"


def mpi_ranks(count: int) -> str:
    """In words: 1 MPI rank, 2 MPI ranks."""
    return f"{count} MPI rank{'' if count == 1 else 's'}"
