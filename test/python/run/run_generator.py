"""Random Fortran programs for the identity tests of `headrace run`: many cases in one program, chosen by an argument.

A case is a subroutine: a random sequence of statements over several units. Every status and every value that was read
goes to an unformatted stream on unit 98, so that it is compared, too. The same seed makes the same text.
"""

import random
from dataclasses import dataclass, field

STATEMENTS = (12, 45)
UNITS = (10, 11, 12, 13)
HEADER = """\
module notes
   use, intrinsic :: iso_c_binding
   implicit none
   type :: plain
      integer :: a = 3
      real(8) :: b = -2.5d0
      character(5) :: c = "it's"
   end type plain
   type :: speaking
      integer :: a = 8
      real(4) :: b = 0.1
   contains
      procedure :: written
      procedure :: got
      generic :: write (formatted) => written
      generic :: read (formatted) => got
   end type speaking
   interface
      subroutine c_exit_now(code) bind(c, name='_exit')
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_exit_now
   end interface
contains
subroutine note(stat, message)
   integer, intent(inout) :: stat
   character(*), intent(inout) :: message
   write (98) stat, message
   stat = 0
   message = ' '
end subroutine note
integer function squared(n, unit)
   integer, intent(in) :: n, unit
   write (unit, '(a,i0)') 'asked for ', n
   squared = n * n
end function squared
! No 1X: gfortran 12 leaves a byte there that nobody set, in a child statement.
subroutine written(dtv, unit, iotype, v_list, iostat, iomsg)
   class(speaking), intent(in) :: dtv
   integer, intent(in) :: unit, v_list(:)
   character(*), intent(in) :: iotype
   integer, intent(out) :: iostat
   character(*), intent(inout) :: iomsg
   write (unit, '(a,a,i0)', iostat=iostat, iomsg=iomsg) iotype, ':', size(v_list)
   if (iostat == 0) write (unit, '(i7,es12.4)', iostat=iostat, iomsg=iomsg) dtv%a, dtv%b
end subroutine written
subroutine got(dtv, unit, iotype, v_list, iostat, iomsg)
   class(speaking), intent(inout) :: dtv
   integer, intent(in) :: unit, v_list(:)
   character(*), intent(in) :: iotype
   integer, intent(out) :: iostat
   character(*), intent(inout) :: iomsg
   if (size(v_list) > 9 .or. len(iotype) < 2) error stop 'a child READ like no other'
   read (unit, '(i3)', iostat=iostat, iomsg=iomsg) dtv%a
end subroutine got
end module notes
"""
# What every case has: values that are hard to write are among them.
DECLARATIONS = """\
   integer :: i, j, k, n(9), stat, size
   integer(8) :: d(5), place
   integer(1) :: tiny_one
   integer(2) :: small_one
   real(8) :: x(12), m(3, 4)
   real(4) :: y(7)
   complex(8) :: z(3)
   logical :: l(4), there
   character(11) :: t, words(3)
   character(60) :: text, lines(2), message
   character(160) :: form
   type(plain) :: p, pair(2)
   type(speaking) :: o
   namelist /group/ n, x, t, l, p
   namelist /few/ i, y, words
   j = 0
   k = 0
   size = 0
   place = 0
   there = .false.
   stat = 0
   message = ' '
   n = [0, 1, -1, 12345, -99999, huge(1), -huge(1), 7, 42]
   d = [0_8, -1_8, huge(1_8), 1234567890123_8, -5_8]
   tiny_one = -128_8
   small_one = 321
   x = [0d0, -0d0, 1d0, -1.5d0, 0.1d0, 1d100, -1d-100, 123456.789d0, 9.9999999d0, 2.5d0, tiny(1d0), 5d-1]
   x(mod({case}, 12) + 1) = transfer({bits}_8, 1d0)
   m = reshape(x, [3, 4]) * {factor}d0
   y = [0.0, 1.0, -2.5, 1e30, 1e-30, 3.14159, 99999.5]
   z = cmplx(x(3:5), -x(6:8), 8)
   l = [.true., .false., .true., .true.]
   words = ['alpha      ', 'it''s "b"   ', '           ']
   t = 'text'
   text = 'sixty'
   lines = 'line'
   form = ' '
"""


@dataclass
class State:
    """What is known of a unit while a case is written."""

    form: str = "sequential"  # or stream, direct
    is_utf8: bool = False
    is_behind_records: bool = False  # the last statement wrote: gfortran 12 hangs in some list-directed READs there
    # Behind ENDFILE, and OPEN with POSITION=, gfortran then writes at the end of what it had read ahead.
    was_read: bool = False


