"""How each mechanism of the benchmark is lowered: the statements of bench/*.f90 as transfers of the model.

One line a mechanism. `FORMS` is gfortran's way, `FLANG` where flang differs: gfortran from -O1 on turns implied-do
lists that walk an array into array transfers (gcc/fortran/frontend-passes.cc), flang makes each item a call; gfortran
transfers `pointer` arrays element by element (gcc/fortran/trans-io.cc, gfc_trans_transfer).
"""

import math
from dataclasses import dataclass

from headrace.errors import HeadraceError
from headrace.model.counts import HEAP_LIMIT, Access, Style, Transfer
from headrace.nearest import did_you_mean
from headrace.results.records import Operation
from headrace.results.run import Vendor

ALL = 0  # values of a statement: the whole array
THIRD = -3  # values of a run: a column of the (n, 3) array


@dataclass(frozen=True)
class Form:
    """The I/O statements of one mechanism."""

    access: Access
    values: int  # in one statement; ALL: one statement transfers everything
    style: Style = "array"
    run: int = 0  # values of one contiguous run of a section; 0: all of the item
    items: int = 1  # arrays in the list of one statement
    value_bytes: int = 8
    edit: str = ""
    record: int = 0  # values of one text record; 0: all of the statement
    array_factor: float = 1  # memory that is walked over memory that is transferred
    converted: bool = False
    temporary: bool = False  # the compiler gathers the data in an array of its own
    own_array: bool = False  # the mechanism has its data in an array of its own, not in the harness's

    def transfer(self, count: float, passes: int | None = None) -> Transfer:
        """What moving `count` values is: in a program that does it once, or in `passes` of the benchmark.

        The benchmark's array for reads below HEAP_LIMIT comes from memory that was given back, at any address.
        """
        values = self.values or count
        statements = math.ceil(count / values)
        return Transfer(
            self.access,
            statements,
            count / statements,
            self.style,
            run=count / 3 if self.run == THIRD else self.run,
            items=self.items,
            value_bytes=self.value_bytes,
            edit=self.edit,
            records=values / self.record if self.record else 1,
            array_bytes=self.array_factor * count * self.value_bytes,
            converted=self.converted,
            temporary=self.temporary,
            first=1 / (passes or 1),
            page_aligned=passes is None or self.own_array or count * self.value_bytes > HEAP_LIMIT,
        )


FORMS: dict[str, Form] = {
    "unformatted:element": Form("sequential", 1, "scalars"),
    "unformatted:short_records": Form("sequential", 3, "array"),
    "unformatted:nested_natural": Form("sequential", ALL, "section", run=3),
    "unformatted:nested_reversed": Form("sequential", ALL, "section", run=1, items=3),
    "unformatted:nested_columns": Form("sequential", ALL, "section", run=THIRD),
    "unformatted:nested_columns_reversed": Form("sequential", ALL, "section", run=1),
    "unformatted:section": Form("sequential", ALL, "section", run=3),
    "unformatted:whole": Form("sequential", ALL, "section", run=3),
    "unformatted:whole_columns": Form("sequential", ALL, "section", run=THIRD),
    "unformatted:records_1000": Form("sequential", 1000),
    "unformatted:records_100000": Form("sequential", 100000),
    "unformatted:integer_whole": Form("sequential", ALL, value_bytes=4),
    "unformatted:integer_implied": Form("sequential", ALL, value_bytes=4),
    "unformatted:integer_element": Form("sequential", 1, "scalars", value_bytes=4),
    "unformatted:loop_variable": Form("sequential", ALL, "scalars", value_bytes=4),
    "actual_arguments:pointer_array": Form("sequential", ALL, "scalars"),
    "actual_arguments:strided_section": Form("sequential", ALL, "section", run=1, array_factor=2),
    "actual_arguments:component": Form("sequential", ALL, own_array=True),
    "actual_arguments:derived_type_array": Form("sequential", ALL, "components"),
    "actual_arguments:vector_subscript": Form("sequential", ALL, temporary=True, array_factor=3),
    "actual_arguments:flat": Form("sequential", ALL),
    "stream:element": Form("stream", 1, "scalars"),
    "stream:row": Form("stream", 3),
    "stream:blocks_64k": Form("stream", 8192),
    "stream:blocks_1m": Form("stream", 131072),
    "stream:whole": Form("stream", ALL, "section", run=3),
    "direct:element": Form("direct", 1, "scalars"),
    "direct:row": Form("direct", 3),
    "direct:blocks_64k": Form("direct", 8192),
    "direct:blocks_1m": Form("direct", 131072),
    "byte_order:whole": Form("sequential", ALL, "section", run=3, converted=True),
    "asynchronous:whole": Form("sequential", ALL, own_array=True),
    "asynchronous:blocks": Form("sequential", 131072),
    "formatted:list_directed": Form("sequential", 3, edit="*"),
    "formatted:constant_format": Form("sequential", 3, edit="e15.5"),
    "formatted:labelled_format": Form("sequential", 3, edit="e15.5"),
    "formatted:variable_format": Form("sequential", 3, edit="e15.5"),
    "formatted:whole_constant": Form("sequential", ALL, edit="e15.5", record=10),
    "formatted:whole_list_directed": Form("sequential", ALL, edit="*"),
    "formatted:exact": Form("sequential", 3, edit="es24.16e3"),
    "formatted:unlimited": Form("sequential", 3, edit="g0"),
    "formatted:element": Form("sequential", 1, edit="*"),
    "formatted:element_exact": Form("sequential", 1, edit="es24.16e3"),
    "formatted:hexadecimal": Form("sequential", 3, edit="z17"),
    "formatted:integer_whole": Form("sequential", ALL, edit="* int32"),
    "formatted:integer_element": Form("sequential", 1, edit="* int32"),
}


