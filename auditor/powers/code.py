"""The code of a power in the user's own names, and what it needs to be the same as the loop."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from math import log2

from auditor.assumed import listed, reason_of
from auditor.lift import extents
from auditor.notation import Apply, Const, Read, Term, Value, walk
from auditor.powers.doubling import Doubling, LinearMap, linear_map, natural
from auditor.powers.overflowing import overflowing
from auditor.powers.products import (
    FLOATS,
    OVERFLOW,
    TYPICAL_STEPS,
    powered,
    products,
    too_few,
)
from auditor.powers.reading import (
    Power,
    element,
    power,
    same_element,
    starts_at_factor,
    starts_at_one,
)
from auditor.recurrences.recurrence import LoopRegion
from auditor.rewrite import Match, Site
from auditor.surroundings.purity import impurity
from auditor.syntax import beside_comparison, path_of, tight
from auditor.tree import everything_in
from auditor.verdict import Edit, Numerics
from auditor.writing.pieces import CannotRender

_FEW = 64
"""Steps from which doubling integers pays."""


@dataclass
class Factor:
    """The text of a factor before the loop, and what is known of what it computes."""

    text: str
    dtype: str | None = None
    library: str | None = None
    axes: int = 0

    def based(self) -> str:
        """As the base of ``**`` or the operand of a product."""
        return tight(self.text)


@dataclass
class PowerCode:
    """What replaces one loop."""

    site: Site
    region: LoopRegion
    assumptions: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    numerics: Numerics = "exact"
    starts: list[Edit] = field(default_factory=list)

    def match(self) -> Match | None:
        found = [power(self.region, name) for name in self.region.loop.finals]
        powers = [one for one in found if one is not None]
        jointly = linear_map(self.region) if len(powers) < len(found) else None
        if len(powers) < len(found) and jointly is None:
            return None
        self._check()
        self.steps = self._steps()
        if jointly is not None:
            return self._doubled(jointly)
        counting = {one.name for one in powers} & set(re.findall(r"\w+", self.steps))
        self.site.require(
            len(powers) == 1 or not counting, "names",
            "the number of steps is read after one of the powers would have changed it",
        )  # fmt: skip
        lines = [line for one in powers for line in self._lines(one)]
        names = listed(f"`{one.name}`" for one in powers)
        return self.finish(
            lines,
            f"{names}: every step multiplies by the same factor, of which a power does all steps",
        )

    def finish(self, lines: list[str], message: str, guarded: bool = True) -> Match:
        """The match that replaces the loop by ``lines``; ``guarded`` where they are only the same
        if the loop makes a step."""
        region = self.region
        if guarded and not self.certain:
            lines = [f"if {self._stepping()}:", *(f"    {line}" for line in lines)]
        edits = [*self.starts, region.replace_lines(region.node, lines)]
        counter, stated = region.loop.counter, region.stated_assumptions(self.assumptions)
        if counter is not None and counter not in self.steps:
            edits += region.drop_binding(counter, (region.node,))
        return Match(
            span=region.loop.span,
            message=message,
            computation=self.site.computation,
            edits=tuple(sorted(edits)),
            numerics=self.numerics,
            safe=not self.doubts,
            reason=reason_of(*self.doubts, stated),
        )

    # -- conditions

    def _check(self) -> None:
        loop = self.region.loop
        kept = next(iter([*loop.lists, *loop.written]), None)
        self.site.require(
            kept is None and not loop.steps, "kept",
            f"each step keeps a partial product in `{kept}`: that is a scan and no power",
        )  # fmt: skip
        self.region.check_surroundings()
        self.region.require_uncast(self.site)

    def _steps(self) -> str:
        """The text of the number of steps. Raises ``Refused``."""
        extent = self.region.step.extent
        number = extents.constant(extent)
        walked = self._walked()
        self.site.require(
            walked is None or self._sized(walked), "names",
            f"nothing says that `{walked}` has a length: it may be an iterator",
        )  # fmt: skip
        self.count = TYPICAL_STEPS if number is None else number
        self.certain = number is not None and number > 0
        try:
            return self.region.renderer((), self.region.node).scalar(extent).text
        except CannotRender as problem:
            self.site.require(False, "names", str(problem))
            raise AssertionError("a waived condition still needs code") from problem

    def _walked(self) -> str | None:
        """The argument that the loop walks, and of which it uses no item."""
        node, function = self.region.node, self.region.lifted.node
        given = getattr(function, "args", function)
        names = {arg.arg for arg in everything_in(given) if isinstance(arg, ast.arg)}
        walked = node.iter if isinstance(node, ast.For) else None
        return walked.id if isinstance(walked, ast.Name) and walked.id in names else None

    def _sized(self, name: str) -> bool:
        """Whether the function uses an argument as what has a length, or its annotation does."""
        text = self.region.module.source(self.region.lifted.node)
        used = rf"(?<![\w.])(len\({name}\)|{name}\[|{name}\.(shape|size|ndim)\b)"
        kind = r"(\w+\.)*(list|tuple|str|bytes|dict|set|List|Tuple|Sequence|Tensor|ndarray)\b"
        return bool(re.search(used, text) or re.search(rf"\b{name}\s*:\s*[\"']?{kind}", text))

    def _stepping(self) -> str:
        """The test that the loop makes a step."""
        name, _, number = self.steps.partition(" - ")
        if name.isidentifier() and number.isdigit():
            return f"{name} > {number}"
        return f"{beside_comparison(self.steps)} > 0"

    def _more(self, by: int) -> str:
        """The text of the number of steps plus ``by``."""
        extent = extents.add(self.region.step.extent, Const(by))
        renderer = self.region.renderer((), self.region.node)
        said, changed = renderer.scalar_of, self.region.loop.states
        # a carried value that starts as the number is no name for it
        renderer.scalar_of = lambda term: None if (name := said(term)) in changed else name
        return renderer.scalar(extent).text

    # -- several integers

    def _doubled(self, found: LinearMap) -> Match:
        region = self.region
        self.site.require(self.count >= _FEW, "profit", too_few(self.count, "doubling"))
        named = {region.loop.states[name]: name for name in found.names}
        plain = region.renderer((), region.node)
        renderer = replace(plain, name_of=lambda v: named.get(v) or plain.name_of(v))
        taken = region.stores | set(region.loads) | set(region.module.bound_at_top)
        doubling = Doubling(found, lambda term: renderer.scalar(term).text, taken)
        try:
            if found.modulus is None:
                lines = doubling.lines(self.steps)
            else:
                # the last step as it is written: of one step, not all is a remainder
                lines = [*doubling.lines(self._more(-1)), *self._body()]
        except CannotRender as problem:
            self.site.require(False, "names", str(problem))
            raise AssertionError("a waived condition still needs code") from problem
        names = listed(f"`{name}`" for name in found.names)
        message = (
            f"{names}: every step is the same linear map of integers, of which a power"
            " does all steps"
        )
        return self.finish(lines, message, guarded=found.modulus is not None)

    def _body(self) -> list[str]:
        """The statements of the loop's body, the count of its steps left out."""
        node, counter = self.region.node, self.region.loop.counter
        assert isinstance(node, (ast.For, ast.While))
        kept = [s for s in node.body if counter is None or not _counts(s, counter)]
        given = everything_in(node.target) if isinstance(node, ast.For) else []
        walked = {name.id for name in given if isinstance(name, ast.Name)} | {counter}
        read = {n.id for s in kept for n in everything_in(s) if isinstance(n, ast.Name)}
        self.site.require(
            walked.isdisjoint(read), "names", "a step reads what the loop walks, which is gone"
        )
        return [self.region.module.source(statement) for statement in kept]

    # -- a power

    def _lines(self, found: Power) -> list[str]:
        if found.side != "number":
            self._wide(found)
        factor = self._factor(found)
        if found.side == "number":
            if found.modulus is not None:
                return self._modular(found, factor)
            return self._number(found, factor)
        return self._matrix(found, factor)

    def _pays(self, before: float, after: float) -> None:
        self.site.require(before > after, "profit", too_few(self.count, "a power"))

    def _drop_start(self, found: Power) -> None:
        """The start goes where the new code does not read it and always runs."""
        binding = self.region.binding_before(self.region.node, found.name)
        if self.certain and binding is not None and binding.alone and binding.unread:
            if not self.region.effects_in(binding.statement):
                self.starts.append(self.region.drop(binding.statement))

    def _wide(self, found: Power) -> None:
        """What is multiplied has as many columns as the matrix."""
        facts = self.region.lifted.facts
        size = facts.extent(found.axes[0].extent)
        other = found.state.axes[-1 if found.side == "left" else -2] if not found.vector else None
        start = self.region.init_of(found.name)
        steady = start is not None and len(start.axes) == len(found.state.axes)
        square = steady and other is not None and facts.extent(other.extent) is size
        self.site.require(
            square or starts_at_one(self.region, found) or starts_at_factor(self.region, found),
            "thin",
            f"`{found.name}` may have fewer columns than the matrix: step by step is cheaper",
        )  # fmt: skip

    def _matrix(self, found: Power, factor: Factor) -> list[str]:
        one, own = starts_at_one(self.region, found), starts_at_factor(self.region, found)
        library = factor.library or found.state.library or self._library()
        self.site.require(
            library in ("torch", "numpy"), "library",
            f"whether `{factor.text}` is of torch or of NumPy is not known",
        )  # fmt: skip
        library = library or "numpy"
        module = self._module(library)
        self._pays(self.count - one, products(self.count + own) + (not one and not own)
                   + (one and library == "numpy"))  # fmt: skip
        self._grade(factor, found.state)
        if self.count < 2 or not self.certain:
            self.assumptions.append(f"`{factor.text}` is square")
        if own:
            self._drop_start(found)
            return [f"{found.name} = {module}.matrix_power({factor.text}, {self._more(1)})"]
        if one and library == "torch":
            self._drop_start(found)
            return [f"{found.name} = {module}.matrix_power({factor.text}, {self.steps})"]
        if one:
            # of the product's own dtype, and never the factor itself
            sides = (found.name, factor.based())
            left, right = sides if found.side == "right" else sides[::-1]
            return [f"{found.name} = {module}.matrix_power({left} @ {right}, {self.steps})"]
        self._same_dtypes(found, factor, library)
        whole = f"{module}.matrix_power({factor.text}, {self.steps})"
        if found.side == "left":
            return [f"{found.name} = {whole} @ {found.name}"]
        if found.name in self.region.loop.mutated:
            return [f"{found.name} @= {whole}"]
        return [f"{found.name} = {found.name} @ {whole}"]

    def _same_dtypes(self, found: Power, factor: Factor, library: str) -> None:
        """NumPy multiplies integers, which wrap, by floats, which do not."""
        if library == "torch":
            return
        start = self.region.init_of(found.name)
        dtypes = {factor.dtype, start.dtype if start is not None else None}
        self.site.require(
            len(dtypes - {None}) < 2, "dtypes",
            f"`{found.name}` and `{factor.text}` are of several dtypes",
        )  # fmt: skip
        if None in dtypes:
            self.assumptions.append(f"`{found.name}` and `{factor.text}` have the same dtype")

    def _library(self) -> str | None:
        """The library whose functions the loop calls, or the only one of the file."""
        for node in everything_in(self.region.node):
            path = path_of(self.region.module, node.func) if isinstance(node, ast.Call) else None
            if path is not None and path.split(".")[0] in ("torch", "numpy"):
                return path.split(".")[0]
        return self.region.module.library

    def _module(self, library: str | None) -> str:
        if library == "torch":
            return f"{self.region.torch_name()}.linalg"
        for name, path in self.region.module.bound_at_top.items():
            if path == "numpy":
                return f"{name}.linalg"
        self.site.require(False, "library", "the file has no name for NumPy")
        return "np.linalg"

    def _number(self, found: Power, factor: Factor) -> list[str]:
        name = found.name
        one, own = starts_at_one(self.region, found), starts_at_factor(self.region, found)
        start = self.region.init_of(name)
        assert start is not None
        plain = factor.library == "python" and factor.axes == 0 and start.library == "python"
        in_place = self._in_place(name)
        own = own and (plain or not in_place)
        self._pays(self.count, 2 * log2(max(2, self.count)))
        self._grade(factor, start)
        self._sums(found, start)
        self._whole_exponent()
        whole = powered(factor.based(), self._more(1) if own else self.steps)
        if not plain:
            self._element_by_element(factor, whole)
            if factor.library == "python" and factor.axes == 0:
                self.assumptions.append(f"`{whole}` is a number that `{name}` can hold")
        elif factor.dtype != "int" or start.dtype != "int":
            self._finite(f"`{whole}`", whole)
        if own:
            self._drop_start(found)
            return [f"{name} = {whole}"]
        # a parameter that is hinted to be a float may be given as an int, 1.0 makes a float of it
        if one and plain and (start.dtype == "int" or _is_float(factor.text)):
            self._drop_start(found)
            return [f"{name} = {whole}"]
        if one and not in_place and not plain:
            return [f"{name} = {powered(f'({name} * {factor.based()})', self.steps)}"]
        sign = f"{name} *=" if in_place or plain else f"{name} = {name} *"
        return [f"{sign} {whole}"]

    def _modular(self, found: Power, factor: Factor) -> list[str]:
        name = found.name
        assert found.modulus is not None
        try:
            modulus = (
                self.region.renderer(found.state.axes, self.region.node).array(found.modulus).text
            )
        except CannotRender as problem:
            self.site.require(False, "names", str(problem))
            raise AssertionError("a waived condition still needs code") from problem
        start = self.region.init_of(name)
        known = self._numbers(found.modulus) | {factor.dtype, start.dtype if start else None}
        self.site.require(
            known <= {None, "int", "bool"}
            and factor.library in (None, "python")
            and not any(map(self._divides, (found.factor, found.modulus))),
            "integers",
            "a remainder of floats is rounded at every step",
        )  # fmt: skip
        if None in known:
            whole = f"`{name}`, `{factor.text}` and `{modulus}`"
            self.assumptions.append(f"{whole} are Python integers")
        self._whole_exponent()
        self._pays(self.count, 2 * log2(max(2, self.count)))
        whole = f"pow({factor.text}, {self.steps}, {modulus})"
        if starts_at_one(self.region, found):
            self._drop_start(found)
            return [f"{name} = {whole}"]
        return [f"{name} = {name} * {whole} % {modulus}"]

    def _divides(self, term: Term) -> bool:
        """Whether a term is a quotient somewhere, as a power of integers may be."""
        return any(
            isinstance(node, Apply)
            and (node.op == "div" or (node.op == "pow" and not natural(node.args[1])))
            for node in walk(self.region.inlined(term))
        )

    def _numbers(self, term: Term) -> set[str | None]:
        """The dtypes of what a scalar term reads."""
        found: set[str | None] = set()
        for node in walk(term):
            if isinstance(node, Read):
                found.add(node.value.dtype)
            elif isinstance(node, Const):
                found.add(type(node.value).__name__)
        return found

    def _in_place(self, name: str) -> bool:
        if name in self.region.loop.mutated:
            return True
        return any(
            isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
            and node.target.id == name
            for node in everything_in(self.region.node)
        )  # fmt: skip

    def _finite(self, said: str, power: str) -> None:
        """A power of Python's floats has to be one."""
        self.assumptions.append(f"{said} stays finite: {OVERFLOW}")
        line = overflowing(self.region.module, self.region.lifted.node, power)
        if line is not None:
            self.doubts.append(f"line {line} passes numbers for which `{power}` overflows")

    def _element_by_element(self, factor: Factor, power: str) -> None:
        """NumPy and torch read the exponent in the array's dtype, narrow integers too."""
        dtype = factor.dtype
        self.site.require(
            dtype is None or dtype.startswith(FLOATS) or dtype == "int", "integers",
            f"`{factor.text}` holds integers, in whose dtype the exponent is read",
        )  # fmt: skip
        if dtype is None:
            many = "a number or " if factor.library is None else ""
            self.assumptions.append(f"`{factor.text}` is {many}an array of floating-point numbers")
            if factor.library is None:
                self._finite("a float", power)

    def _sums(self, found: Power, start: Value) -> None:
        """``x + x`` is ``x * 2`` of numbers, not of truth values or texts."""
        if _values(found.factor) or not any(
            isinstance(node, Apply) and node.op == "add" for node in walk(found.factor)
        ):
            return
        kind = start.dtype or ""
        self.site.require(
            kind != "bool", "truths", f"`{found.name}` holds truth values, whose sums are such"
        )
        if not kind.startswith((*FLOATS, "int", "uint", "long")):
            self.doubts.append(f"whether `{found.name}` holds numbers is not known")

    def _grade(self, factor: Factor, start: Value) -> None:
        """Integers are exact, also where they wrap; products of floats may over- or underflow."""
        dtypes = {factor.dtype, start.dtype}
        if not all(dtype is not None and dtype.startswith(("int", "uint", "bool"))
                   for dtype in dtypes):  # fmt: skip
            self.numerics = "conditioned"

    def _whole_exponent(self) -> None:
        """The number of steps is a Python integer, not another library's."""
        function = self.region.lifted.node
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        spec = function.args
        for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            if arg.annotation is None and arg.arg in self.steps.split(" "):
                self.assumptions.append(f"`{arg.arg}` is a Python integer")

    # -- the factor's text

    def _factor(self, found: Power) -> Factor:
        """The factor as an expression of the body that means the same before the loop. Raises
        ``Refused`` where it has none."""
        region = self.region
        bound = {n.id for n in everything_in(region.node) if isinstance(n, ast.Name)
                 and isinstance(n.ctx, ast.Store)}  # fmt: skip
        for node in everything_in(region.node):
            value = region.values.get(node) if isinstance(node, ast.expr) else None
            if not isinstance(value, Value) or not isinstance(node, ast.expr):
                continue
            if any(isinstance(n, ast.Name) and n.id in bound for n in everything_in(node)):
                continue
            if impurity(region.module, node) is not None or region.effects_in(node):
                continue
            text = " ".join(region.module.source(node).split())
            known = Factor(text, value.dtype, value.library, len(value.axes))
            if self._means(value, found):
                return known
            if found.side != "number" and len(value.axes) == 2:
                if self._means(value, replace(found, axes=found.axes[::-1])):
                    return replace(known, text=f"{known.based()}.T")
        return self._rendered(found)

    def _means(self, value: Value, found: Power) -> bool:
        """Whether ``value`` is the factor."""
        got = element(self.region, value, found)
        return got is not None and same_element(got, found.factor)

    def _rendered(self, found: Power) -> Factor:
        """A product of several factors has no text of its own: it is written."""
        try:
            if found.side != "number":
                raise CannotRender("the factor is no expression of its own in the loop")
            whole = extents.canonical(found.factor) if not _values(found.factor) else found.factor
            piece = self.region.renderer(found.state.axes, self.region.node).array(whole)
        except CannotRender as problem:
            self.site.require(False, "names", str(problem))
            raise AssertionError("a waived condition still needs code") from problem
        dtypes = self._numbers(found.factor)
        dtypes = {"float"} if dtypes == {"int", "float"} else dtypes
        libraries = {value.library for value in _values(found.factor)}
        return Factor(
            piece.text,
            next(iter(dtypes)) if len(dtypes) == 1 else None,
            next(iter(libraries)) if len(libraries) == 1 else None if libraries else "python",
            len(piece.axes),
        )  # fmt: skip


def _counts(statement: ast.stmt, counter: str) -> bool:
    """Whether a statement binds the count of the steps."""
    return any(
        isinstance(n, ast.Name) and n.id == counter and isinstance(n.ctx, ast.Store)
        for n in everything_in(statement)
    )


def _values(term: Term) -> list[Value]:
    return [node.value for node in walk(term) if isinstance(node, Read)]


def _is_float(text: str) -> bool:
    """Whether code is a float that is written out."""
    try:
        return isinstance(ast.literal_eval(text), float)
    except ValueError:
        return False
