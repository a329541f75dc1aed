"""Reads a shell script with tree-sitter's grammar of bash, and walks through it as bash would. Next: script.py.

Functions are walked through where they are called. Both branches of an `if` and one pass of a loop are. Variables are
replaced by what the script last gave them; others stay as ${NAME}.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.errors import HeadraceError
from headrace.job_scripts.script import Assignment, Command, Document, Event, Loop, Redirect, Script, Unset
from headrace.later import later

if TYPE_CHECKING:
    import tree_sitter
    import tree_sitter_bash
    from tree_sitter import Node
else:
    tree_sitter = later("tree_sitter")
    tree_sitter_bash = later("tree_sitter_bash")

_DEEPEST = 8  # calls of functions within functions
_LONGEST = 1 << 16  # characters of a value that is kept
_MOST = 20_000  # steps
_LOOPS = {"for_statement": "for", "while_statement": "while", "c_style_for_statement": "count"}
_EXPORTS = {"export", "declare", "typeset", "local", "readonly"}
_STARTERS = {"time", "exec", "command", "nohup", "eval", "env", "stdbuf", "nice", "timeout", "numactl", "taskset"}
_VALUED = {"timeout": 1, "stdbuf": 0, "nice": 0, "numactl": 0, "taskset": 0}  # words of their own before the command


def parse(text: str) -> "Node":
    """The tree of a script."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    return parser.parse(text.encode()).root_node


def read(path: Path, text: str, start: str = "") -> Script:
    """Everything that a script does. `start`: the directory that it starts in."""
    script = Script(path, text.splitlines())
    walk = _Walk(script, cwd=start)
    root = parse(text)
    try:
        walk.collect_functions(root)
        walk.children(root)
        walk.at_the_end()
    except RecursionError as error:
        raise HeadraceError(f"{path}: its commands are nested too deeply", "expected a job script") from error
    return script


def joined(directory: str, path: str) -> str:
    """A path, seen from a directory; names with variables are kept as they are."""
    alone = path.startswith(("/", "~", "${")) or not directory
    whole = path if alone else f"{directory.rstrip('/')}/{path}"
    parts: list[str] = []
    for part in whole.split("/"):
        if part == ".." and parts and parts[-1] not in ("", "..") and not parts[-1].startswith("${"):
            parts.pop()
        elif part not in (".", "") or (not parts and whole.startswith("/")):
            parts.append(part)
    return "/".join(parts) or ("/" if whole.startswith("/") else "")