@dataclass
class Maker:
    """Makes the statements of one case."""

    random: random.Random
    lines: list[str] = field(default_factory=list)
    units: dict[int, State] = field(default_factory=dict)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def pick(self, *these: str) -> str:
        return self.random.choice(these)

    def below(self, n: int) -> int:
        return self.random.randrange(n)

    # Formats. Some do not fit their items: errors, which have to be the same.

    def edit(self, kind: str) -> str:
        digits = self.below(18)
        width = 0 if self.chance(8) else digits + self.below(12) + 1
        if self.chance(60):
            kind = "text"  # takes any type; what takes none leaves stale bytes of the run time in the record
        if self.chance(15):
            return self.pick("g0", f"g{max(width, 8)}.{digits}")
        if kind == "integer":
            least = f".{self.below(6)}" if self.chance(4) else ""
            return self.pick("i", "i", "i", "z", "o", "b") + f"{self.pick('0', '3', '8', '12', '20')}{least}"
        if kind == "logical":
            return "l" + self.pick("1", "2", "7")
        if kind == "text":
            return "a" + self.pick("", "1", "5", "14")
        letter = self.pick("f", "f", "e", "es", "en", "d", "g")
        if letter != "f" and width == 0:
            width = digits + 8
        exponent = f"e{self.pick('2', '3', '4')}" if letter in ("e", "es", "g") and self.chance(4) else ""
        return f"{letter}{width}.{digits}{exponent}"

    def format_for(self, kinds: list[str]) -> str:
        parts: list[str] = []
        for kind in kinds:
            if self.chance(4):
                parts.append(self.control())
            parts.append(self.edit(kind))
        if len(parts) > 2 and self.chance(4):
            at = self.below(len(parts) - 1)
            parts[at:] = [f"{self.pick('', '2', '3')}({','.join(parts[at:])})"]
        if self.chance(5):
            parts.append(self.control())
        made = "(" + ",".join(parts) + ")"
        return made if len(made) < 140 else "(" + self.edit(kinds[0]) + ")"

    def control(self) -> str:
        return self.pick(
            *("1x", "3x", "/", "2/", ":", "sp", "ss", "s", "1p", "0p", "-1p", "bn", "bz", "dc", "dp", "ru", "rd", "rz"),
            *("rn", "t5", "t20", "tl2", "tr3", "'lit'", "'it''''s'", '"q"', "3habc", "','"),
        )

    # Items: a text and its kind.

    def item(self, unit: int) -> tuple[str, str]:
        def index(n: int) -> str:
            return str(1 + self.below(n))

        choice = self.below(17)
        plain = {
            0: ("n(" + index(9) + ")", "integer"),
            1: ("d(" + index(5) + ")", "integer"),
            2: ("x(" + index(12) + ")", "real"),
            3: ("y(" + index(7) + ")", "real"),
            4: ("l(" + index(4) + ")", "logical"),
            5: ("words(" + index(3) + ")", "text"),
            6: (self.pick("x", "x(::3)", "x(12:1:-5)", "x(3:2)", "x(2:8)"), "real"),
            7: (self.pick("n", "n(::2)", "n(9:4:-1)", "d"), "integer"),
            8: (self.pick("m", "m(2, :)", "m(::2, 4:1:-3)", "m(:, 2)"), "real"),
            9: (self.pick("z(1)", "z"), "real"),
            10: (f"(x(j), j = 1, {self.below(5)})", "real"),
            11: (f"(n(j), j = {self.below(9) + 1}, 1, -2)", "integer"),
            12: (self.pick("trim(words(1))", "t", "t(2:3)", "t(:0)", "words"), "text"),
            13: (self.pick("i", "tiny_one", "small_one", "i * 3 - 5"), "integer"),
            14: (self.pick("x(1) + i", "real(i) / 7", "sqrt(2d0) * i"), "real"),
            15: ("(n(j), x(j), j = 1, 3)", "real"),
            16: (self.pick("p", "pair", "pair(2:1:-1)%b", "pair%a"), "real"),
        }
        if self.chance(40):
            return f"squared(i, {UNITS[-1] + 1})", "integer"
        return plain[choice]

    def items(self, unit: int) -> tuple[str, list[str]]:
        chosen = [self.item(unit) for _ in range(1 + self.below(5) if not self.chance(12) else self.below(2))]
        return ", ".join(text for text, _ in chosen), [kind for _, kind in chosen] or ["integer"]

    # Statements.

    def add(self, text: str) -> None:
        self.lines.append("   " + text)

    def status(self) -> str:
        """Few statements stop the program at an error, so that the rest of a case is not lost."""
        return "" if self.chance(60) else ", iostat=stat, iomsg=message"

    def noted(self, text: str) -> None:
        self.add(text)
        self.add("call note(stat, message)")

    def open_unit(self, unit: int) -> None:
        form = self.pick("sequential", "sequential", "sequential", "sequential", "stream", "direct")
        # A file that another unit may have is an error, which has to be the same.
        options = [f"{unit}", f"file='f{self.random.choice(UNITS) if self.chance(15) else unit}.txt'"]
        if form == "stream":
            options.append("access='stream', form='formatted'")
        if form == "direct":
            options.append(f"access='direct', form='formatted', recl={self.pick('20', '80', '300')}")
        if form == "sequential" and self.chance(3):
            options.append(f"position='{self.pick('append', 'rewind', 'asis')}'")
        if form == "sequential" and self.chance(12):
            options.append(f"recl={self.pick('40', '132', '2000')}")
        for name, values in (
            ("delim", ("quote", "apostrophe", "none")),
            ("sign", ("plus", "suppress")),
            ("decimal", ("comma", "point")),
            ("round", ("up", "zero", "nearest")),
            ("blank", ("zero", "null")),
            ("pad", ("no", "yes")),
            ("encoding", ("utf-8", "default")),
            ("status", ("replace", "old", "new", "unknown")),
            ("action", ("read", "write", "readwrite")),
        ):
            if self.chance(10):
                options.append(f"{name}='{self.pick(*values)}'")
        # An OPEN of a unit that has the file already leaves its encoding as it is.
        was_utf8 = self.units.get(unit, State()).is_utf8
        if unit in self.units and self.units[unit].was_read and any("position=" in option for option in options):
            self.noted(f"rewind ({unit}, iostat=stat, iomsg=message)")
        self.units[unit] = State(form, is_utf8=was_utf8 or "encoding='utf-8'" in options)
        self.noted(f"open ({', '.join(options)}, iostat=stat, iomsg=message)")

    def control_list(self, unit: int, reading: bool) -> str:
        state = self.units.setdefault(unit, State())
        words = ""
        state.is_behind_records = not reading
        if state.form == "direct":
            words += f", rec={1 + self.below(12)}"
        elif state.form == "stream" and self.chance(6):
            words += ", pos=1" if self.chance(2) else f", pos={1 + self.below(60)}"
        elif self.chance(9):
            words += f", advance='{self.pick('no', 'no', 'yes')}'"
        return words + self.status()

    def times(self, statement: str) -> None:
        """A statement once, or in a loop: sites that are met often are taken over in another way."""
        if self.chance(2):
            self.noted(statement)
            return
        self.add(f"do i = 1, {self.pick('3', '20', '60', '400')}")
        self.lines.append("      " + statement)
        self.add("end do")
        self.add("call note(stat, message)")

    def write(self, unit: int) -> None:
        listed, kinds = self.items(unit)
        control = self.control_list(unit, False)
        if self.units[unit].form != "direct" and "advance" not in control and self.chance(3):
            self.times(f"write ({unit}, *{control}) {listed}")
            return
        form = self.format_for(kinds)
        self.add(f"form = {quoted(form)}")
        self.times(f"write ({unit}, form{control}) {listed}")

    def constant_write(self, unit: int) -> None:
        """The compiler looks at these formats, so they fit."""
        form, listed = self.random.choice(CONSTANTS)
        if self.units.setdefault(unit, State()).form == "direct":
            return self.write(unit)
        self.units[unit].is_behind_records = True
        self.times(f"write ({unit}, '{form}'{self.status()}) {listed}")
        return None

    def read(self, unit: int) -> None:
        values = ("n(1:3)", "x(1:4)", "n(4), x(5), t", "words(1:2)", "l(1:2)", "y(1), n(2)", "z(1)", "t", "")
        variables = self.pick(*values)
        if self.units.setdefault(unit, State()).is_behind_records:
            self.noted(f"{self.pick('rewind', 'rewind', 'backspace')} ({unit}, iostat=stat, iomsg=message)")
        control = self.control_list(unit, True).replace("advance='yes'", "advance='no'")
        if ", iostat" not in control:
            control += ", iostat=stat, iomsg=message"
        self.units[unit].was_read = True
        if self.units[unit].form != "direct" and "advance" not in control and self.chance(2):
            statement = f"read ({unit}, *{control}) {variables}"
        else:
            form = self.pick("(a)", "(3i6)", "(f10.3)", "(i5,f8.2,a)", "(2x,a4,t1,i3)", "(l4,g10.2)")
            self.add(f"form = {quoted(form)}")
            statement = f"read ({unit}, form{control}) {variables}"
        if self.chance(3):
            self.add(f"do i = 1, {self.pick('2', '9', '40')}")
            self.lines.append("      " + statement)
            self.add("end do")
        else:
            self.add(statement)
        self.add("call note(stat, message)")
        self.add("write (98) n, x, y, z, l, t, words")

    def internal(self) -> None:
        unit = self.pick("t", "text", "lines", "text(5:20)", "words")
        listed, kinds = self.items(0)
        if "squared" in listed:
            listed = "i"
        if self.chance(2):
            self.times(f"write ({unit}, *, iostat=stat, iomsg=message) {listed}")
        else:
            self.add(f"form = {quoted(self.format_for(kinds))}")
            self.times(f"write ({unit}, form, iostat=stat, iomsg=message) {listed}")
        if self.chance(2):
            self.noted(f"read ({unit}, *, iostat=stat, iomsg=message) {self.pick('n(1)', 'x(1)', 'n(2), x(2)')}")
        self.add("write (98) t, text, lines, words, n, x")

    def namelist(self, unit: int) -> None:
        """Groups, also those of other statements, and texts that are no group."""
        group = self.pick("group", "few")
        if self.units.setdefault(unit, State()).is_utf8:
            return self.write(unit)  # gfortran 12 takes the characters of a namelist for wide ones there
        if self.chance(3):
            self.add("lines(1) = '&few i = 3, y(2) = 1e3,, -4'")
            self.add("lines(2) = ' words(2) = \"ab\" /'")
            self.noted("read (lines, nml=few, iostat=stat, iomsg=message)")
        elif self.units.setdefault(unit, State()).form == "direct" or self.chance(2):
            self.noted(f"write ({unit}, nml={group}{self.status()})")
            self.units[unit].is_behind_records = True
        else:
            if self.units[unit].is_behind_records:
                self.noted(f"rewind ({unit}, iostat=stat, iomsg=message)")
            self.noted(f"read ({unit}, nml={group}, iostat=stat, iomsg=message)")
            self.units[unit].is_behind_records = False
        self.add("write (98) i, n, x, y, l, t, words, p%a, p%b, p%c")
        return None

    def derived(self, unit: int) -> None:
        """Items whose own procedures write and read them, with others before and behind."""
        if self.units.setdefault(unit, State()).form == "direct":
            return self.write(unit)
        control = self.status() or ", iostat=stat"
        if self.chance(4) and not self.units[unit].is_behind_records:
            self.noted(f"read ({unit}, {self.pick('*', quoted('(dt,i4)'))}, iostat=stat, iomsg=message) o, k")
            self.add("write (98) o%a, o%b, k")
            return None
        self.units[unit].is_behind_records = True
        form = self.pick(
            "*", quoted("(i4,dt,f8.2)"), quoted('(i2,dt"two"(1,2),es12.3)'), quoted("(3(i3,1x,dt,1x,f5.1))")
        )
        self.times(f"write ({unit}, {form}{control}) i, o, x(4)")
        return None

    def partial(self, unit: int) -> None:
        """A record in pieces, with what else may happen between them."""
        if self.units.setdefault(unit, State()).form == "direct":
            return self.write(unit)
        self.units[unit].is_behind_records = True
        stat = "iostat=stat, iomsg=message"
        self.add(f"do i = 1, {self.pick('3', '20', '90')}")
        self.lines.append(f"      write ({unit}, '(a,i0)', advance='no', {stat}) ' piece ', i")
        if self.chance(3):
            between = self.pick(
                f"flush ({unit})", f"write ({unit}, *, {stat}) x(i - i / 13 * 13 + 1)", "print '(i0)', i"
            )
            self.lines.append(f"      if (mod(i, {self.pick('2', '7')}) == 0) {between}")
        self.lines.append(f"      if (mod(i, {self.pick('4', '11')}) == 0) write ({unit}, '()', {stat})")
        self.add("end do")
        self.add("call note(stat, message)")
        if self.chance(2):
            self.noted(f"rewind ({unit}, {stat})")
            self.noted(f"read ({unit}, '(a)', advance='no', size=size, {stat}) text")
            self.noted(f"read ({unit}, '(i3,f6.1)', advance='no', size=size, {stat}) k, x(2)")
            self.add("write (98) text, size, k, x(2)")
            self.units[unit].is_behind_records = False
            self.units[unit].was_read = True
        return None

    def file_statement(self, unit: int) -> None:
        word = self.pick("rewind", "rewind", "backspace", "backspace", "endfile", "flush", "flush", "close")
        self.noted(f"{word} ({unit}, iostat=stat, iomsg=message)")
        if word == "endfile" and unit in self.units and self.units[unit].was_read:
            self.noted(f"rewind ({unit}, iostat=stat, iomsg=message)")
        if word == "close":
            self.units.pop(unit, None)

    def inquire(self, unit: int) -> None:
        by = f"{unit}" if self.chance(2) else f"file='f{unit}.txt'"
        self.add("size = -7; k = -7; place = -7; there = .false.; text = ' '")
        # Without POS=: of a file that is no stream gfortran gives what no one can use, bytes of the last statements.
        asked = self.pick(
            "opened=l(1)", "number=n(1)", "recl=n(2)", "named=l(2)", "delim=t", "action=t", "pending=l(3)", "pad=t"
        )
        self.noted(
            f"inquire ({by}, exist=there, size=size, nextrec=k, position=text, {asked}, iostat=stat, iomsg=message)"
        )
        self.add("write (98) there, size, k, place, text, t, l, n(1:2)")

    def standard_output(self) -> None:
        listed, _ = self.items(6)
        self.times(f"print *, {listed or 'i'}" if self.chance(2) else f"write (6, *) {listed}")
        if self.chance(4):
            self.add("flush (6)")

    def ending(self) -> None:
        exits = ("stop 3", "error stop 4", "call exit(5)", "call c_exit_now(6_c_int)")
        self.add(self.pick("return", "return", "stop", *exits))

    def statement(self) -> None:
        unit = self.random.choice(UNITS)
        choice = self.below(45)
        if choice >= 43:
            self.partial(unit)
        elif choice == 42:
            self.derived(unit)
        elif choice >= 40:
            self.namelist(unit)
        elif choice < 14:
            self.write(unit)
        elif choice < 18:
            self.constant_write(unit)
        elif choice < 24:
            self.read(unit)
        elif choice < 29:
            self.file_statement(unit)
        elif choice < 33:
            self.internal()
        elif choice < 35:
            self.inquire(unit)
        elif choice < 37:
            self.standard_output()
        else:
            self.open_unit(unit)


