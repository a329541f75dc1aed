"""Programs of many shapes for test_pasted_lines.py: what a line that is pasted without knowing them would destroy."""

from dataclasses import dataclass, field

TEXT = "".join(f"{number:24.16E}\n" for number in range(300))
ELEMENTS = b"".join(b"\x08\0\0\0" + bytes(8) + b"\x08\0\0\0" for _ in range(90_000))


@dataclass(frozen=True)
class Shape:
    """Statements of a procedure; what must be `advised` is there so that something is pasted."""

    name: str
    body: str
    advised: frozenset[str] = frozenset()
    before: dict[str, bytes] = field(default_factory=dict)  # files that are there when the program begins
    variables: dict[str, str] = field(default_factory=dict)
    quick: bool = False  # part of the short form


def shape(
    name: str,
    body: str,
    advised: str = "",
    old: bytes | str = b"",
    quick: bool = False,
    variables: dict[str, str] | None = None,
) -> Shape:
    """`advised`: codes of `headrace trace` and names of `headrace advise`; `old`: what d.dat holds."""
    there = old.encode() if isinstance(old, str) else old
    names = frozenset(advised.split())
    return Shape(name, body.strip("\n"), names, {"d.dat": there} if there else {}, variables or {}, quick)


def _steps(*statements: str, count: int = 3000) -> str:
    return "\n".join((f"do step = 1, {count}", *statements, "end do"))


_SEQUENTIAL = "form='unformatted'"
_STREAM = "form='unformatted', access='stream'"
_APPEND = f"{_STREAM}, position='append'"


def _open(words: str, unit: str = "newunit=u") -> str:
    return f"open ({unit}, file='d.dat', {words})"


def _loop(statement: str, bounds: str = "1, n") -> str:
    return f"do i = {bounds}\n{statement}\nend do"


