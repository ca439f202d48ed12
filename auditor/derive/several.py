"""A loop that changes containers beside other things, as monoids side by side: the state has one of
each."""

from __future__ import annotations

from auditor.derive.found import Derived
from auditor.derive.functions import Functions, signature


class Several(Functions):
    """The functions of each part, and those of the whole over them."""

    def __init__(self, derived: Derived) -> None:
        super().__init__(derived)
        self.parts = [Functions(one, _name(one)) for one in derived.parts]

    def state_class(self) -> str:
        """The dataclasses of the parts, and that of the whole."""
        lines = ["@dataclass(frozen=True)", "class State:",
                 '    """What a piece leaves, whatever comes before it."""', ""]  # fmt: skip
        lines += [f"    {part.part}: {part.state_type}" for part in self.parts]
        return "\n\n\n".join([*(part.state_class() for part in self.parts), "\n".join(lines)])

    def functions(self) -> tuple[str, ...]:
        """The functions of each part, and the four of the whole."""
        own = [text for part in self.parts for text in part.functions()]
        return (*own, self._begin(), self._step(), self._join(), self._end())

    @property
    def state_type(self) -> str:
        return "State"

    @property
    def finish_options(self) -> list[str]:
        return list(dict.fromkeys(o for part in self.parts for o in part.finish_options))

    def _begin(self) -> str:
        made = ", ".join(f"{part.part}={part.called('init')}()" for part in self.parts)
        return (
            f'def init() -> State:\n    """The state of no elements."""\n    return State({made})'
        )

    def _step(self) -> str:
        state, given = self.state, "".join(f", {o}={o}" for o in self.update_options)
        lines = [
            signature(
                "update", [f"{state}: State", f"{self.element}: Any"], self.update_options, "State"
            ),
            '    """The state after one more element; the containers in it are changed."""',
            "    return State(",
        ]
        for part in self.parts:
            call = f"{part.called('update')}({state}.{part.part}, {self.element}{given})"
            lines.append(f"        {part.part}={call},")
        return "\n".join([*lines, "    )"])

    def _join(self) -> str:
        lines = ["def combine(left: State, right: State) -> State:",
                 '    """The state of two pieces, the left one before the right one."""',
                 "    return State("]  # fmt: skip
        for part in self.parts:
            call = f"{part.called('combine')}(left.{part.part}, right.{part.part})"
            lines.append(f"        {part.part}={call},")
        return "\n".join([*lines, "    )"])

    def _end(self) -> str:
        lines = [
            signature("finish", [f"{self.state}: State"], self.finish_options, "Any"),
            f'    """{self._finish_words()}"""',
        ]
        for part in self.parts:
            given = "".join(f", {o}={o}" for o in part.finish_options)
            names = ", ".join(part.fold.live)
            call = f"{part.called('finish')}({self.state}.{part.part}{given})"
            lines.append(f"    {names} = {call}" if names else f"    {call}")
        lines.append(f"    return {self.tail() or ', '.join(self.fold.live)}")
        return "\n".join(lines)


def functions_of(derived: Derived) -> Functions:
    """The functions of a loop, of one monoid or of several side by side."""
    return Several(derived) if derived.parts else Functions(derived)


def _name(part: Derived) -> str:
    """What a part is called: as its container, or the values beside them."""
    return "values" if part.fold.keyed is None else part.fold.keyed.name
