"""What need not be read at all: functions whose text says that no rewrite could apply in them.

Lifting a function costs a thousand times as much as looking at its text. Each rewrite says what
it ``seeks`` (loops, or expressions with an exponential, a sort, several products, any operation);
a function that has none of it, neither in its own text nor in what it uses of its file, is not
lifted. Where every computation is to be listed, any operation counts.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from auditor.again.candidates import Candidates
from auditor.again.costly import COSTLY
from auditor.again.counting import declared, may_declare
from auditor.again.grown import grown, may_join
from auditor.again.kept import CONCATENATED, concatenated
from auditor.again.prefixes import LONGER, SAMPLES, recomputed
from auditor.again.recursion import as_function, overlapping
from auditor.arrays.stated_layers import applications
from auditor.arrays.stated_sizes import attends, may_attend, may_chain
from auditor.lift.invocation import may_be_read
from auditor.lift.lambdas import is_lambda
from auditor.lift.module import ClassScope, Module
from auditor.matrices.singular_vectors import may_truncate
from auditor.plain import calls_generators, hints, keeps_together
from auditor.plain.array_walks import folds_arrays
from auditor.plain.called import fills_by_calls, lists_calls
from auditor.plain.filled import fills
from auditor.screening.blocked import Blocked
from auditor.screening.carried import (
    carries,
    carries_attributes,
    fills_cells,
    moves_cells,
)
from auditor.screening.code import code_lines
from auditor.screening.computing import computes, holds
from auditor.screening.foreign import Foreign, Scope
from auditor.screening.sought import Sought, in_turn, makes_arrays, masks_twice, slides
from auditor.surroundings.purity import is_pure
from auditor.tree import descendants, every_statement, everything_in, statements_in

# Operations that some rewrite may use, by the last part of their name, wherever they are defined;
# and those that count only as methods or with a library's name: `max(a, b)` is nothing.
_NAMES = (
    "softmax softmin logsumexp log_softmax cumsum cumprod cummax cummin logcumsumexp accumulate "
    "reduce einsum matmul mm bmm mv dot vdot tensordot inner outer kron baddbmm addmm addbmm "
    "chain_matmul multi_dot matrix_power linear bilinear topk sort sorted argsort kthvalue median "
    "quantile nlargest nsmallest argpartition heappush heappushpop heapreplace insort "
    "insort_left insort_right "
    "fft ifft rfft irfft conv1d conv2d convolve correlate convolve2d correlate2d "
    "unfold sliding_window_view lfilter one_hot diag diag_embed diagonal trace eye cdist "
    "pairwise_distance inv pinv prod amax amin argmax argmin rsqrt sigmoid sum var_mean std_mean "
    "logaddexp scaled_dot_product_attention Embedding EmbeddingBag"
).split()  # fmt: skip
_METHODS = "mean average std var norm max min exp sqrt maximum minimum partition unique".split()


_COSTLY = frozenset(name[::-1] for name in COSTLY)
_CALLED = frozenset(name[::-1] for name in _NAMES)
_CALLED_METHODS = frozenset(name[::-1] for name in _METHODS)

# Read from the end of the text, where each match begins with a bracket: that is found at once.
_CALL = re.compile(r"\((\s*)(\w+)(\.(?!fles))?")
_PRODUCT = re.compile(r"@=?[ \t]*[A-Za-z_(\[]")
_DEFINED = re.compile(r"^[ \t]*def[ \t]+(\w+)", re.MULTILINE)
_MADE = re.compile(r"^[ \t]*self\.(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*(\w+)\(", re.MULTILINE)
_COUNTS = re.compile(r"\]\s*\+=\s*1|Counter\(|\+\s*1\b|len\(set\(")
_LISTED = re.compile(r"\S[ \t]+for\b")
_REPEATS = re.compile(r"\b(?:for|while)\b")
# Attributes that are turned into numbers of another type.
_CONVERTS = re.compile(r"self\.\w+\.(?:to|type_as|float|half|bfloat16)\(")
_LOOP = re.compile(r"^[ \t]*(?:for|while)\b", re.MULTILINE)


_LAYERS = re.compile(r"self\.\w+ *= *(?:torch\.)?(?:nn\.)?(?:Linear|Bilinear|Conv[123]d|\w+Norm)\(")
_NONE: frozenset[str] = frozenset()
_ANY_CALL = re.compile(r"\b(\w+)\(")
_OWN_CALL = re.compile(r"self\.\w+\(\w+\)")
_SOFTMAX = frozenset({"exponential", "softmax"})


class Screen:
    """Looks at the functions of one file."""

    def __init__(self, module: Module, everything: bool) -> None:
        lines = code_lines(module)
        text = "".join(lines)
        self._module, self._lines, self._text = module, lines, text
        self._everything = everything
        self._otherwise: dict[ast.stmt, bool] = {}
        self._kinds: dict[ast.stmt, frozenset[str]] = {}
        products = [m.start() for m in _PRODUCT.finditer(text) if _multiplies(text, m)]
        calls, costly, self._own, self._recurring = _calls(text)
        found = calls + products
        if "Linear(" in text:
            found += [match.end() for match in in_turn(text)]
        found += makes_arrays(text)
        found += slides(text)
        found += masks_twice(text)
        self._operations = sorted(found)
        self._loops = [match.start() for match in _LOOP.finditer(text)]
        self._again = sorted(costly + products)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self._lines))]

    def _place(self, node: ast.stmt) -> tuple[int, int]:
        """Where the lines of a statement begin and end."""
        return self._starts[node.lineno - 1], self._starts[node.end_lineno or node.lineno]

    @cached_property
    def _may_grow(self) -> bool:
        """Whether the file may make an array longer by joining it with what is new."""
        return may_join(self._module.text)

    @cached_property
    def _may_sample(self) -> bool:
        """Whether the file may choose items one by one and put them behind others."""
        text = self._module.text
        return LONGER.search(text) is not None and SAMPLES.search(text) is not None

    @cached_property
    def _may_copy(self) -> bool:
        """Whether the file may put keys and values behind those so far by copying all."""
        return "cat" in self._module.text and CONCATENATED.search(self._module.text) is not None

    @cached_property
    def _may_infer(self) -> bool:
        """Whether the file may make linear layers and apply them without gradients."""
        text = self._module.text
        return "Linear(" in text and ("no_grad" in text or "inference_mode" in text)

    @cached_property
    def _has_bytes(self) -> bool:
        """Whether the file may keep weights of 8 bits."""
        return "torch.int8" in self._module.text and "register_buffer(" in self._module.text

    @cached_property
    def _may_read_rows(self) -> bool:
        """Whether the file may use some rows of what a linear layer gives."""
        return self._words.reads_rows(self._module.text)

    @cached_property
    def _may_attend(self) -> bool:
        """Whether the file may attend to long sequences without gradients."""
        return may_attend(self._module)

    @cached_property
    def _may_truncate(self) -> bool:
        """Whether the file may put weights together from a few vectors."""
        return may_truncate(self._module.text)

    @cached_property
    def _may_chain(self) -> bool:
        """Whether the file says how large the arrays of its model are."""
        return may_chain(self._module)

    @cached_property
    def _may_do(self) -> bool:
        """Whether the file says that approximate counts are enough."""
        return may_declare(self._module.text)

    @cached_property
    def _foreign(self) -> Foreign:
        return Foreign(self._module)

    @cached_property
    def _words(self) -> Sought:
        return Sought(self._module, self._lines)

    @property
    def empty(self) -> bool:
        """Whether nothing in the file can be of interest."""
        return not (
            self._everything
            or self._operations
            or self._loops
            or self._again
            or ":=" in self._module.text
            or self._recurring
            or self._may_infer
            or self._may_chain
            or self._may_read_rows
        )

    def wants(self, node: ast.stmt, klass: ClassScope | None = None) -> bool:
        """Whether a rewrite could find anything in a function, a method of ``klass``, or in a
        statement outside of functions."""
        start, stop = self._place(node)
        operates = _between(self._operations, start, stop)
        if (operates or self._sums_weights(node, start, stop)) and self._seeks_operation(node):
            return True
        if not operates and self._composes(node, start, stop):
            return True
        if self._everything and _answers(node):
            return True
        if self._computes_again(node, start, stop):
            return True
        if klass is not None and self._applies_layers(node, klass):
            return True
        if self._may_read_rows and self._words.reads_rows(self._text[start:stop]):
            return True
        return _between(self._loops, start, stop) and self._wants_loop(node, klass, operates)

    def _sums_weights(self, node: ast.stmt, start: int, stop: int) -> bool:
        """Whether functions of the file are called that make exponentials and add up between
        them."""
        if "exp(" not in self._text or not self._words.halves:
            return False
        called = {*_ANY_CALL.findall(self._text, start, stop)} & self._words.halves.keys()
        kinds = [self._words.halves[name] for name in called - {getattr(node, "name", None)}]
        return len(_NONE.union(*kinds)) == 2

    @cached_property
    def _computed(self) -> list[int]:
        """Where functions of the file are called that hold operations, or call others, and may be
        read in place."""
        held = sorted([*self._operations, *(place for place, _ in self._own)])
        names = {
            node.name for node in self._module.statements
            if isinstance(node, ast.FunctionDef)
            and _between(held, *self._place(node)) and may_be_read(node)
        }  # fmt: skip
        return [place for place, name in self._own if name in names]

    def _composes(self, node: ast.stmt, start: int, stop: int) -> bool:
        """Whether functions of the file that are called may compute together what none of them does
        alone: several products, and something of another kind between them."""
        if not _between(self._computed, start, stop, 2):
            return False
        held = self.kinds(node)
        return "products" in held and any(
            len(kinds) > 1 and "products" in kinds <= held for kinds in self._sought
        )

    def _computes_again(self, node: ast.stmt, start: int, stop: int) -> bool:
        """Whether a function may compute a costly term again: in a loop, or twice; or a value for
        the same arguments; or encode or count what it need not."""
        if not isinstance(node, ast.FunctionDef):
            return False
        if (
            node.name in self._recurring
            and overlapping(as_function(node, reading=True)) is not None
        ):
            return True
        loops = _between(self._loops, start, stop)
        if loops and self._may_sample and recomputed(self._module, node) is not None:
            return True
        if self._may_copy and concatenated(self._module, node) is not None:
            return True
        if self._may_attend and attends(self._module, node):
            return True
        if self._may_truncate and may_truncate(self._text[start:stop]):
            return True
        if self._may_chain and node.name == "forward":
            return True
        if self._has_bytes and _CONVERTS.search(self._text, start, stop):
            return True
        if self._may_do and _COUNTS.search(self._text, start, stop):
            if declared(self._module, node) is not None:
                return True
        first = bisect_left(self._again, start)
        if not _between(self._again, start, stop, 2) and not self._calls_twice(start, stop):
            one = first < len(self._again) and self._again[first] < stop
            if not one or not _REPEATS.search(self._text, start, stop):
                return False
        return _again_in(Candidates(self._module, node))

    def _calls_twice(self, start: int, stop: int) -> bool:
        """Whether what may be a layer is called twice with the same name."""
        if not self._has_layers:
            return False
        calls = _OWN_CALL.findall(self._text, start, stop)
        return len(set(calls)) < len(calls)

    @cached_property
    def _has_layers(self) -> bool:
        """Whether the file may make layers that compute and do nothing else."""
        return _LAYERS.search(self._module.text) is not None

    def _applies_layers(self, node: ast.stmt, klass: ClassScope) -> bool:
        """Whether a method applies linear layers of stated sizes without gradients."""
        if not self._may_infer or not isinstance(node, ast.FunctionDef):
            return False
        return next(applications(self._module, klass, node, 1), None) is not None

    def spelled_otherwise(self, node: ast.stmt, klass: ClassScope | None) -> bool:
        """Whether a function may hold a loop in other words (``auditor.plain``): a fold, or values
        kept together that its steps hand on."""
        if not isinstance(node, ast.FunctionDef):
            return False
        if node not in self._otherwise:
            blocked = Blocked(self._foreign, Scope(node, klass), spelled=False)
            self._otherwise[node] = (
                self._hints_at(node)
                or self._lists(node, klass)
                or any(
                    (
                        self._hands_on(loop, node)
                        or self._fills(loop)
                        or fills_by_calls(self._module, klass, loop)
                    )
                    and not blocked.stays(loop)
                    for loop in loops_in(node)
                )
            )
        return self._otherwise[node]

    def _hands_on(self, loop: ast.For | ast.While, node: ast.stmt) -> bool:
        """Whether a loop hands on values that are kept together."""
        return keeps_together(loop) and (
            any(carries(part, node) for part in _nest(loop)) or carries_attributes(loop)
        )

    def _fills(self, loop: ast.For | ast.While) -> bool:
        """Whether a loop fills an array with rows that may be a softmax or made of one."""
        if not isinstance(loop, ast.For) or fills(loop) is None:
            return False
        return not _SOFTMAX.isdisjoint(self._words.kinds(self._text[slice(*self._place(loop))]))

    def _lists(self, node: ast.stmt, klass: ClassScope | None) -> bool:
        """Whether a function lists what others of the file compute."""
        start, stop = self._place(node)
        at = bisect_left(self._own, (start, ""))
        calls = at < len(self._own) and self._own[at][0] < stop
        may_list = calls and _LISTED.search(self._text, start, stop) is not None
        return may_list and lists_calls(self._module, klass, node)

    def _hints_at(self, node: ast.stmt) -> bool:
        start, stop = self._place(node)
        return (
            _between(self._hints, start, stop)
            or calls_generators(self._module, node)
            or folds_arrays(self._text[start:stop], node)
        )

    @cached_property
    def _hints(self) -> list[int]:
        return hints(self._text)

    def kinds(self, node: ast.stmt | ast.Module) -> frozenset[str]:
        """What is sought that the expressions of a function or statement may hold, and ``loop``
        where it has any."""
        if isinstance(node, ast.Module):
            return self._words.kinds(self._text) | {"loop"}
        if node not in self._kinds:
            start, stop = self._place(node)
            text = self._text[start:stop]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # its own name says nothing
                text = text.partition("lambda" if is_lambda(node) else "(")[2]
            loops = any(True for _ in loops_in(node))
            self._kinds[node] = self._words.kinds(text) | ({"loop"} if loops else set())
        return self._kinds[node]

    def _seeks_operation(self, node: ast.stmt) -> bool:
        if self._everything:
            return True
        held = self.kinds(node)
        return any(kinds <= held for kinds in self._sought)

    @cached_property
    def _sought(self) -> tuple[frozenset[str], ...]:
        """What the rewrites of the catalog look for besides loops, each time all of several
        kinds."""
        from auditor.rewrites import CATALOG

        return tuple({kinds: None for rewrite in CATALOG for kinds in rewrite.expressions})

    def _wants_loop(self, node: ast.stmt, klass: ClassScope | None, operates: bool) -> bool:
        """Whether a loop may be read: it computes (or what it calls does, where the function
        holds operations), hands something from step to step, and does nothing besides."""
        scope: ast.AST = node if isinstance(node, ast.FunctionDef) else self._module.tree
        blocked = Blocked(self._foreign, Scope(scope, klass))
        return any(
            self._everything
            or _takes_out(loop)
            or (self._may_grow and bool(grown(self._module, loop)))
            or (
                (operates or self._computes(loop) or self._keeps(loop) or moves_cells(loop))
                and (carries(loop, scope) or fills_cells(loop))
                and not blocked.stays(loop)
            )
            for loop in loops_in(node)
        )

    def _computes(self, loop: ast.For | ast.While) -> bool:
        return computes(loop, self._libraries, self._local)

    @cached_property
    def _libraries(self) -> set[str]:
        return {
            name for name, path in self._module.names.items()
            if path.split(".")[0] in ("torch", "numpy", "einops", "scipy")
        }  # fmt: skip

    @cached_property
    def _local(self) -> set[str]:
        """Functions of the file, and the attributes that hold what its classes make."""
        made = {
            name for name, made_by in _MADE.findall(self._module.text)
            if made_by in self._module.classes
        }  # fmt: skip
        return made.union(_DEFINED.findall(self._module.text))

    def _keeps(self, loop: ast.For | ast.While) -> bool:
        """Whether a loop that calls nothing else keeps items for later steps or for its end."""
        return any(map(_passes_on, every_statement(loop.body))) and all(
            is_pure(self._module, node) for node in descendants(loop) if isinstance(node, ast.Call)
        )

    def wants_module(self) -> bool:
        """Whether the statements outside functions and classes need a look."""
        skipped = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        statements = [s for s in self._module.tree.body if not isinstance(s, skipped)]
        if any(map(self.wants, statements)):
            return True
        if not any(_between(self._again, *self._place(s)) for s in statements):
            return False
        return _again_in(Candidates(self._module, self._module.tree))


def _calls(
    text: str,
) -> tuple[list[int], list[int], list[tuple[int, str]], frozenset[str]]:
    """Where operations are called that some rewrite may use, where costly ones are or functions of
    the file that may be, more than once, where functions of the file are called, and those of them
    that are called by their bare name."""
    found: list[int] = []
    costly: list[int] = []
    called: dict[str, list[int]] = {}
    for match in _CALL.finditer(text[::-1]):
        space, word, receiver = match.groups()
        if word in _COSTLY:
            costly.append(len(text) - match.end())
        if not receiver:
            called.setdefault(word[::-1], []).append(len(text) - match.end())
        bare = word.removeprefix("_")  # in place, or the author's own
        if (receiver and not space and bare in _CALLED_METHODS) or (
            bare in _CALLED or bare.removesuffix("_") in _CALLED
        ):
            found.append(len(text) - match.end())
    defined = Counter(_DEFINED.findall(text))  # which looks like a call, too
    more = {name: len(called.get(name, ())) - often for name, often in defined.items()}
    costly += [place for name, often in more.items() if often > 0 for place in called[name]]
    recurring = frozenset(name for name, often in more.items() if often > 0)
    own = ((place, name) for name in recurring for place in called[name])
    calls = sorted(one for one in own if text[max(0, one[0] - 4) : one[0]] != "def ")
    return found, costly, calls, recurring


def _again_in(found: Candidates) -> bool:
    """Whether there are terms that may be computed again."""
    return bool(found.terms) and bool(found.invariants() or found.alike())


def _nest(loop: ast.For | ast.While) -> Iterator[ast.For | ast.While]:
    """A loop and those in it."""
    return (node for node in descendants(loop) if isinstance(node, (ast.For, ast.While)))


def _takes_out(loop: ast.For | ast.While) -> bool:
    """Whether a loop finds the largest or smallest and removes something from a list."""
    finds = removes = False
    for node in everything_in(loop):
        if isinstance(node, ast.Call):
            finds |= isinstance(node.func, ast.Name) and node.func.id in ("max", "min")
            removes |= isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "remove")
        removes |= isinstance(node, ast.Delete)
    return finds and removes


def _multiplies(text: str, match: re.Match[str]) -> bool:
    """Whether an ``@`` is an operator: a decorator has nothing before it on its line and no space
    after it."""
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].rstrip()
    if before:
        return before[-1].isalnum() or before[-1] in "_])"
    return match.group()[1:2].isspace()


def _passes_on(node: ast.stmt) -> bool:
    """``if x: last = x``, ``a, b = x, a``."""
    if isinstance(node, ast.If):
        return any(isinstance(inner, ast.Assign) for inner in (*node.body, *node.orelse))
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Tuple)
        and any(holds(node.value, part) for part in everything_in(node.targets[0])
                if isinstance(part, ast.Name))
    )  # fmt: skip


def _answers(node: ast.stmt) -> bool:
    """Does it return what it computes with arrays or lists?"""
    wanted = (ast.BinOp, ast.Subscript, ast.ListComp, ast.Call)
    return any(
        isinstance(inner, (ast.BinOp, ast.Subscript, ast.ListComp))
        or (isinstance(r.value, ast.Call) and isinstance(r.value.func, ast.Attribute))
        for r in every_statement([node])
        if isinstance(r, ast.Return) and isinstance(r.value, (*wanted, ast.Name, ast.Tuple))
        for inner in everything_in(node)
    )


def _between(places: list[int], start: int, stop: int, often: int = 1) -> bool:
    """Whether so many places at least are from ``start`` to ``stop``."""
    at = bisect_left(places, start) + often - 1
    return at < len(places) and places[at] < stop


def loops_in(node: ast.stmt) -> Iterator[ast.For | ast.While]:
    """The loop statements of a function, those of the functions and classes in it left out."""
    inside = [node]
    while inside:
        statement = inside.pop()
        if isinstance(statement, (ast.For, ast.While)):
            yield statement
        if statement is node or not isinstance(statement, _DEFINITIONS):
            inside += statements_in(statement)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