_REOPENED = (
    shape(
        "a stream is appended to",
        _steps(_open(f"{_APPEND}, status='unknown'"), "write (u) x(1:64)", "close (u)"),
        "HR301 keep-open",
        "old",
        True,
    ),
    shape(
        "lines are appended",
        _steps(_open("position='append'"), "write (u, *) step", "close (u)"),
        "HR301 keep-open",
        TEXT,
    ),
    shape(
        "with a decimal comma",
        _steps(_open("position='append', decimal='comma'"), "write (u, *) x(step)", "close (u)"),
        "HR301 keep-open",
        TEXT,
    ),
    shape(
        "POSITION= in a variable",
        _steps(
            "word = 'append'",
            "if (step == 1) word = 'rewind'",
            _open(f"{_STREAM}, position=word"),
            "write (u) x(1:64)",
            "close (u)",
        ),
        "",
        TEXT,
        True,
    ),
    shape(
        "STATUS= in a variable",
        _steps(
            "word = 'old'",
            "if (mod(step, 500) == 1) word = 'replace'",
            _open("position='append', status=word"),
            "write (u, *) step",
            "close (u)",
        ),
        "",
        TEXT,
    ),
    shape(
        "POSITION='ASIS' after the first",
        _steps(
            "word = 'asis'",
            "if (step < 3000) word = 'append'",
            _open(f"{_SEQUENTIAL}, position=word"),
            "write (u) x(1:8)",
            "close (u)",
        ),
    ),
    shape(
        "an OPEN for what is there and one for what is not",
        _steps(
            "inquire (file='d.dat', exist=there)",
            "if (there) then",
            _open("position='append', status='old'"),
            "else",
            _open("status='replace'"),
            "end if",
            "write (u, *) step",
            "close (u)",
        ),
    ),
    shape(
        "STATUS= by INQUIRE",
        _steps(
            "inquire (file='d.dat', exist=there)",
            "word = merge('old', 'new', there)",
            _open("position='append', status=word"),
            "write (u, *) step",
            "close (u)",
        ),
    ),
    shape(
        "the file is replaced",
        _steps(_open(f"{_SEQUENTIAL}, status='replace'"), "write (u) x(1:step/20)", "close (u)"),
        "HR301 keep-open",
        TEXT,
        True,
    ),
    shape(
        "the file is replaced, and stays empty now and then",
        _steps(
            _open("status='replace'"),
            "if (mod(step, 2) == 1) write (u, *) step",
            "if (mod(step, 2) == 1) write (u, *) step",
            "close (u)",
        ),
        "HR301 keep-open",
        TEXT,
    ),
    shape(
        "a stream is replaced by a shorter one",
        _steps(_open(f"{_STREAM}, status='replace'"), "write (u) x(1:3001 - step)", "close (u)"),
        "",
        TEXT,
    ),
    shape(
        "written over from the start",
        _steps(_open("status='old'"), "if (mod(step, 4) > 0) write (u, *) x(1:3001 - step:100)", "close (u)"),
        "keep-open",
        TEXT,
    ),
    shape(
        "a stream is written over in place",
        _steps(_open(_STREAM), "write (u) x(step:step + 20)", "close (u)"),
        "",
        TEXT,
    ),
    shape(
        "read again and again",
        _steps(_open("status='old', action='read'"), "read (u, *) y(1:20)", "close (u)") + "\nprint *, y(1:20)",
        "keep-open",
        TEXT,
    ),
    shape(
        "OPEN and CLOSE in procedures of their own",
        _steps("call begin('append')", "write (10, *) step", "call finish()"),
        "HR301 keep-open",
        TEXT,
    ),
    shape(
        "written and counted",
        _steps(
            _open("position='append'"),
            "write (u, *) step",
            "close (u)",
            "open (newunit=k, file='./d.dat', action='read')",
            "read (k, *) j",
            "close (k)",
        ),
    ),
    shape(
        "another unit reads the file",
        _steps(
            _open("position='append'", "10"),
            "write (10, *) step",
            "close (10)",
            _open("action='read'", "11"),
            "read (11, *) j",
            "close (11)",
        )
        + "\nprint *, j",
    ),
    shape(
        "REWIND and READ before more is written",
        _steps(
            _open(f"{_SEQUENTIAL}, position='append'"),
            "write (u) step",
            "rewind (u)",
            "read (u) j",
            "close (u)",
        ),
    ),
    shape(
        "the last record is written over",
        _steps(
            _open(f"{_SEQUENTIAL}, position='append'"),
            "write (u) step",
            "backspace (u)",
            "write (u) -step",
            "close (u)",
        ),
    ),
    shape(
        "units are computed",
        _steps("u = 20 + mod(step, 7)", _open("position='append'", "u"), "write (u, *) step", "close (u)"),
    ),
    shape(
        "several files in turn",
        _steps(
            "write (name, '(a,i0)') 'd', mod(step, 5)",
            "open (newunit=u, file=name, position='append')",
            "write (u, *) step",
            "close (u)",
        ),
    ),
    shape(
        "OPEN of a unit that is open",
        _steps("open (10, file='d.dat')", "write (10, *) step") + "\nclose (10)",
    ),
    shape(
        "records by their number",
        _steps(_open(f"{_SEQUENTIAL}, access='direct', recl=8"), "write (u, rec=2*step) x(step)", "close (u)"),
        "",
        TEXT,
    ),
    shape(
        "a file that is removed each time",
        _steps(_open("status='new'"), "write (u, *) step", "close (u, status='delete')"),
    ),
    shape("scratch files", _steps("open (newunit=u, status='scratch')", "write (u, *) step", "close (u)")),
    shape("a unit that nobody opened", _steps("write (77, *) step", "close (77)")),
    shape(
        "a loop that waits for a lock",
        "do step = 1, 3000\n"
        "open (newunit=u, file='lock', status='new', iostat=ios)\n"
        "if (ios /= 0) then\nopen (newunit=u, file='lock')\nclose (u, status='delete')\ncycle\nend if\n"
        "write (u, *) step\nclose (u)\nend do",
    ),
    shape(
        "a program that ends by _exit",
        _steps(_open("position='append'"), "write (u, *) step", "close (u)")
        + "\nopen (newunit=u, file='e.dat')\ndo step = 1, 3000\nwrite (u, *) step\nflush (u)\nend do\ncall c_exit(0)",
    ),
)

