"""A monoid as four Python functions over a dataclass, in the user's own names; of a loop that keeps
running values also one that goes on from what came before."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from textwrap import indent

from auditor.algebra.choices import decided, truth
from auditor.algebra.monoid import Field, Part
from auditor.derive.around import free_in
from auditor.derive.expression import source
from auditor.derive.fold import Fold
from auditor.derive.found import Derived
from auditor.derive.nested_entries import pairs_of
from auditor.derive.scopes import local_names, stored_names
from auditor.lift.call_effects import GROWS
from auditor.notation import FALSE, TRUE, Apply, Const, Read, Term, Value, transform, walk
from auditor.tree import everything_in

_STEP = "    "


class Functions:
    """The source of ``State``, ``init``, ``update``, ``combine`` and ``finish`` of one loop, or of
    a ``part`` of it, which is named in what they are called."""

    def __init__(self, derived: Derived, part: str | None = None) -> None:
        self.part = part
        self.derived, self.fold, self.monoid = derived, derived.fold, derived.monoid
        self.keyed, self.running = derived.fold.keyed, derived.fold.running
        self.fields = self.monoid.fields
        self.starts = self._starts()
        taken = {*self.fold.names, *self.fold.parameters, *self.starts, *self.fold.live}
        self.state = "state" if "state" not in taken else "summary"
        self.begun = [name for name in self.starts if name in self.fold.starts]
        self.parameters = list(self.fold.parameters)
        given = [name for name in self.starts if name not in self.begun]
        self.finishing = [*self._read_by_finish(), *given]

    # -- what is asked for

    def text(self) -> str:
        """All of it."""
        return "\n\n\n".join((self.state_class(), *self.functions()))

    def state_class(self) -> str:
        """The dataclass; of a container's loop it is one entry."""
        what = f"the entry `{self.keyed.name}[{self.keyed.key}]`" if self.keyed else "a piece"
        lines = ["@dataclass(frozen=True)", f"class {self._class}:",
                 f'    """What {what} leaves, whatever comes before it."""', ""]  # fmt: skip
        for field in self.fields:
            lines.append(f"    {field.name}: {_hint(field)}  # {field.meaning}")
        return "\n".join(lines)

    def functions(self) -> tuple[str, ...]:
        """The four functions; of a container also those of its entries."""
        if self.keyed is None:
            four = (self._init(self.called("init")), self._update(self.called("update")),
                    self._combine(self.called("combine")), self._finish())  # fmt: skip
            return (*four, self._outputs()) if self.running is not None else four
        return (
            self._init(self._of_entry("init")), self._update(self._of_entry("update")),
            self._combine(self._of_entry("combine")), *self._container(),
        )  # fmt: skip

    def called(self, function: str) -> str:
        """The name of a function of the loop, or of this part of it."""
        return function if self.part is None else f"{function}_{self.part}"

    def _of_entry(self, function: str) -> str:
        return f"{self.called(function)}_entry"

    @property
    def _class(self) -> str:
        own = "".join(word.capitalize() for word in (self.part or "").split("_"))
        if self.keyed:
            return f"{own}Entry"
        return own or "State"

    @property
    def state_type(self) -> str:
        return f"dict[Any, {self._class}]" if self.keyed else self._class

    @property
    def element(self) -> str:
        """The name of the element, where the loop's target is one."""
        return self.fold.target if self.fold.target.isidentifier() else "element"

    @property
    def update_options(self) -> list[str]:
        return list(self.fold.parameters)

    @property
    def finish_options(self) -> list[str]:
        return list(dict.fromkeys(self.finishing))

    @property
    def output_options(self) -> list[str]:
        """What the loop's own body takes from around it, where it goes on from carried values."""
        read = {n.id for s in self.fold.node.body for n in everything_in(s)
                if isinstance(n, ast.Name)}  # fmt: skip
        own = {*self.fold.live, *self.fold.names}
        local = local_names(self.fold.function)
        known = [name for name in sorted(read & local - own) if self._is_given(name)]
        return list(dict.fromkeys([*self.update_options, *known]))

    @property
    def options(self) -> list[str]:
        """All that the loop takes from around it, for its functions and for the loop itself."""
        more = self.output_options if self.running is not None else []
        return list(dict.fromkeys([*self.update_options, *self.finish_options, *more]))

    def _is_given(self, name: str) -> bool:
        """Whether the function gives a name and the loop leaves it alone."""
        return name != self.running and name not in stored_names(self.fold.node.body)

    # -- one function each

    def _init(self, name: str) -> str:
        made = self._made([f.identity for f in self.fields], source)
        return (
            f"def {name}() -> {self._class}:\n"
            f'    """The {"entry" if self.keyed else "state"} of no elements."""\n'
            f"{indent(made, _STEP)}"
        )

    def _update(self, name: str) -> str:
        spell = self._spelling({f.own: f"{self.state}.{f.name}" for f in self.fields})
        head = signature(
            name, [f"{self.state}: {self._class}", f"{self.element}: Any"], self.update_options,
            self._class,
        )  # fmt: skip
        lines = [head, f'{_STEP}"""The state after one more element."""']
        if self.element == "element":
            lines.append(f"{_STEP}{self.fold.target} = element")
        lines += [f"{_STEP}{line}" for text in self.fold.prepare for line in text.splitlines()]
        body = self._returned(list(self.monoid.update), spell)
        return "\n".join([*lines, indent(body, _STEP)])

    def _combine(self, name: str) -> str:
        sides = {f.own: f"left.{f.name}" for f in self.fields}
        sides |= {f.other: f"right.{f.name}" for f in self.fields}
        spell = self._spelling(sides)
        lines = [
            signature(name, [f"left: {self._class}", f"right: {self._class}"], [], self._class),
            f'{_STEP}"""The state of two pieces, the left one before the right one."""',
        ]
        guarded = [part for part in self.monoid.parts if part.guarded]
        if guarded and len(self.monoid.parts) == 1:
            empty = f"{self._of_entry('init') if self.keyed else self.called('init')}()"
            lines += [
                f"{_STEP}if right == {empty}:", f"{_STEP * 2}return left",
                f"{_STEP}if left == {empty}:", f"{_STEP * 2}return right",
            ]  # fmt: skip
            guarded = []
        if not guarded:
            body = self._returned(list(self.monoid.combine), spell)
            return "\n".join([*lines, indent(body, _STEP)])
        for part in self.monoid.parts:
            lines.append(indent(self._part(part, spell), _STEP))
        values = ", ".join(f"{f.name}={f.name}" for f in self.fields)
        lines.append(f"{_STEP}return {self._class}({values})")
        return "\n".join(lines)

    def _part(self, part: Part, spell: Callable[[Value], str]) -> str:
        """Some components as local names, beside others."""
        terms = [(f.name, t) for f, t in zip(part.fields, part.combine, strict=True)]
        plain = "\n".join(f"{name} = {source(term, spell)}" for name, term in terms)
        if not part.guarded:
            return plain
        names = ", ".join(f.name for f in part.fields)
        comma = "," if len(part.fields) == 1 else ""
        empty = ", ".join(source(f.identity) for f in part.fields)

        def side(name: str) -> str:
            return ", ".join(f"{name}.{f.name}" for f in part.fields)

        return (
            f"if ({side('right')}{comma}) == ({empty}{comma}):\n"
            f"    {names} = {side('left')}\n"
            f"elif ({side('left')}{comma}) == ({empty}{comma}):\n"
            f"    {names} = {side('right')}\n"
            f"else:\n{indent(plain, _STEP)}"
        )

    def _finish(self) -> str:
        spell = self._spelling({f.own: f"{self.state}.{f.name}" for f in self.fields})
        wanted = self._wanted()
        terms = {carry.name: term for carry, term in self.monoid.finish.items()}
        lines = [
            signature(
                self.called("finish"),
                [f"{self.state}: {self.state_type}"],
                self.finish_options,
                "Any",
            ),
            f'{_STEP}"""{self._finish_words()}"""',
            *(f"{_STEP}{name} = {self.fold.starts[name]}" for name in self.begun),
        ]
        if self.fold.answer is not None:
            answer = self.fold.answer
            kept = isinstance(answer, Read)
            value = source(terms["answer"], spell) if kept else source(answer)
            if isinstance(terms.get("answer"), Apply) and kept:
                value = source(_when_stopped(terms["answer"], terms["stopped"]), spell)
            lines.append(f"{_STEP}if {source(terms['stopped'], spell)}:")
            lines.append(f"{_STEP * 2}return {value}")
        names = [n for n in wanted if n in terms]
        texts = [source(terms[n], spell) for n in names]
        tail = self.tail()
        if tail is None or tail in names:
            only = [names.index(tail)] if tail in names else range(len(names))
            values = [texts[n] for n in only]
            lines.append(f"{_STEP}return {', '.join(values) or 'None'}")
        else:
            for name, text in zip(names, texts, strict=True) if len(names) == 1 else ():
                lines.append(f"{_STEP}{name} = {text}")
            if len(names) > 1:
                lines.append(f"{_STEP}{', '.join(names)} = {', '.join(texts)}")
            lines.append(f"{_STEP}return {tail}")
        return "\n".join(lines)

    def _finish_words(self) -> str:
        tail = self.tail()
        if tail is not None:
            return f"What follows the loop: {tail}.".replace('"', "'")
        names = ", ".join(self._wanted()) or "nothing"
        return f"What the loop leaves: {names}."

    def _outputs(self) -> str:
        """The user's own loop over a piece, from what is carried to it."""
        fold, name = self.fold, self.running
        assert name is not None
        grown = self._grown()
        head = signature(
            "outputs", ["elements: Iterable[Any]", "carried: Any"], self.output_options, "list[Any]"
        )
        return "\n".join([
            head,
            f'{_STEP}"""What the loop appends to `{name}` for some elements, after what leaves '
            f'`carried`."""',
            f"{_STEP}{', '.join(self._wanted())} = carried",
            *(f"{_STEP}{held} = copy({held})" for held in self._wanted() if held in grown),
            f"{_STEP}{name} = []",
            indent(loop_text(fold), _STEP),
            f"{_STEP}return {name}",
        ])  # fmt: skip

    def _grown(self) -> set[str]:
        """The containers that the loop's own body changes in place."""
        inside = everything_in(self.fold.node)
        calls = [n.func for n in inside if isinstance(n, ast.Call)]
        changed = [f.value for f in calls if isinstance(f, ast.Attribute) and f.attr in GROWS]
        changed += [n.target for n in inside if isinstance(n, ast.AugAssign)]
        names = {node.id for node in changed if isinstance(node, ast.Name)}
        begun = {n: self.fold.starts.get(n, "") for n in names}
        return {n for n, text in begun.items() if not text or not text[-1].isalnum()}

    def _wanted(self) -> list[str]:
        live = list(self.fold.live)
        tail = self.tail()
        if tail is None:
            return live
        read = {n.id for n in everything_in(ast.parse(tail)) if isinstance(n, ast.Name)}
        return [name for name in live if name in read]

    def tail(self) -> str | None:
        """What the function returns after the loop, where that needs nothing else of it."""
        result = self.fold.result
        if result is None or self.running is not None:
            return None
        from auditor.derive.definitions import known_names

        names = set(free_in(ast.parse(result)))
        around = known_names(self.fold.tree) - local_names(self.fold.function)
        fine = {*self.fold.live, *self.fold.parameters, *around}
        return result if names <= fine else None

    # -- containers

    def _container(self) -> tuple[str, ...]:
        keyed = self.keyed
        assert keyed is not None
        options = "".join(f", {name}={name}" for name in self.update_options)
        target = f"{_STEP}{self.fold.target} = element\n" if self.element == "element" else ""
        prepared = (line for text in self.fold.prepare for line in text.splitlines())
        prepare = "".join(f"{_STEP}{line}\n" for line in prepared)
        state = self.state
        update = signature(
            self.called("update"), [f"{state}: {self.state_type}", f"{self.element}: Any"],
            self.update_options, self.state_type,
        )  # fmt: skip
        value, kind = self._entry_value(), self.state_type
        one, none, both = map(self._of_entry, ("update", "init", "combine"))
        began = self.fold.starts.get(keyed.name)
        # where the order counts, the two names of a place of a list are to be one
        placed = keyed.listed and began is not None and not self.monoid.commutes
        places = f"{keyed.name.upper()}_PLACES"
        key = f"{places}[{keyed.key}]" if placed else keyed.key
        changed = f"{one}({state}.get(key) or {none}(), {self.element}{options})"
        change = f"key = {key}\n{state}[key] = {changed}\n"
        if keyed.changes and keyed.absent is not None:
            there = f"key in {state} or ({value}) != {source(keyed.absent)}"
            change = f"key = {key}\nentry = {changed}\nif {there}:\n{_STEP}{state}[key] = entry\n"
        if keyed.when is not None:
            change = f"if {keyed.when}:\n{indent(change, _STEP)}"
        made = (
            *([f"{places} = range(len({began}))"] if placed else []),
            f"def {self.called('init')}() -> {self.state_type}:\n"
            f'    """No entry has been touched."""\n'
            f"    return {{}}",
            f"{update}\n"
            f'    """The entries after one more element; `{state}` itself is changed."""\n'
            f"{target}{prepare}"
            f"{indent(change, _STEP)}"
            f"    return {state}",
            f"def {self.called('combine')}(left: {kind}, right: {kind}) -> {kind}:\n"
            f'    """The entries of two pieces, each combined on its own."""\n'
            f"    both = dict(left)\n"
            f"    for key, entry in right.items():\n"
            f"        both[key] = {both}(both[key], entry) if key in both else entry\n"
            f"    return both",
        )
        name = keyed.name
        finish = signature(
            self.called("finish"), [f"{state}: {self.state_type}"], self.finish_options, "Any"
        )
        start = f"    {name} = {began or f'copy({name})'}\n"
        tail = self.tail() or name
        return (
            *made,
            f"{finish}\n"
            f'    """The container as the loop leaves it."""\n'
            f"{start}"
            f"    for key, entry in {state}.items():\n"
            f"{indent(self._put_back(value), _STEP * 2)}"
            f"    return {tail}",
        )

    def _put_back(self, value: str) -> str:
        """An entry of a state put into the container."""
        keyed = self.keyed
        assert keyed is not None
        if keyed.members:
            return f"if {value}:\n{_STEP}{keyed.name}.add(key)\n"
        if keyed.inner is not None:
            first = f"setdefault(key[0], {keyed.inner})"
            within = f".{first}" if keyed.inner else "[key[0]]"
            return f"{keyed.name}{within}[key[1]] = {value}\n"
        return f"{keyed.name}[key] = {value}\n"

    def _entry_value(self) -> str:
        """An entry of the container, after what it held before the loop."""
        keyed = self.keyed
        assert keyed is not None
        spell = self._spelling({f.own: f"entry.{f.name}" for f in self.fields})
        if keyed.record is not None:
            absents = (keyed.absent, *keyed.others)
            by = {c: source(a) if a is not None else "None"
                  for c, a in zip(self._states(), absents, strict=True)}  # fmt: skip
            values = {c: source(t, lambda v: by[v] if v in by else spell(v))
                      for c, t in self.monoid.finish.items()}  # fmt: skip
            return keyed.record.whole([values[c] for c in self._states()])
        ((carry, term),) = self.monoid.finish.items()
        held = f"{keyed.name}[key]"
        if keyed.inner is not None and keyed.absent is not None:
            held = source(keyed.absent)
        elif keyed.absent is not None:
            held = f"{keyed.name}.get(key, {source(keyed.absent)})"
        return source(term, lambda v: held if v is carry else spell(v))

    def _states(self) -> list[Value]:
        """The values of an entry, in their order."""
        return [carry.state for carry in self.fold.scan.carries]

    # -- pieces

    def _spelling(self, known: dict[Value, str]) -> Callable[[Value], str]:
        return lambda value: known.get(value, value.name)

    def _starts(self) -> list[str]:
        """The carried names of which the value before the loop is looked at."""
        if self.keyed is not None:
            return [] if self.keyed.name in self.fold.starts else [self.keyed.name]
        own = {f.own for f in self.fields}
        found = []
        for term in self.monoid.finish.values():
            for node in walk(term):
                if isinstance(node, Read) and node.value.kind == "state":
                    if node.value not in own and node.value.name not in found:
                        found.append(node.value.name)
        return found

    def _read_by_finish(self) -> list[str]:
        """The parameters that finish reads."""
        texts = [source(t) for t in self.monoid.finish.values()]
        if self.tail() is not None:
            texts.append(self.tail() or "")
        names = {
            n.id for t in texts for n in everything_in(ast.parse(t)) if isinstance(n, ast.Name)
        }
        return [name for name in self.fold.parameters if name in names]

    def _returned(self, terms: list[Term], spell: Callable[[Value], str]) -> str:
        """Return statements for the components: questions that many of them share are asked once,
        and a component that others are computed from gets a name."""
        question = _shared_question(terms)
        if question is not None:
            then = [_answered(t, question, TRUE) for t in terms]
            other = [_answered(t, question, FALSE) for t in terms]
            asked, first, second = question, then, other
            if self._copied(other) and not self._copied(then):
                asked, first, second = Apply("not", (question,)), other, then
            return (
                f"if {source(asked, spell)}:\n{indent(self._returned(first, spell), _STEP)}\n"
                f"{self._returned(second, spell)}"
            )
        copied = self._copied(terms)
        if copied is not None:
            return f"return {spell(copied).partition('.')[0]}"
        lines, terms = self._named(terms, spell)
        return "\n".join([*lines, self._made(terms, lambda t: source(t, spell))])

    def _made(self, terms: list[Term], text: Callable[[Term], str]) -> str:
        values = [f"{f.name}={text(t)}" for f, t in zip(self.fields, terms, strict=True)]
        flat = f"return {self._class}({', '.join(values)})"
        if len(flat) <= 88:
            return flat
        inside = "".join(f"\n{_STEP}{value}," for value in values)
        return f"return {self._class}({inside}\n)"

    def _copied(self, terms: Sequence[Term]) -> Value | None:
        """A value of the side of which the components are copies."""
        for sides in ([f.left for f in self.fields], [f.right for f in self.fields]):
            if sides and list(terms) == sides:
                return self.fields[0].own if sides[0] is terms[0] and isinstance(
                    terms[0], Read) and terms[0].value is self.fields[0].own else (
                    self.fields[0].other)  # fmt: skip
        return None

    def _named(
        self, terms: list[Term], spell: Callable[[Value], str]
    ) -> tuple[list[str], list[Term]]:
        """Assignments for components that occur in others."""
        taken = {*self.fold.names, *self.options, self.state, "left", "right"}
        lines: list[str] = []
        out = list(terms)
        for place, field in enumerate(self.fields):
            term = out[place]
            if not isinstance(term, Apply) or field.name in taken:
                continue
            if not any(n is term for k, t in enumerate(out) if k != place for n in walk(t)):
                continue
            lines.append(f"{field.name} = {source(term, spell)}")
            local = Read(Value(field.name, (), kind="input"), ())
            out = [transform(t, lambda n, old=term, new=local: new if n is old else n)  # type: ignore[misc]
                   for t in out]  # fmt: skip
        return lines, out