CONSTANTS = [
    ("(10e15.5)", "x"),
    ("(3es24.16e3)", "x(1:9)"),
    ("(es22.14)", "x(4)"),
    ("(i8,5f12.5)", "i, x(1:5)"),
    ("(a,i8,a,f12.6,a,es12.4)", "'step', i, 'at', x(8), 'of', x(9)"),
    ('(*(g0,:,","))', "i, x(2:4), trim(t)"),
    ("(i0)", "n"),
    ("(a)", "words"),
    ("(f8.3,2(1x,f6.2))", "y(1:6)"),
    ("(1p,4e14.6)", "m"),
    ("(t3,i5,t20,a)", "i, t"),
    ('(2(i6,f9.3),"end")', "(n(j), x(j), j = 1, 2)"),
]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def program(seed: int, cases: int) -> str:
    """The text of a program with that many cases; case 1 to `cases` is its argument."""
    bodies, calls = [], []
    for case in range(1, cases + 1):
        bodies.append(one_case(seed, case))
        calls.append(f"   case ({case}); call case_{case}()")
    selection = "\n".join(calls)
    return (
        HEADER
        + "program generated\n   use notes\n   implicit none\n   integer :: which\n   character(12) :: argument\n"
        + "   call get_command_argument(1, argument)\n   read (argument, '(i12)') which\n"
        + "   open (98, file='notes', access='stream', form='unformatted')\n"
        + f"   open ({UNITS[-1] + 1}, file='asked.txt')\n"
        + f"   select case (which)\n{selection}\n   end select\ncontains\n"
        + "".join(bodies)
        + "end program generated\n"
    )


def one_case(seed: int, case: int) -> str:
    maker = Maker(random.Random(f"{seed} {case}"))
    for unit in UNITS[:3]:
        maker.open_unit(unit)
    for _ in range(maker.random.randint(*STATEMENTS)):
        maker.statement()
    maker.ending()
    made = DECLARATIONS.format(
        case=case, bits=maker.random.getrandbits(63) - (1 << 62), factor=maker.pick("1", "-3.7", "0.001", "100000")
    )
    # Lines of free source may be long, but not longer than 132.
    body = "\n".join(folded(line) for line in maker.lines)
    return f"subroutine case_{case}()\n{made}   i = 1\n{body}\nend subroutine case_{case}\n"


def folded(line: str) -> str:
    """Continued within literals, too, as Fortran may."""
    pieces = [line[begin : begin + 110] for begin in range(0, len(line), 110)]
    return "&\n&".join(pieces)