_FLUSHED = (
    shape(
        "a log that is flushed",
        "open (newunit=u, file='d.dat')\n" + _steps("write (u, *) step", "flush (u)", count=10000),
        "HR302 flush-less",
    ),
    shape(
        "what is flushed is read",
        "open (10, file='d.dat')\n"
        + _steps("write (10, *) step", "flush (10)", "open (11, file='./d.dat')", "read (11, *) j", "close (11)"),
    ),
    shape(
        "a system call for each line",
        "open (10, file='d.dat')\ndo i = 1, 30000\nwrite (10, '(i8)') i\nend do",
        "HR303 unset-unbuffered",
        variables={"GFORTRAN_UNBUFFERED_ALL": "y"},
    ),
)

IN_TURN = "write (u) x(i)\nwrite (u) -x(i)"
CHANGING = "x(1) = x(i)\nwrite (u) x(i)"
LEFT = "if (i > n - 20000) exit\nwrite (u) x(i)"
PART = "write (u, '(es24.16)', advance='no') a(i, j)"
_DIRECT = "open (newunit=u, file='d.dat', form='unformatted', access='direct', recl=8)"

_LOOPS = (
    shape("elements of a stream", f"{_open(_STREAM)}\n{_loop('write (u) x(i)')}\nclose (u)", "HR101"),
    shape("elements of records", f"{_open(_SEQUENTIAL)}\n{_loop('write (u) x(i)')}\nclose (u)", "HR101", TEXT),
    shape(
        "elements of two dimensions",
        f"{_open(_STREAM)}\ndo j = 1, n/10\n{_loop('write (u) a(i, j)', '1, 10')}\nend do",
        "HR101",
    ),
    shape(
        "elements by rows",
        f"{_open(_STREAM)}\ndo i = 1, 10\ndo j = 1, n/10\nwrite (u) a(i, j)\nend do\nend do",
        "HR101",
    ),
    shape(
        "two loops, and more in the outer one",
        f"{_open(_STREAM)}\ndo j = 1, n/10\n{_loop('write (u) a(i, j)', '1, 10')}\nwrite (u) x(j)\nend do",
        "HR101",
    ),
    shape(
        "only some elements",
        f"{_open(_STREAM)}\n{_loop('if (mod(i, 3) > 0) write (u) x(i)')}",
        "HR101",
    ),
    shape(
        "only some elements, by IF and END IF",
        f"{_open(_STREAM)}\ndo i = 1, n\nif (mod(i, 3) > 0) then\nwrite (u) x(i)\nend if\nend do",
        "HR101",
    ),
    shape("two arrays in turn", f"{_open(_STREAM)}\n{_loop(IN_TURN)}", "HR101"),
    shape(
        "elements that change in the loop",
        f"{_open(_STREAM)}\n{_loop(CHANGING)}",
        "HR101",
    ),
    shape("a loop that is left", f"{_open(_STREAM)}\n{_loop(LEFT)}"),
    shape("a loop with a label", f"{_open(_STREAM)}\ndo 10 i = 1, n\n10 write (u) x(i)", "HR101"),
    shape(
        "elements at positions",
        f"{_open(_STREAM)}\n{_loop('write (u, pos=8*(n - i) + 1) x(i)')}",
        "",
        TEXT,
    ),
    shape(
        "records from the first",
        f"{_DIRECT}\ndo step = 1, 2\n{_loop('write (u, rec=i) x(i)')}\nend do",
        "HR102",
        TEXT,
    ),
    shape(
        "records in the middle",
        f"{_DIRECT}\n{_loop('write (u, rec=i) x(i)', '501, n')}",
        "HR102",
        TEXT * 4,
        True,
    ),
    shape(
        "records with padding",
        f"{_DIRECT.replace('8', '16')}\n{_loop('write (u, rec=i) x(i)')}",
    ),
    shape(
        "records in another order",
        f"{_DIRECT}\n{_loop('write (u, rec=mod(i*7919, n) + 1) x(i)')}",
    ),
    shape(
        "read until the end",
        f"{_open(_SEQUENTIAL)}\n{_loop('read (u, end=20) y(i)')}\n20 print *, i",
        "",
        ELEMENTS,
    ),
    shape("items of one type", f"{_open(_STREAM)}\nwrite (u) (x(n + 1 - i), i = 1, n)", "", TEXT),
    shape("items of two types", f"{_open(_STREAM)}\nwrite (u) (i, x(n + 1 - i), i = 1, n)"),
)