# Where flang 19 differs
FLANG: dict[str, Form] = {
    "unformatted:short_records": Form("sequential", 3, "scalars"),
    "unformatted:nested_natural": Form("sequential", ALL, "scalars"),
    "unformatted:nested_reversed": Form("sequential", ALL, "scalars"),
    "unformatted:nested_columns": Form("sequential", ALL, "scalars"),
    "unformatted:nested_columns_reversed": Form("sequential", ALL, "scalars"),
    "unformatted:section": Form("sequential", ALL),
    "unformatted:whole": Form("sequential", ALL),
    "unformatted:whole_columns": Form("sequential", ALL),
    "unformatted:integer_implied": Form("sequential", ALL, "scalars", value_bytes=4),
    "actual_arguments:pointer_array": Form("sequential", ALL),
    "actual_arguments:vector_subscript": Form("sequential", ALL, temporary=True, array_factor=3),
    "stream:whole": Form("stream", ALL),
    "byte_order:whole": Form("sequential", ALL, "section", converted=True),
}

# Where READ differs from WRITE, for all compilers and for flang
READ: dict[str, Form] = {"unformatted:loop_variable": Form("sequential", ALL, value_bytes=4)}
FLANG_READ: dict[str, Form] = {"actual_arguments:vector_subscript": Form("sequential", ALL, "scalars")}


_OTHER_CALLS = "not Fortran's own I/O: its cost is that of the C library and of the kernel"
_PARTS = "several processes read parts of one file: processor times cannot be added up for them"
_POSITIONS = "the micro-runs have no POS= that moves, and gfortran reads whole buffers at each"
_CHILDREN = "defined I/O calls a procedure of the user for each value"
_MIXED = "a statement has scalars of three kinds; the model has one size of value"

# Mechanisms without a form, and why. Every mechanism stands in FORMS or here: test_model.py looks.
NOT_MODELLED: dict[str, str] = {
    **dict.fromkeys(("c_library", "memory"), _OTHER_CALLS),
    "headrace": "the library's own calls: its cost is not that of a Fortran run time",
    "null": "it transfers nothing",
    "part_of_file": _PARTS,
    "derived_type_io": _CHILDREN,
    "mixed_records": _MIXED,
    "meta_and_bin": "two files are written, which the model does not add up",
    "vendor_open": "OPEN specifiers of one vendor, whose run time the model does not know",
    **dict.fromkeys(("stream:seek_forward", "stream:seek_backward", "stream:seek_random"), _POSITIONS),
    "formatted:non_advancing": "the micro-runs have no ADVANCE='no'",
    "formatted:namelist": "the micro-runs have no NAMELIST",
    "formatted:internal_buffer": "every value passes through an internal file and then as a line",
}


def why_not_modelled(key: str) -> str:
    """The reason why a mechanism has no form; empty if it has one or does not exist."""
    return NOT_MODELLED.get(key) or NOT_MODELLED.get(key.split(":")[0], "") if key not in FORMS else ""


def form_of(key: str, vendor: Vendor, operation: Operation) -> Form:
    """The lowering of mechanism `key`; raises HeadraceError that lists what the model knows."""
    tables = [FORMS]
    if vendor == "llvm":
        tables.insert(0, FLANG)
    if operation == "read":
        tables.insert(0, READ)
        if vendor == "llvm":
            tables.insert(0, FLANG_READ)
    for table in tables:
        if key in table:
            return table[key]
    reason = why_not_modelled(key)
    if reason:
        raise HeadraceError(f"the cost model leaves out the mechanism '{key}': {reason}", "headrace bench measures it")
    families: dict[str, list[str]] = {}
    for known in FORMS:
        family, name = known.split(":")
        families.setdefault(family, []).append(name)
    listing = "\n".join(f"  {family}: {', '.join(names)}" for family, names in families.items())
    raise HeadraceError(
        f"the cost model does not know the mechanism '{key}'",
        did_you_mean(key, list(FORMS), f"it knows\n{listing}", 3),
    )
