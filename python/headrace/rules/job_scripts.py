"""The rules of job scripts, files of hints and the environment: a part of the catalogue."""

from headrace.rules.rule import Rule

_ARCHER2 = "ARCHER2 documentation, I/O performance and tuning (docs.archer2.ac.uk/user-guide/io, read 2026-11-26)"
_GUIDE = "a centre's guide, Fortran I/O Performance, section 3 (Intel compilers, read 2026-11-26)"
_BASH = "Bash Reference Manual 5.2 (2022-09)"
_SLURM = "manual of sbatch, --export (Slurm 22.05, 2022)"
_OMPI = "manual of mpirun, -x and Exported Environment Variables (Open MPI 4.1.4, 2022)"
_ROMIO = "ROMIO, system_hints.c and ad_hints.c (MPICH, read 2026-11-26)"
_OMPIO = "strings of Open MPI 4.1.4 and 5, and of MPICH 4.0 (read 2026-11-26)"
_LUSTRE = "Lustre manual, Managing File Layout (Striping) and Free Space (doc.lustre.org, read 2026-11-26)"
_TEMPORARY = "Filesystem Hierarchy Standard 3.0, /tmp (2015-06)"


def _rule(code: str, name: str, finds: str, instead: str, reason: str, source: str) -> Rule:
    return Rule(code, name, finds, instead, reason, source, "script", "none")


JOB_SCRIPTS: tuple[Rule, ...] = (
    _rule(
        "HR902",
        "typographic-quote",
        "a typographic quote or dash, as word processors and web pages print it",
        "the key for it: \" or ' or -",
        "bash takes it for a letter: a string does not end there, and a value or an option contains it",
        f"{_BASH}, Quoting; the hint line of the ARCHER2 guide ends in one (read 2026-11-26)",
    ),
    _rule(
        "HR903",
        "windows-line-ends",
        "lines that end as Windows ends them",
        "sed -i 's/\\r$//' FILE",
        "sbatch refuses the script, and bash takes the carriage return for a part of the last word",
        f"message of sbatch, 'Batch script contains DOS line breaks' (Slurm 22.05, 2022); {_BASH}",
    ),
    _rule(
        "HR911",
        "unknown-hint",
        "a hint for MPI-IO that no library looks up",
        "the name that was meant, or nothing",
        "libraries ignore unknown hints without a word",
        f"MPI 4.0, section 10 (2021-06): an unknown hint must be ignored; {_OMPIO}",
    ),
    _rule(
        "HR912",
        "ignored-hint",
        "hints that the MPI of this script does not look up",
        "the hints of its own I/O module, or the module that knows these",
        "OMPIO, ROMIO and Cray's ROMIO each have names of their own, and ignore others without a word",
        f"{_ROMIO}; {_OMPIO}; manual of intro_mpi, MPICH_MPIIO_HINTS (HPE Cray MPICH, read 2026-11-26)",
    ),
    _rule(
        "HR913",
        "hint-not-understood",
        "a hint whose form or value means nothing to who reads it",
        "the form and the values that it has",
        "what is not understood is dropped, or reported as if it were in force",
        f"{_ROMIO}; manual of intro_mpi, MPICH_MPIIO_HINTS (HPE Cray MPICH, read 2026-11-26)",
    ),
    _rule(
        "HR921",
        "not-exported",
        "a variable for the program that is set and not exported",
        "export NAME=value",
        "a variable that is not exported stays in the script: the program never sees it",
        f"{_BASH}, Environment",
    ),
    _rule(
        "HR922",
        "not-passed",
        "a variable for the program that its launcher does not pass on",
        "mpirun -x NAME, srun --export=ALL",
        "the MPI ranks start with another environment than that of the script",
        f"{_SLURM}; {_OMPI}",
    ),
    _rule(
        "HR923",
        "set-after-launch",
        "a variable for the program that is set when the program has ended",
        "set it before the line that starts the program",
        "a script runs line by line, and a program gets its environment when it starts",
        f"{_BASH}, Environment",
    ),
    _rule(
        "HR924",
        "unbuffered-run-time",
        "GFORTRAN_UNBUFFERED_ALL=y",
        "unset GFORTRAN_UNBUFFERED_ALL; for output that should appear at once: GFORTRAN_UNBUFFERED_PRECONNECTED=y",
        "every READ and WRITE is then a system call, which buffering spares",
        f"manual of gfortran, Runtime (GCC 12, 2022); {_GUIDE}",
    ),
    _rule(
        "HR925",
        "intel-buffers",
        "FORT_BUFFERED switched off, or set for another compiler than Intel's",
        "export FORT_BUFFERED=true for Intel's compiler; gfortran has buffers of its own",
        "Intel's run time writes without a buffer unless it is told otherwise",
        _GUIDE,
    ),
    _rule(
        "HR931",
        "striping-after-files",
        "lfs setstripe when the files exist already",
        "lfs setstripe before the files are made; for those that exist: lfs migrate, or copy them",
        "a directory's striping is for files that are made in it later, and that of a file never changes",
        f"{_LUSTRE}; {_ARCHER2}",
    ),
    _rule(
        "HR932",
        "one-stripe-shared",
        "one stripe for a file that many MPI ranks share",
        "lfs setstripe -c -1 DIRECTORY before the file is made, or the hint striping_factor",
        "the file lies on one server: ARCHER2 names 1 GB/s at most, and 10 GB/s over its 12",
        _ARCHER2,
    ),
    _rule(
        "HR941",
        "file-per-rank-directory",
        "thousands of files in one directory, one for each MPI rank",
        "a directory for each node, one file for a node, or one shared file with collective calls",
        "thousands of files that are open at once overload the metadata server of a parallel file system",
        _ARCHER2,
    ),
    _rule(
        "HR951",
        "tar-blocks",
        "tar on a parallel file system with blocks of 10 KiB",
        "tar -b 2048",
        "tar then writes blocks of 1 MiB: faster, and less work for the file system that others use too",
        _ARCHER2,
    ),
    _rule(
        "HR952",
        "files-one-by-one",
        "thousands of files that are copied by a command each",
        "one archive (tar -b 2048), or one rsync or cp of the directory",
        "each file costs a process, and messages to the metadata server of both file systems",
        _ARCHER2,
    ),
    _rule(
        "HR953",
        "input-by-every-rank",
        "every MPI rank reads the same file from a shared path",
        "sbcast FILE, or srun --ntasks-per-node=1 for a copy on each node; then read that",
        "the same bytes go through the network once for each MPI rank",
        f"{_ARCHER2}; manual of sbcast (Slurm 22.05, 2022)",
    ),
    _rule(
        "HR961",
        "output-to-tmp",
        "output to a directory of the node that nothing copies back",
        "write to the parallel file system, or copy the output there before the script ends",
        "each node has its own, and its files may be gone when the job has ended",
        _TEMPORARY,
    ),
    _rule(
        "HR962",
        "output-to-home",
        "the output of an MPI program on the home file system",
        "run in the directory of the parallel file system that the site names for jobs",
        "home file systems are small and not made for many writers; some sites do not mount them on compute nodes",
        _ARCHER2,
    ),
)
