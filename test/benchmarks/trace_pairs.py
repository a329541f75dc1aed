"""Pairs of small Fortran programs, before and after the change that `headrace trace` advises.

`!before` marks the line that the advice must name, `!after` the lines that do its work after the change. What stands in
`prepare` writes the file that is read; it is no part of the comparison.
"""

from dataclasses import dataclass

_PROGRAM = """\
program pair
   implicit none
   integer :: n, i, j, k
   real(8) :: v, w
   integer(4), allocatable :: m(:)
   real(8), allocatable :: x(:), y(:), a(:, :)
   character(80) :: text
   logical :: there
   n = {count}
   allocate (x(n), y(n), m(n), a(10, n / 10))
   call random_number(x)
   a = reshape(x, [10, n / 10])
   y = 0
   v = 0
   m = [(i, i = 1, n)]
{body}
   print '(es10.3)', sum(y) + v
end program pair
"""


@dataclass(frozen=True)
class Pair:
    """A rule, what breaks it, and what does not."""

    name: str
    rule: str
    count: int
    before: str
    after: str
    prepare_before: str = ""
    prepare_after: str = ""

    def program(self, changed: bool) -> str:
        """The source of one of the two."""
        parts = (self.prepare_after, self.after) if changed else (self.prepare_before, self.before)
        body = "\n".join(part.strip("\n") for part in parts if part)
        return _PROGRAM.format(count=self.count, body=body)


_SEQUENTIAL = "   open (10, file='d.bin', form='unformatted')\n"
_STREAM = "   open (10, file='d.bin', form='unformatted', access='stream')\n"
_DIRECT = "   open (10, file='d.bin', form='unformatted', access='direct', recl=8)\n"
_TEXT = "   open (10, file='d.txt')\n"
_CLOSE = "   close (10)\n"
_CLOSE_AFTER = "   close (10) !after\n"
_WHOLE_FILE = _STREAM + "   write (10) x\n   close (10)\n"
_WHOLE_WRITE = _STREAM + "   write (10) x !after\n   close (10) !after\n"  # flang keeps a record until CLOSE
_WHOLE_READ = _STREAM + "   read (10) y !after\n   close (10)\n"


def _loop(statement: str) -> str:
    return f"   do i = 1, n\n      {statement}\n   end do\n"


