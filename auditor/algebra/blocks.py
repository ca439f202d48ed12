"""What a stretch of a loop does to the carried values, as a block of entries that composes.

Under finite control a block has a table (where each control state leads) and, for each control
state, a matrix over a semiring. Entries that are the same number in every block are not kept:
which these are is the least fixed point of composing the pattern of one step.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.choices import settled
from auditor.algebra.finite import Control, select
from auditor.algebra.monoid import Field, field
from auditor.algebra.semirings import LOG_SUMS, MAXIMA, MINIMA, Row, Semiring, linear, same_number
from auditor.notation import ZERO, Carry, Const, Read, Term, Value

Key = tuple[int, Value | None, Value | None]
"""Control state, row and column; row None is the table's entry, column None the constant."""

Block = dict[Key, Term]
MOST_FIELDS = 36


class TooWide(Exception):
    """More components than a summary is worth."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Which carried values are under control, which are rows, over which semiring."""

    control: Control
    rows: tuple[Carry, ...]
    ring: Semiring

    @property
    def places(self) -> range:
        return range(len(self.control.states))

    def entries(self) -> list[Key]:
        values = [row.state for row in self.rows]
        found: list[Key] = []
        for q in self.places:
            if self.control.carries:
                found.append((q, None, None))
            found += [(q, r, c) for r in values for c in (*values, None)]
        return found

    def identity(self) -> Block:
        return {key: self._neutral(key) for key in self.entries()}

    def _neutral(self, key: Key) -> Term:
        q, row, column = key
        if row is None:
            return self.control.code(q)
        return self.ring.one if row is column else self.ring.zero

    def step(self) -> Block:
        """One element's block. Raises ``NotLinear``."""
        block: Block = {}
        values = [row.state for row in self.rows]
        for q in self.places:
            if self.control.carries:
                block[q, None, None] = self.control.tables[q]
            for row in self.rows:
                update = settled(row.update, self.control.given(q))
                coefficients: Row = linear(update, values, self.ring)
                for column in (*values, None):
                    block[q, row.state, column] = coefficients.get(column, self.ring.zero)
        return block

    def compose(self, first: Block, second: Block) -> Block:
        """The block that does ``first`` and then ``second``."""
        out: Block = {}
        for key in self.entries():
            q, row, column = key
            cases = [
                (self.control.code(to), self._entry(first, second, q, to, row, column))
                for to in self.places
            ]
            code = first[q, None, None] if self.control.carries else self.control.code(0)
            out[key] = select(code, cases)
        return out

    def _entry(
        self, first: Block, second: Block, q: int, to: int, row: Value | None, column: Value | None
    ) -> Term:
        if row is None:
            return second[to, None, None]
        ring = self.ring
        out: Term = ring.zero
        for other in self.rows:
            middle = other.state
            product = ring.multiply(second[to, row, middle], first[q, middle, column])
            out = ring.add(out, product)
        if column is None:
            out = ring.add(out, second[to, row, None])
        return ring.tidy(out)

    def applied(self, block: Block, start: list[Term]) -> list[Term]:
        """The carried values after a block: the controlled ones, then the rows."""
        out: list[Term] = []
        for slot in range(len(self.control.carries)):
            out.append(self.control.decode(block[0, None, None], slot))
        values = [row.state for row in self.rows]
        for row in self.rows:
            total: Term = self.ring.zero
            for column, value in zip(values, start, strict=True):
                total = self.ring.add(total, self._moved(block[0, row.state, column], value))
            out.append(self.ring.tidy(self.ring.add(total, block[0, row.state, None])))
        return out

    def _moved(self, coefficient: Term, start: Term) -> Term:
        """A coefficient times an initial value; a zero stays the zero that it is."""
        if self.ring.times == "mul" and same_number(start, ZERO) and coefficient is not ZERO:
            return start
        return self.ring.multiply(coefficient, start)

    def pattern(self, step: Block) -> dict[Key, Const | None]:
        """The number that an entry is in every block, or None where blocks differ."""
        known: dict[Key, Const | None] = {
            key: value if isinstance(value, Const) else None
            for key, value in self.identity().items()
        }
        single = {key: v if isinstance(v, Const) else None for key, v in step.items()}
        while True:
            grown = self._pattern_of(known, single)
            met = {key: v if grown[key] is v else None for key, v in known.items()}
            if met == known:
                return known
            known = met

    def _pattern_of(
        self, known: dict[Key, Const | None], single: dict[Key, Const | None]
    ) -> dict[Key, Const | None]:
        blocks: list[Block] = []
        for pattern, name in ((known, "p"), (single, "s")):
            blocks.append(
                {
                    key: Read(Value(f"{name}{n}", (), kind="state"), ()) if v is None else v
                    for n, (key, v) in enumerate(pattern.items())
                }
            )
        made = self.compose(*blocks)
        return {key: v if isinstance(v, Const) else None for key, v in made.items()}


