"""Which kind of file system a path is on, as far as its name tells."""

import re
from typing import Literal

Place = Literal["temporary", "node-local", "home", "other"]

# Directories of the node, whatever the site.
_TEMPORARY = re.compile(r"(/tmp|/var/tmp|/dev/shm)(/|$)")
# Names that sites give to a disk of the node; its job has it alone, or the site says what becomes of it.
_LOCAL = re.compile(
    r"(\$\{?(TMPDIR|TMP|TEMP|TEMPDIR|LOCAL_?SCRATCH\w*|SLURM_TMPDIR|JOBFS|PBS_JOBFS|SCRATCHDIR|LOCALDIR|JOBTMP|"
    r"LOCAL_?TMP\w*|NVME\w*|BB|DW_JOB_\w+|L_SCRATCH\w*|XDG_RUNTIME_DIR)\b"
    r"|/(local|localscratch|local_scratch|lscratch|localdisk|nvme|scratch_local|scratch-local|node_scratch|ssd)(/|$)"
    r"|/mnt/(bb|nvme|local\w*|ssd)(/|$)|/scratch/local(/|$)|/run/user/)",
)
_HOME = re.compile(r"(~(/|$|\w)|\$\{?HOME\b|/home\d*/|/users?/|/nfs/home/)")


def place_of(path: str) -> Place:
    """What a path names; a path with variables that are not known is "other", unless they tell."""
    if _TEMPORARY.match(path):
        return "temporary"
    if _LOCAL.match(path):
        return "node-local"
    return "home" if _HOME.match(path) else "other"


def is_on_the_node(path: str) -> bool:
    """Whether other nodes do not see the path."""
    return place_of(path) in ("temporary", "node-local")


def is_below(path: str, directory: str) -> bool:
    """Whether a path is in a directory, or the directory itself."""
    directory = directory.rstrip("/")
    return path.rstrip("/") == directory or path.startswith(directory + "/")