def loop_text(fold: Fold) -> str:
    """The user's loop as it stands, over `elements`."""
    pairs = pairs_of(fold.node)
    written = fold.node if pairs is None else pairs.written
    node = ast.For(written.target, ast.Name("elements", ast.Load()), written.body, [])
    return ast.unparse(ast.fix_missing_locations(node))


def _when_stopped(term: Term, stopped: Term) -> Term:
    """``term`` where the loop has stopped."""
    if isinstance(stopped, Apply) and stopped.op == "not":
        return _answered(term, stopped.args[0], FALSE)
    return _answered(term, stopped, TRUE)


def _shared_question(terms: Sequence[Term]) -> Term | None:
    """A component of the state that several terms are a choice by."""
    asked = [t.args[0] for t in terms if isinstance(t, Apply) and t.op == "where"]
    flags = [q for q in asked if isinstance(q, Read) and q.value.kind == "state"]
    for question in flags:
        if flags.count(question) > 1:
            return question
    several = [q for q in asked if asked.count(q) > 1]
    return several[0] if several and len(set(asked)) == 1 else None


def _answered(term: Term, question: Term, answer: Const) -> Term:
    """``term`` where the question is answered; what merely counts as true is no truth value."""
    everywhere = truth(question) or (isinstance(question, Read) and question.value.kind == "state")

    def change(node: Term) -> Term:
        if node is question and everywhere:
            return answer
        if isinstance(node, Apply) and node.op == "where" and node.args[0] is question:
            return node.args[1] if answer is TRUE else node.args[2]
        return decided(node) if isinstance(node, Apply) else node

    return transform(term, change)


def _hint(field: Field) -> str:
    identity = field.identity
    if isinstance(identity, Const):
        if isinstance(identity.value, bool):
            return "bool"
        if isinstance(identity.value, (int, float)):
            return "float"
        if isinstance(identity.value, str):
            return "str"
    if isinstance(identity, Read):
        return "list[Any]" if identity.value.name == "[]" else "set[Any]"
    return "Any"


def signature(name: str, given: list[str], options: list[str], returned: str) -> str:
    """The first line of a function; ``options`` are given by name."""
    extra = ["*", *(f"{option}: Any" for option in options)] if options else []
    return f"def {name}({', '.join([*given, *extra])}) -> {returned}:"