@dataclass
class _Walk:
    script: Script
    cwd: str = ""
    values: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    functions: dict[str, "Node"] = field(default_factory=dict)
    called: list[str] = field(default_factory=list)
    loops: tuple[Loop, ...] = ()
    all_exported: bool = False
    pipe: tuple[bool, bool] = (False, False)
    traps: list[str] = field(default_factory=list)
    previous: str = ""

    def collect_functions(self, node: "Node") -> None:
        for child in node.named_children:
            if child.type == "function_definition":
                name, body = child.child_by_field_name("name"), child.child_by_field_name("body")
                if name is not None and body is not None:
                    self.functions[_text(name)] = body
            self.collect_functions(child)

    def at_the_end(self) -> None:
        """What `trap` has left for the exit."""
        for trap in self.traps:
            if trap in self.functions:
                self._call(trap)
            else:
                self.children(parse(trap))

    def children(self, node: "Node") -> None:
        for child in node.named_children:
            self.node(child)

    def node(self, node: "Node", redirects: tuple["Node", ...] = ()) -> None:
        kind = node.type
        if kind in ("command", "declaration_command", "unset_command", "variable_assignment", "test_command"):
            self._substitutions(node)
        if kind == "command":
            self._command(node, redirects)
        elif kind == "variable_assignment":
            self._assign(node, self.all_exported)
        elif kind == "declaration_command":
            self._declare(node)
        elif kind == "unset_command":
            for name in node.named_children:
                self._add(Unset(_line(node), *self._place(), _text(name)))
                self.values.pop(_text(name), None)
        elif kind == "redirected_statement":
            self._redirected(node)
        elif kind == "pipeline":
            self._pipeline(node)
        elif kind in _LOOPS:
            self._loop(node)
        elif kind == "subshell":
            with self._own_directory():
                self.children(node)
        elif kind not in ("function_definition", "comment", "test_command"):
            self.children(node)

    def _place(self) -> tuple[int, tuple[Loop, ...], str]:
        return len(self.script.events), self.loops, self.cwd

    def _add(self, event: Event) -> None:
        if len(self.script.events) >= _MOST:
            hint = "expected a job script; what is made by a program may be too large"
            raise HeadraceError(f"{self.script.path}, line {event.line}: more than {_MOST:,} steps", hint)
        self.script.events.append(event)

    @contextmanager
    def _own_directory(self) -> Iterator[None]:
        cwd, previous = self.cwd, self.previous
        yield
        self.cwd, self.previous = cwd, previous

    def _substitutions(self, node: "Node") -> None:
        """Commands in $(...) run first."""
        for child in node.named_children:
            if child.type in ("command_substitution", "process_substitution"):
                with self._own_directory():
                    self.children(child)
            elif child.type != "variable_assignment" or node.type != "declaration_command":
                self._substitutions(child)

    def _redirected(self, node: "Node") -> None:
        body = node.child_by_field_name("body")
        if body is None:
            self.children(node)
            return
        redirects = tuple(child for child in node.named_children if child.type.endswith("_redirect"))
        if body.type in ("list", "pipeline"):  # they belong to its last command
            *first, last = body.named_children
            for child in first:
                self.node(child)
            self.node(last, redirects)
        else:
            self.node(body, redirects)
        for redirect in redirects:  # `cmd <<EOF | other`: the rest of the line hangs below the here-document
            for child in redirect.named_children:
                if child.type in ("pipeline", "command", "list"):
                    self.node(child)

    def _pipeline(self, node: "Node") -> None:
        parts = [child for child in node.named_children if child.type != "comment"]
        before = self.pipe
        for number, child in enumerate(parts):
            self.pipe = (number + 1 < len(parts), number > 0)
            self.node(child)
        self.pipe = before

    def _loop(self, node: "Node") -> None:
        body = node.child_by_field_name("body")
        kind = _LOOPS[node.type]
        words: list[str] = []
        if kind == "for":
            self._substitutions(node)
            variable = node.child_by_field_name("variable")
            for child in node.named_children:
                if child not in (body, variable):
                    words += self.words_of(child)
            if variable is not None:
                self.values.pop(_text(variable), None)
        elif kind == "while" and (condition := node.child_by_field_name("condition")) is not None:
            self.node(condition)
        self.loops = (*self.loops, Loop(_line(node), tuple(words), kind))
        if body is not None:
            self.children(body)
        self.loops = self.loops[:-1]

    def _declare(self, node: "Node") -> None:
        word = _text(node.children[0])
        flags = [_text(child) for child in node.named_children if child.type == "word" and _text(child)[:1] in "-+"]
        exports = word == "export" or (word in _EXPORTS and any("x" in flag for flag in flags if flag[0] == "-"))
        takes_back = any(flag.startswith("-") and "n" in flag for flag in flags) and word == "export"
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._substitutions(child)
                self._assign(child, exports or self.all_exported)
            elif child.type in ("variable_name", "simple_expansion", "string", "word") and _text(child)[:1] not in "-+":
                self._name_alone("".join(self.words_of(child)), exports, takes_back, _line(child))

    def _name_alone(self, name: str, exports: bool, takes_back: bool, line: int) -> None:
        if takes_back:
            self._add(Unset(line, *self._place(), name))
        elif exports and "=" in name:  # export "NAME=value"
            name, _, value = name.partition("=")
            self.values[name] = value
            self._add(Assignment(line, *self._place(), name, value, True))
        elif exports:
            self._add(Assignment(line, *self._place(), name, None, True))

    def _assign(self, node: "Node", exported: bool) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        called = _text(name)
        appends = any(child.type == "+=" for child in node.children)
        if value is not None and value.type == "array":
            items = tuple(word for child in value.named_children for word in self.words_of(child))
            self.arrays[called] = ((self.arrays.get(called, ()) if appends else ()) + items)[:_LONGEST]
            return
        text = "" if value is None else self.value_of(value)
        if appends:
            text = self.values.get(called, f"${{{called}}}") + text
        own = f"${{{called}}}" in text  # PATH=$PATH:/x: not known
        if own or len(text) > _LONGEST:
            self.values.pop(called, None)
        else:
            self.values[called] = text
        self._add(Assignment(_line(node), *self._place(), called, text[:_LONGEST], exported))

    def _command(self, node: "Node", outer: tuple["Node", ...]) -> None:
        words, variables = [], {}
        own = tuple(child for child in node.named_children if child.type.endswith("_redirect"))
        for child in node.named_children:
            if child.type == "variable_assignment":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None:
                    variables[_text(name)] = "" if value is None else self.value_of(value)
            elif child not in own:
                words += self.words_of(child.named_children[0] if child.type == "command_name" else child)
        redirects, document = self._redirects((*own, *outer))
        words, more = _without_starters(words)
        raw = re.sub(r"\s*\\\n\s*", " ", _text(node))
        place, pipe = self._place(), self.pipe
        command = Command(_line(node), *place, tuple(words), variables | more, redirects, document, *pipe, raw)
        self._add(command)
        self._effects(command)

    def _redirects(self, nodes: tuple["Node", ...]) -> tuple[tuple[Redirect, ...], Document | None]:
        found: list[Redirect] = []
        document = None
        for node in nodes:
            if node.type == "heredoc_redirect":
                body = next((child for child in node.named_children if child.type == "heredoc_body"), None)
                document = Document(_line(body), _text(body)) if body is not None else None
                inner = tuple(child for child in node.named_children if child.type == "file_redirect")
                found += self._redirects(inner)[0]
            elif node.type == "file_redirect":
                target = node.child_by_field_name("destination")
                operator = next((_text(child) for child in node.children if not child.is_named), "")
                if target is not None:
                    found.append(Redirect(_line(node), operator, "".join(self.words_of(target))))
        return tuple(found), document

    def _effects(self, command: Command) -> None:
        """What the shell itself does: directories, options, functions, traps."""
        name, arguments = command.name, command.words[1:]
        if name in ("cd", "pushd") and not self.pipe[0]:
            where = next((word for word in arguments if word == "-" or not word.startswith("-")), "~")
            where = self.previous if where == "-" else joined(self.cwd, where)
            self.previous, self.cwd = self.cwd, where
        elif name == "popd":
            self.cwd, self.previous = self.previous, self.cwd
        elif name == "set":
            on = [word for word in arguments if re.fullmatch(r"-[a-zA-Z]*a[a-zA-Z]*", word)]
            self.all_exported |= bool(on) or ("-o" in arguments and "allexport" in arguments)
            if "+a" in arguments or ("+o" in arguments and "allexport" in arguments):
                self.all_exported = False
        elif name == "trap" and len(arguments) > 1 and arguments[0] not in ("-", ""):
            self.traps.append(arguments[0])
        elif name in self.functions:
            self._call(name)

    def _call(self, name: str) -> None:
        if name not in self.called and len(self.called) < _DEEPEST:
            self.called.append(name)
            self.node(self.functions[name])
            self.called.pop()

    def value_of(self, node: "Node") -> str:
        """The text of an assigned value."""
        if node.type in ("simple_expansion", "expansion"):  # not split at blanks
            return self._expanded(node)
        return " ".join(self.words_of(node))

    def words_of(self, node: "Node") -> list[str]:
        """The words that an argument becomes: one, but for arrays, and for variables without quotes."""
        kind = node.type
        if kind == "raw_string":
            return [_text(node)[1:-1]]
        if kind == "ansi_c_string":
            return [_text(node)[2:-1]]
        if kind in ("string", "translated_string"):
            whole = self._array(node)
            return list(whole) if whole is not None else [self._pieces(node).removeprefix('"').removesuffix('"')]
        if kind == "concatenation":
            return ["".join(self.value_of(child) for child in node.named_children)]
        if kind in ("simple_expansion", "expansion"):
            whole = self._array(node)
            return list(whole) if whole is not None else _split(self._expanded(node))
        return [re.sub(r"\\\n", "", _text(node)) if "\\\n" in _text(node) else _unescaped(_text(node))]

    def _pieces(self, node: "Node") -> str:
        """The text of a string in double quotes."""
        source, at, out = node.text or b"", node.start_byte, b""
        for child in node.named_children:
            if child.type == "string_content":
                continue
            out += source[at - node.start_byte : child.start_byte - node.start_byte]
            if child.type in ("simple_expansion", "expansion"):
                out += self._expanded(child).encode()
            else:
                out += child.text or b""
            at = child.end_byte
            if len(out) > _LONGEST:
                break
        return (out + source[at - node.start_byte :]).decode(errors="replace").replace("\\\n", "").replace('\\"', '"')

    def _expanded(self, node: "Node") -> str:
        names = [child for child in node.named_children if child.type in ("variable_name", "special_variable_name")]
        if not names:
            return _text(node)
        name = _text(names[0])
        plain = len([child for child in node.children if child.type not in ("$", "${", "}")]) == 1
        if not plain:  # ${NAME:-other} and the like
            default = re.fullmatch(r"\$\{\w+:?-(.*)\}", _text(node), re.DOTALL)
            return self.values.get(name) or (f"${{{name}}}" if default else _text(node))
        return self.values.get(name, f"${{{name}}}")

    def _array(self, node: "Node") -> tuple[str, ...] | None:
        """The items of "${NAME[@]}", if the script has set them."""
        match = re.fullmatch(r'"?\$\{(\w+)\[[@*]\]\}"?', _text(node))
        return self.arrays.get(match.group(1)) if match else None


def _without_starters(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """`time env A=1 nice mpirun ...` is mpirun with A=1."""
    variables: dict[str, str] = {}
    while words and words[0].rsplit("/", 1)[-1] in _STARTERS and len(words) > 1:
        starter = words[0].rsplit("/", 1)[-1]
        rest = words[1:]
        if starter == "eval":
            rest = " ".join(rest).split()
        while rest and rest[0].startswith("-"):
            rest = rest[1:]
        rest = rest[_VALUED.get(starter, 0) :]
        while starter == "env" and rest and re.match(r"[A-Za-z_]\w*=", rest[0]):
            name, _, variables[name] = rest[0].partition("=")
            rest = rest[1:]
        if not rest:
            break
        words = rest
    return words, variables


def _split(value: str) -> list[str]:
    """At blanks, unless they are those of a command whose output is not known."""
    return [value] if "$(" in value or "`" in value else value.split()


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _text(node: "Node | None") -> str:
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def _line(node: "Node") -> int:
    return int(node.start_point[0]) + 1