PAIRS: tuple[Pair, ...] = (
    Pair(
        "unformatted element write",
        "HR101",
        1_000_000,
        _SEQUENTIAL + _loop("write (10) x(i) !before") + _CLOSE,
        _SEQUENTIAL + "   write (10) x !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "unformatted element read",
        "HR101",
        1_000_000,
        "   rewind (10)\n" + _loop("read (10) y(i) !before") + _CLOSE,
        "   rewind (10)\n   read (10) y !after\n" + _CLOSE,
        _SEQUENTIAL + _loop("write (10) x(i)"),
        _SEQUENTIAL + "   write (10) x\n",
    ),
    Pair(
        "unformatted integer write",
        "HR101",
        2_000_000,
        _SEQUENTIAL + _loop("write (10) m(i) !before") + _CLOSE,
        _SEQUENTIAL + "   write (10) m !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "unformatted nested write",
        "HR101",
        1_000_000,
        _SEQUENTIAL
        + "   do j = 1, n / 10\n      do i = 1, 10\n         write (10) a(i, j) !before\n      end do\n   end do\n"
        + _CLOSE,
        _SEQUENTIAL + "   write (10) a(1:10, 1:n / 10) !after\n" + _CLOSE_AFTER,
    ),
    Pair("stream element write", "HR101", 1_000_000, _STREAM + _loop("write (10) x(i) !before") + _CLOSE, _WHOLE_WRITE),
    Pair(
        "stream element read",
        "HR101",
        1_000_000,
        _STREAM + _loop("read (10) y(i) !before") + _CLOSE,
        _WHOLE_READ,
        _WHOLE_FILE,
        _WHOLE_FILE,
    ),
    Pair(
        "twenty passes of elements",
        "HR101",
        50_000,
        "   do k = 1, 20\n" + _STREAM + _loop("write (10) x(i) !before") + _CLOSE + "   end do\n",
        "   do k = 1, 20\n" + _WHOLE_WRITE + "   end do\n",
    ),
    Pair(
        "direct element write",
        "HR102",
        1_000_000,
        _DIRECT + _loop("write (10, rec=i) x(i) !before") + _CLOSE,
        _WHOLE_WRITE,
    ),
    Pair(
        "direct element read",
        "HR102",
        1_000_000,
        _DIRECT + _loop("read (10, rec=i) y(i) !before") + _CLOSE,
        _WHOLE_READ,
        _WHOLE_FILE,
        _WHOLE_FILE,
    ),
    Pair(
        "scalar items write",
        "HR103",
        2_000_000,
        _SEQUENTIAL + "   write (10) (x(m(i)), i = 1, n) !before\n" + _CLOSE,
        _SEQUENTIAL + "   y = [(x(m(i)), i = 1, n)]\n   write (10) y !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "scalar items read",
        "HR103",
        2_000_000,
        _STREAM + "   read (10) (y(m(i)), i = 1, n) !before\n" + _CLOSE,
        _STREAM + "   read (10) x !after\n   do i = 1, n\n      y(m(i)) = x(i)\n   end do\n" + _CLOSE,
        _WHOLE_FILE,
        _WHOLE_FILE,
    ),
    Pair(
        "rows of ten write",
        "HR107",
        5_000_000,
        _SEQUENTIAL + "   do j = 1, n / 10\n      write (10) a(:, j) !before\n   end do\n" + _CLOSE,
        _SEQUENTIAL + "   write (10) a !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "records read backwards",
        "HR108",
        20_000,
        _DIRECT + "   do i = n, 1, -1\n      read (10, rec=i) y(i) !before\n   end do\n" + _CLOSE,
        _DIRECT + "   do i = 1, n\n      read (10, rec=i) y(i) !after\n   end do\n" + _CLOSE,
        _WHOLE_FILE,
        _WHOLE_FILE,
    ),
    Pair(
        "text element write to binary",
        "HR201",
        300_000,
        _TEXT + _loop("write (10, '(es24.16)') x(i) !before") + _CLOSE,
        _WHOLE_WRITE,
    ),
    Pair(
        "text element read to binary",
        "HR201",
        300_000,
        _TEXT + _loop("read (10, '(es24.16)') y(i) !before") + _CLOSE,
        _WHOLE_READ,
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
        _WHOLE_FILE,
    ),
    Pair(
        "text array write to binary",
        "HR201",
        300_000,
        _TEXT + "   write (10, '(5es15.7)') x !before\n" + _CLOSE,
        _WHOLE_WRITE,
    ),
    Pair(
        "list-directed array write to binary",
        "HR203",
        300_000,
        _TEXT + "   write (10, *) x !before\n" + _CLOSE,
        _WHOLE_WRITE,
    ),
    Pair(
        "list-directed read to binary",
        "HR203",
        300_000,
        _TEXT + _loop("read (10, *) y(i) !before") + _CLOSE,
        _WHOLE_READ,
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
        _WHOLE_FILE,
    ),
    Pair(
        "text elements to one statement",
        "HR202",
        300_000,
        _TEXT + _loop("write (10, '(es24.16)') x(i) !before") + _CLOSE,
        _TEXT + "   write (10, '(es24.16)') x(1:n) !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "text elements read in one statement",
        "HR202",
        300_000,
        _TEXT + _loop("read (10, '(es24.16)') y(i) !before") + _CLOSE,
        _TEXT + "   read (10, '(es24.16)') y(1:n) !after\n" + _CLOSE,
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
    ),
    Pair(
        "rows without ADVANCE=NO",
        "HR204",
        300_000,
        _TEXT
        + "   do j = 1, n / 10\n      do i = 1, 10\n         write (10, '(es24.16)', advance='no') a(i, j) !before\n"
        + "      end do\n      write (10, '()')\n   end do\n"
        + _CLOSE,
        _TEXT + "   do j = 1, n / 10\n      write (10, '(*(es24.16))') a(1:10, j) !after\n   end do\n" + _CLOSE,
    ),
    Pair(
        "open once",
        "HR301",
        20_000,
        "   do i = 1, n\n      open (10, file='d.txt', position='append') !before\n      write (10, *) i\n"
        "      close (10)\n   end do\n",
        "   open (10, file='d.txt', position='append') !after\n"
        + _loop("write (10, *) i !after")
        + "   close (10) !after\n",
    ),
    Pair(
        "open once, binary",
        "HR301",
        20_000,
        "   do i = 1, n\n"
        "      open (10, file='d.bin', form='unformatted', access='stream', position='append') !before\n"
        "      write (10) x(1:20)\n      close (10)\n   end do\n",
        "   open (10, file='d.bin', form='unformatted', access='stream', position='append') !after\n"
        + _loop("write (10) x(1:20) !after")
        + "   close (10) !after\n",
    ),
    Pair(
        "flush at the end",
        "HR302",
        50_000,
        _TEXT + "   do i = 1, n\n      write (10, *) x(i)\n      flush (10) !before\n   end do\n" + _CLOSE,
        _TEXT + _loop("write (10, *) x(i) !after") + "   flush (10) !after\n" + _CLOSE_AFTER,
    ),
    Pair(
        "inquire once",
        "HR304",
        50_000,
        "   do i = 1, n\n      inquire (file='d.txt', exist=there) !before\n      if (there) v = v + 1\n   end do\n",
        "   inquire (file='d.txt', exist=there) !after\n   do i = 1, n\n      if (there) v = v + 1\n   end do\n",
    ),
    Pair(
        "keep a record in variables",
        "HR305",
        100_000,
        _SEQUENTIAL
        + "   do i = 1, n\n      read (10) v\n      backspace (10) !before\n      read (10) y(i)\n   end do\n"
        + _CLOSE,
        _SEQUENTIAL + _loop("read (10) y(i) !after") + _CLOSE,
        _SEQUENTIAL + _loop("write (10) x(i)") + _CLOSE,
        _SEQUENTIAL + _loop("write (10) x(i)") + _CLOSE,
    ),
    Pair(
        "read once",
        "HR306",
        10_000,
        _TEXT + "   do k = 1, 30\n      rewind (10) !before\n" + _loop("read (10, *) y(i)") + "   end do\n" + _CLOSE,
        _TEXT + _loop("read (10, *) y(i) !after") + _CLOSE,
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
        _TEXT + "   write (10, '(es24.16)') x\n   close (10)\n",
    ),
    Pair(
        "native byte order",
        "HR408",
        4_000_000,
        "   open (10, file='d.bin', form='unformatted', convert='big_endian')\n   write (10) x !before\n" + _CLOSE,
        _SEQUENTIAL + "   write (10) x !after\n" + _CLOSE_AFTER,
    ),
)
