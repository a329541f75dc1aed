"""The catalogue is read from the Fortran sources."""

import pytest

from headrace.errors import HeadraceError
from headrace.measure import catalogue, knobs, plan
from headrace.results.conclusions import HLRS_LIST


def test_every_mechanism_has_both_statements_and_a_known_shape() -> None:
    found = catalogue.all_mechanisms()
    assert len(found) > 60
    for mechanism in found:
        assert mechanism.shape in catalogue.SHAPES
        if mechanism.family != "null":
            assert mechanism.write_statement, mechanism.key
            assert mechanism.read_statement, mechanism.key


def test_names_are_unique() -> None:
    keys = [m.key for m in catalogue.all_mechanisms()]
    assert len(keys) == len(set(keys))


def test_the_label_is_the_source_of_the_statement() -> None:
    by_key = {m.key: m for m in catalogue.all_mechanisms()}
    assert by_key["unformatted:whole"].write_statement == "write (unit) array"
    assert by_key["unformatted:whole"].read_statement == "read (unit) array"
    assert by_key["actual_arguments:flat"].write_statement.endswith("in put_flat: write (unit) flat")
    assert "format(10e15.5)" in by_key["formatted:labelled_format"].write_statement.replace(" (", "(")


@pytest.mark.parametrize(
    "names",
    [
        plan.DEFAULT_MECHANISMS,
        plan.DEFAULT_PART,
        plan.CEILINGS,
        plan.REFERENCES,
        knobs.FORMATTED,
        knobs.UNFORMATTED,
        HLRS_LIST,
    ],
)
def test_lists_of_names_name_what_exists(names: list[str]) -> None:
    assert set(names) <= {m.key for m in catalogue.all_mechanisms()}


def test_the_default_benchmark_has_about_thirty_mechanisms() -> None:
    assert 28 <= len(plan.DEFAULT_MECHANISMS) + len(plan.CEILINGS) <= 36


def test_a_declaration_is_no_statement() -> None:
    source = """
subroutine write_row(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2)
      write (unit) array(:, i), &
         & i
   end do
end subroutine write_row
   call add_rows("row", open_stream, write_row, read_row)
"""
    (mechanism,) = catalogue.mechanisms_in("family", source)
    assert mechanism.write_statement == "do i = 1, size(array, 2); write (unit) array(:, i), i; end do"
    assert mechanism.read_statement == ""


def test_an_unknown_name_is_refused_and_near_ones_are_named() -> None:
    with pytest.raises(HeadraceError) as error:
        plan.select(["unformated:whole"], everything=False)
    assert "nothing is called 'unformated:whole'" in error.value.message
    assert "unformatted:whole" in error.value.hint


def test_selecting_an_operation_alone_keeps_the_default_mechanisms() -> None:
    mechanisms, operations = plan.select(["write"], everything=False)
    assert operations == ["write"]
    assert len(mechanisms) > 20


def test_conditions_are_paired_and_reported_once() -> None:
    assert plan.condition_pairs([]) == [plan.Pair("cached", "warm")]
    assert plan.condition_pairs(["cold"]) == [plan.Pair("cached", "cold")]
    assert plan.condition_pairs(["cached", "cold", "warm"]) == [
        plan.Pair("cached", "warm"),
        plan.Pair("cached", "cold", ("read",)),
    ]
    assert plan.condition_pairs(["synced", "cold", "warm", "cached"]) == [
        plan.Pair("cached", "warm"),
        plan.Pair("synced", "cold"),
    ]