_FORMATTED = "open (newunit=u, file='d.dat')"
_BIG_ENDIAN = "form='unformatted', convert='big_endian'"

_TEXTS = (
    shape("numbers in lines", f"{_FORMATTED}\n" + _loop("write (u, '(es24.16)') x(i)"), "HR201"),
    shape("three numbers in a line", f"{_FORMATTED}\n" + _loop("write (u, '(3es24.16)') x(i)"), "HR201"),
    shape("text around numbers", f"{_FORMATTED}\n" + _loop("write (u, '(1x, 2(es24.16))') x(i)"), "HR201"),
    shape(
        "a format with a label", f"{_FORMATTED}\n" + _loop("write (u, 100) x(i)") + "\n100 format (es24.16)", "HR201"
    ),
    shape(
        "parts of a line",
        f"{_FORMATTED}\ndo j = 1, n/10\n{_loop(PART, '1, 10')}\nwrite (u, *)\nend do",
        "HR201",
    ),
    shape(
        "text where more text was",
        f"{_FORMATTED}\nwrite (u, '(es24.16)') x\nclose (u)",
        "HR201",
        "0" * 8_000_000,
        True,
    ),
    shape("numbers under a condition", f"{_FORMATTED}\nif (x(1) > 2) write (u, *) x\nwrite (u, *) y", "HR203"),
    shape(
        "big-endian",
        f"{_open(_BIG_ENDIAN)}\ndo step = 1, 60\nwrite (u) x\nend do\nclose (u)",
        "HR408",
        TEXT,
    ),
    shape(
        "big-endian at the end",
        _open(f"{_BIG_ENDIAN}, position='append'") + "\nwrite (u) (x, step = 1, 60)",
        "",
        ELEMENTS,
    ),
)

SHAPES = (*_REOPENED, *_FLUSHED, *_LOOPS, *_TEXTS)

_HEAD = """\
program shapes
   implicit none
   interface
      subroutine c_exit(code) bind(c, name='_exit')
         use, intrinsic :: iso_c_binding, only: c_int
         integer(c_int), value :: code
      end subroutine c_exit
   end interface
   integer, parameter :: n = 120000
   integer :: i, j, k, u, ios, step
   real(8) :: x(n), y(n), a(10, n/10)
   real(8), allocatable :: values(:)
   character(12) :: word, name
   logical :: there
   x = [(sqrt(real(i, 8)), i = 1, n)]
   y = 0
   a = reshape(x, [10, n/10])
   call get_command_argument(1, word)
   read (word, *) k
   select case (k)
"""
_TAIL = """\
end subroutine
subroutine begin(position)
   character(*), intent(in) :: position
   open (10, file='d.dat', position=position)
end subroutine begin
subroutine finish()
   close (10)
end subroutine finish
end program shapes
"""


def source(bodies: list[list[str]]) -> tuple[str, list[int]]:
    """A program that does what the number in its command line says; the line before the first of each."""
    calls = "".join(f"   case ({number})\n      call shape_{number}()\n" for number in range(len(bodies)))
    text, starts = f"{_HEAD}{calls}   end select\ncontains\n", []
    for number, body in enumerate(bodies):
        text += "end subroutine\n" * bool(number) + f"subroutine shape_{number}()\n"
        starts.append(text.count("\n"))
        text += "".join(f"{line}\n" for line in body)
    return text + _TAIL, starts
