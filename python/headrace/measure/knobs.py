"""Settings of Fortran run times that change how they do I/O, and where each is documented.

Intel's order of precedence (from its documentation; this project has not tried it): a specifier in OPEN
(BUFFERED=, BLOCKSIZE=, BUFFERCOUNT=) comes before the compiler flag -assume buffered_io, and that before the
variables FORT_BUFFERED, FORT_BLOCKSIZE and FORT_BUFFERCOUNT. The family vendor_open holds the specifiers.
"""

from headrace.results.run import Knob, Vendor

DEFAULT = Knob(name="default")

_GNU = "GNU Fortran manual, chapter Runtime (buffer sizes since GCC 10)"
_LLVM = "LLVM flang runtime, environment variables (there is none for the size of a buffer)"
_INTEL = "Intel Fortran Compiler Developer Guide: Supported Environment Variables, assume, OPEN"

KNOBS: dict[Vendor, list[Knob]] = {
    "gnu": [
        Knob(name="unbuffered", environment={"GFORTRAN_UNBUFFERED_ALL": "y"}, source=_GNU),
        Knob(name="unformatted-buffer-512", environment={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "512"}, source=_GNU),
        Knob(name="unformatted-buffer-8k", environment={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "8192"}, source=_GNU),
        Knob(name="unformatted-buffer-1m", environment={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "1048576"}, source=_GNU),
        Knob(name="formatted-buffer-64k", environment={"GFORTRAN_FORMATTED_BUFFER_SIZE": "65536"}, source=_GNU),
        Knob(name="formatted-buffer-1m", environment={"GFORTRAN_FORMATTED_BUFFER_SIZE": "1048576"}, source=_GNU),
    ],
    "llvm": [
        Knob(name="record-length-1m", environment={"FORT_FMT_RECL": "1000000"}, source=_LLVM),
    ],
    "intel": [
        Knob(name="buffered", environment={"FORT_BUFFERED": "true"}, source=_INTEL, tested=False),
        Knob(name="unbuffered", environment={"FORT_BUFFERED": "false"}, source=_INTEL, tested=False),
        Knob(
            name="buffered-block-1m",
            environment={"FORT_BUFFERED": "true", "FORT_BLOCKSIZE": "1048576"},
            source=_INTEL,
            tested=False,
        ),
        Knob(
            name="buffered-block-1m-count-4",
            environment={"FORT_BUFFERED": "true", "FORT_BLOCKSIZE": "1048576", "FORT_BUFFERCOUNT": "4"},
            source=_INTEL,
            tested=False,
        ),
        Knob(name="assume-buffered", flags=["-assume", "buffered_io"], source=_INTEL, tested=False),
        Knob(
            name="assume-buffered-variable-false",
            environment={"FORT_BUFFERED": "false"},
            flags=["-assume", "buffered_io"],
            source=_INTEL + ": the flag comes before the variable",
            tested=False,
        ),
    ],
}

# What a knob is measured on: statements whose cost lies in the buffer, as in the centre's guide that
# data/published.csv quotes, and their opposites.
FORMATTED = ["formatted:integer_whole", "formatted:integer_element", "formatted:list_directed", "formatted:exact"]
UNFORMATTED = [
    "unformatted:integer_whole",
    "unformatted:integer_element",
    "unformatted:element",
    "unformatted:short_records",
    "unformatted:whole",
    "stream:element",
    "stream:seek_random",
    "direct:row",
]
# The default benchmark measures only what the published figures need.
PUBLISHED = [*FORMATTED[:2], *UNFORMATTED[:2]]


def knobs_of(vendor: Vendor) -> list[Knob]:
    """The knobs of a compiler's run time, without 'default'."""
    return KNOBS.get(vendor, [])


def mechanisms_of(knob: Knob) -> list[str]:
    """Mechanisms on which `knob` can matter."""
    if knob.name.startswith("formatted") or knob.name.startswith("record-length"):
        return FORMATTED
    if knob.name.startswith("unformatted"):
        return UNFORMATTED
    return FORMATTED + UNFORMATTED