@dataclass(frozen=True, eq=False)
class Kept:
    """The entries of a block that vary, as fields of a state."""

    shape: Shape
    fields: dict[Key, Field]
    fixed: dict[Key, Const]

    def block(self, side: str) -> Block:
        """The block that a state stands for: its own (or left) fields, or the right ones."""
        out: Block = dict(self.fixed)
        for key, one in self.fields.items():
            out[key] = one.left if side == "left" else one.right
        return {key: out[key] for key in self.shape.entries()}

    def of(self, block: Block) -> tuple[Term, ...]:
        """The kept entries of a block, in the order of the fields."""
        return tuple(block[key] for key in self.fields)


def kept(shape: Shape, step: Block, taken: set[str]) -> Kept:
    """Which entries a summary keeps, under names that say what they are."""
    pattern = shape.pattern(step)
    varying = [key for key, value in pattern.items() if value is None]
    if len(varying) > MOST_FIELDS:
        raise TooWide
    neutral = shape.identity()
    fields: dict[Key, Field] = {}
    for key in varying:
        name, meaning = _described(shape, key, varying)
        while name in taken:
            name += "_"
        taken.add(name)
        fields[key] = field(name, meaning, neutral[key])
    fixed = {key: value for key, value in pattern.items() if value is not None}
    return Kept(shape, fields, fixed)


def _described(shape: Shape, key: Key, varying: list[Key]) -> tuple[str, str]:
    q, row, column = key
    alike = [k for k in varying if k[1] is row and (row is None or k[2] is column)]
    control = shape.control
    base = "_".join(carry.name for carry in control.carries)
    where, given = "", ""
    if len(alike) > 1 or (row is not None and len({k[0] for k in varying}) > 1):
        where = f"_from_{_word(control, q)}"
        given = f", if {_condition(control, q)} before it"
    if row is None:
        return f"{base}{where}", f"{base} after the piece{given or _only(control, q)}"
    rows = [k for k in varying if k[0] == q and k[1] is row]
    if len(rows) == 1:
        return f"{row.name}{where}", _alone(shape.ring, row, column) + given
    if column is None:
        return f"{row.name}{where}", f"{row.name} of the piece alone{given}"
    if column is row:
        word = "scale" if shape.ring.times == "mul" else "shift"
        what = "multiplied to" if shape.ring.times == "mul" else "added to"
        return (
            f"{row.name}_{word}{where}",
            f"what is {what} the {row.name} from before the piece{given}",
        )
    word = "per" if shape.ring.times == "mul" else "over"
    how = {
        MAXIMA.name: f"the most that {row.name} can exceed the {column.name} from before by",
        MINIMA.name: f"the least that {row.name} can differ from the {column.name} from before by",
        LOG_SUMS: f"{row.name} for a {column.name} of 0 before, and nothing else",
    }.get(shape.ring.name, f"how often the {column.name} from before goes into {row.name}")
    return f"{row.name}_{word}_{column.name}{where}", how + given


def _alone(ring: Semiring, row: Value, column: Value | None) -> str:
    if column is None:
        return f"{row.name} of the piece alone"
    if column is row:
        return f"what the piece {'multiplies' if ring.times == 'mul' else 'adds to'} {row.name}"
    return f"{row.name} of the piece, counted from the {column.name} before it"


def _word(control: Control, q: int) -> str:
    words = []
    for carry, value in zip(control.carries, control.states[q], strict=True):
        if isinstance(value.value, bool):
            words.append(carry.name if value.value else f"not_{carry.name}")
        else:
            text = "".join(c if c.isalnum() else "_" for c in str(value.value))
            words.append(text if len(control.carries) == 1 else f"{carry.name}_{text}")
    return "_".join(words)


def _condition(control: Control, q: int) -> str:
    pairs = zip(control.carries, control.states[q], strict=True)
    return " and ".join(f"{carry.name} is {value.value!r}" for carry, value in pairs)


def _only(control: Control, q: int) -> str:
    """The one control state that a piece can leave: no other needs to be told."""
    return f", if {_condition(control, q)} before it" if len(control.states) > 1 else ""
