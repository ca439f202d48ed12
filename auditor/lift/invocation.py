"""Calls as the code makes them: of library functions, of the file's own, of anything else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from auditor.lift import contents, tables
from auditor.lift.arrays import Unsupported
from auditor.lift.call_effects import Does, calls_given, does
from auditor.lift.declined import case
from auditor.lift.filled import FILLING
from auditor.lift.module import ClassScope, Module, path_of
from auditor.lift.objects import (
    Function,
    Instance,
    Literal,
    Members,
    Method,
    Named,
    Obj,
    Partial,
    Sequence,
    Shape,
    Unknown,
    Written,
)
from auditor.lift.stored import stored_arrays, stored_names
from auditor.notation import Value
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def call(lifter: Lifter, node: ast.Call, env: Env) -> Obj:
    before, written = len(lifter.effects), len(lifter.overwritten)
    try:
        result = _called(lifter, node, env)
    except Unsupported:  # what it computes may have no notation
        _reached(lifter, node, env, before, written)
        raise
    finally:
        _filled(lifter, node, env)
    if node in lifter.changing and _held(lifter, written, env):
        brief = lifter.module.brief(node.func)
        result = unknown_call(lifter, node, f"`{brief}` changes what it is given", [])
    happened = _reached(lifter, node, env, before, written)
    if lifter.active and happened:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            given.append(node.func.value)
        args = [lifter.values[arg] for arg in given if arg in lifter.values]
        lifter.origins.call(lifter, node, args, result, env)
    return result


def _reached(lifter: Lifter, node: ast.Call, env: Env, before: int, written: int) -> bool:
    """Whether a call may do more than compute: then it may have written into what it reaches."""
    handed = calls_given(lifter.module, node)
    if handed is not None:
        lifter.effect("call", f"has `{lifter.module.brief(handed, 60)}` called", node)
    elif len(lifter.effects) == before and _method_fills(lifter.module, node):
        lifter.effect("mutation", f"calls `{lifter.module.brief(node.func, 60)}`", node)
    happened = any(e.kind in ("call", "mutation") for e in lifter.effects[before:])
    if happened or len(lifter.overwritten) > written:
        contents.after_call(lifter, node, env)
    return happened


def _method_fills(module: Module, node: ast.Call) -> bool:
    """``x.partition(2)``, which is a method of texts as well."""
    called = node.func
    return (
        isinstance(called, ast.Attribute)
        and called.attr in FILLING
        and does(module, node) is Does.WRITES
    )


def _filled(lifter: Lifter, node: ast.Call, env: Env) -> None:
    """What a library writes its result into holds another value afterwards."""
    for word in node.keywords:
        if word.arg != "out" or not isinstance(word.value, ast.Name):
            continue
        name, path = word.value.id, path_of(lifter.module, node.func) or ""
        library = path.startswith(("torch.", "numpy."))
        if library and isinstance(env.get(name), (Value, Written)):
            reason = f"`{lifter.module.brief(node.func)}` writes into `{name}`"
            env[name] = Unknown(reason, lifter.module.span(node))
            lifter.origins.anything(lifter, env[name])


def _held(lifter: Lifter, written: int, env: Env) -> bool:
    """Whether a name of the caller, or what keeps things, may hold any array that was changed in
    place since ``written``."""
    changed = frozenset[Value]().union(*(memory for memory, _ in lifter.overwritten[written:]))
    held = (*env.values(), *lifter.stored)
    return any(not changed.isdisjoint(lifter.memory(obj)) for obj in held)


def _called(lifter: Lifter, node: ast.Call, env: Env) -> Obj:
    function = lifter.eval(node.func, env)
    args: list[Obj] = []
    for arg in node.args:
        obj = lifter.eval(arg, env)
        if isinstance(arg, ast.Starred):
            if isinstance(obj, Sequence):
                args.extend(obj.items)
                continue
            if not isinstance(obj, Shape):
                return unknown_call(lifter, node, "an argument list of unknown length", args)
        args.append(obj)
    keywords: dict[str, Obj] = {}
    for keyword in node.keywords:
        obj = lifter.eval(keyword.value, env)
        if keyword.arg is None:
            return unknown_call(lifter, node, "keyword arguments of unknown names", args)
        keywords[keyword.arg] = obj
    lifter.here(node)
    if isinstance(function, Named) and function.path == "functools.partial" and args:
        given = (*args[1:], *keywords.values())
        lifter.stored.update(one for one in given if isinstance(one, Value))
        return Partial(args[0], tuple(args[1:]), keywords)
    while isinstance(function, Partial):
        args, keywords = [*function.args, *args], {**function.keywords, **keywords}
        function = function.function
    if isinstance(function, Function):
        return inline_call(lifter, function, args, keywords, node)
    if isinstance(function, Unknown) and not function.owner:
        return unknown_call(lifter, node, f"`{lifter.module.brief(node.func)}` is unknown", args)
    meaning = tables.meaning(lifter, function)
    if meaning is None:
        return _call_local(lifter, function, args, keywords, node)
    if isinstance(function, (Method, Instance)):
        args = [function.receiver if isinstance(function, Method) else function, *args]
    return meaning.call(lifter, args, keywords)


def _call_local(
    lifter: Lifter, function: Obj, args: list[Obj], keywords: dict[str, Obj], node: ast.Call
) -> Obj:
    """A method of the same class, or something without a meaning."""
    if isinstance(function, Named) and function.path == "self.register_buffer":
        if lifter.setting is not None and len(args) > 1 and isinstance(args[0], Literal):
            lifter.setting[str(args[0].value)] = args[1]
            return Literal(None)
    if isinstance(function, Named) and function.path.startswith("self.") and lifter.klass:
        name = function.path[5:]
        method = lifter.module.method(lifter.klass, name)
        if method is not None:
            given = args if is_static(lifter.module, method) else [Named("self"), *args]
            result = inline_call(lifter, Function(method, {}), given, keywords, node)
            if not isinstance(result, Unknown):
                lifter.facts.assume(f"self.{name}()", f"no subclass elsewhere overrides `{name}`")
            return result
    if isinstance(function, Named) and function.path.startswith("class "):
        static = _static_of(lifter, function.path)
        if static is not None:
            return inline_call(lifter, Function(static, {}), args, keywords, node)
        made = _construct(lifter, function.path, args, keywords)
        if made is not None:
            return made
    part = _part_called(lifter, function)
    if part is not None and not (lifter.facts.sealed and part[1].name == "forward"):
        receiver, method = part
        result = inline_call(lifter, Function(method, {}), [receiver, *args], keywords, node)
        if not isinstance(result, Unknown) and method.name == "forward":
            lifter.parts.append((receiver.name, 0 if lifter.depth else node.lineno))
        elif not isinstance(result, Unknown):
            sentence = f"`{receiver.name}` is what the constructor made"
            lifter.facts.assume(f"{receiver.name}()", sentence)
        return result
    return unknown_call(
        lifter, node, f"`{lifter.module.brief(node.func)}` has no meaning here", args
    )


def is_static(module: Module, function: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a method is given no object: decorated with ``staticmethod`` alone."""
    decorators = getattr(function, "decorator_list", ())
    alone = [ast.unparse(decorator) for decorator in decorators] == ["staticmethod"]
    return alone and "staticmethod" not in module.bound


def _static_of(lifter: Lifter, path: str) -> ast.FunctionDef | None:
    """The static method that ``class A.name`` is."""
    owner, _, name = path.removeprefix("class ").partition(".")
    klass = lifter.module.classes.get(owner)
    method = None if klass is None else lifter.module.method(klass, name, heirs=False)
    return method if method is not None and is_static(lifter.module, method) else None


def _construct(
    lifter: Lifter, path: str, args: list[Obj], keywords: dict[str, Obj]
) -> Instance | None:
    """A part that a constructor makes from a class of the file: one without bases that would have
    a say in what its methods do."""
    from auditor.lift import constructed

    klass = lifter.module.classes.get(path.removeprefix("class "))
    if klass is None:  # something below a class
        return None
    if lifter.setting is None or lifter.depth >= 3 or not _stands_alone(lifter, klass):
        return None
    init = klass.methods.get("__init__")
    if init is None:
        return None if args or keywords else Instance(path, (), {})
    bound: Env = {}
    if not _bind_arguments(init.args, [Named("self"), *args], keywords, bound, lifter):
        return None
    module, depth = lifter.module, lifter.depth + 1
    members = Members(lambda: constructed(module, klass, bound, depth))
    return Instance(path, tuple(args), dict(keywords), "", members)


def _stands_alone(lifter: Lifter, klass: ClassScope) -> bool:
    """Whether a class is a module of torch or has no base, and changes nothing of how an object is
    made, called or asked for its attributes."""
    special = {"__new__", "__getattr__", "__getattribute__", "__setattr__", "__call__"}
    bases = [path_of(lifter.module, base) for base in klass.node.bases]
    module = bases in (["torch.nn.Module"], ["torch.nn.modules.Module"])
    if klass.node.keywords or klass.node.decorator_list or not (module or not bases):
        return False
    return not special - ({"__call__"} if not module else set()) & klass.methods.keys()


def _part_called(lifter: Lifter, function: Obj) -> tuple[Instance, ast.FunctionDef] | None:
    """The part of a module that is called, or whose method is, with the function that then runs:
    not where hooks may run as well."""
    receiver, name = function, ""
    if isinstance(function, Method):
        receiver, name = function.receiver, function.name
    if not isinstance(receiver, Instance) or not receiver.path.startswith("class "):
        return None
    klass = lifter.module.classes[receiver.path.removeprefix("class ")]
    if not name:
        if klass.node.bases and lifter.module.hooks:
            return None
        name = "forward" if klass.node.bases else "__call__"
    method = lifter.module.method(klass, name, heirs=False)
    return (receiver, method) if method is not None else None


def unknown_call(lifter: Lifter, node: ast.Call, reason: str, args: list[Obj]) -> Obj:
    """A call that may do anything to what it can reach."""
    lifter.effect("call", f"calls `{lifter.module.brief(node.func, 60)}`", node)
    span = lifter.module.span(node)
    owner = lifter.mine(f"`{lifter.module.brief(node, 40)}` (line {span.line})")
    if _makes_a_matrix(path_of(lifter.module, node.func) or ""):
        return Unknown("a matrix that is no array has no notation", span, shaped=owner)
    return Unknown(reason, span, owner)


def _makes_a_matrix(path: str) -> bool:
    """Whether a function makes what multiplies like a matrix where an array is multiplied element
    by element, or a sparse array, of which few operations are those of an array."""
    root, _, name = path.rpartition(".")
    if root == "scipy.sparse":
        return not name.startswith(("is", "find", "get_", "safely_", "save"))
    return root == "numpy" and name in ("matrix", "asmatrix", "mat", "bmat")


def inline_call(
    lifter: Lifter, function: Function, args: list[Obj], keywords: dict[str, Obj], node: ast.Call
) -> Obj:
    """A call of a small pure function of the same file: its body, evaluated in place."""
    name = getattr(function.node, "name", "the lambda")
    if lifter.depth >= 3:
        return unknown_call(lifter, node, f"`{name}` is nested too deep", args)
    if getattr(function.node, "decorator_list", ()) and not is_static(lifter.module, function.node):
        return unknown_call(lifter, node, f"`{name}` is decorated", args)
    taken = _captured(lifter, function)
    if taken is not None:
        reason = f"`{name}` reads `{taken}`, which means something else here"
        return unknown_call(lifter, node, reason, args)
    env = dict(function.closure)
    moved = _rebound(lifter.module, function)
    if moved is not None:
        return unknown_call(lifter, node, f"`{name}` reads `{moved}`, bound again later", args)
    if not _bind_arguments(function.node.args, args, keywords, env, lifter):
        return unknown_call(lifter, node, f"the arguments of `{name}` are not plain", args)
    written = len(lifter.overwritten)
    lifter.depth += 1
    lifter.callers.append(node)
    try:
        if isinstance(function.node, ast.Lambda):
            result: Obj | str = lifter.eval(function.node.body, env)
        else:
            result = _inline_body(lifter, function.node, env)
    finally:
        lifter.callers.pop()
        lifter.depth -= 1
    if isinstance(result, str):
        lifter.stored.update(arg for arg in args if isinstance(arg, Value))
        return unknown_call(lifter, node, result, args)
    given = frozenset[Value]().union(*map(lifter.memory, (*args, *keywords.values())))
    if any(not given.isdisjoint(memory) for memory, _ in lifter.overwritten[written:]):
        lifter.changing.add(node)
    return result


def _captured(lifter: Lifter, function: Function) -> str | None:
    """A name of the module that a function reads and that the function being lifted binds or
    changes itself: in its place, the name would mean something else."""
    free = lifter.module.free_names(function.node) - function.closure.keys()
    return min(free & lifter.taken, default=None)


def _rebound(module: Module, function: Function) -> str | None:
    """A name of the scopes around a function that it reads and that they bind after its definition:
    which of the values it reads depends on when it is called."""
    if not function.closure:
        return None
    later = module.bound_after(function.node)
    later |= module.shared_names & function.closure.keys()
    return min(later & module.free_names(function.node), default=None)


_PLAIN = (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.If, ast.AugAssign)


def is_plain(function: ast.FunctionDef) -> bool:
    """Whether the statements of a function are such as can be read in place of a call."""
    return all(isinstance(statement, _PLAIN) for statement in function.body)


def may_be_read(function: ast.FunctionDef) -> bool:
    """Whether a call of a function may be read as its body: what its arguments are aside."""
    spec = function.args
    return (
        is_plain(function)
        and isinstance(function.body[-1], ast.Return)
        and not (function.decorator_list or spec.vararg or spec.kwarg)
    )


def _inline_body(lifter: Lifter, function: ast.FunctionDef, env: Env) -> Obj | str:
    """What a call of a function gives back, or why its body cannot be read in its place."""
    if not is_plain(function):
        return f"`{function.name}` has no notation"
    changed = _changed_outside(function)
    if changed is not None:
        return f"`{function.name}` changes `{changed}`"
    this = case(lifter, function, env)
    if this in lifter.declined:
        reason, changes = lifter.declined[this]
        lifter.epoch += changes
        return reason
    epoch = lifter.epoch
    result = _read_body(lifter, function, env)
    if isinstance(result, str):
        if lifter.epoch == epoch and _sets_attributes(lifter.module, function):
            lifter.epoch += 1
        lifter.declined[this] = (result, lifter.epoch - epoch)
    return result


def _read_body(lifter: Lifter, function: ast.FunctionDef, env: Env) -> Obj | str:
    """What the body of a function gives back, or why it cannot be read in place of a call."""
    from auditor.lift import statements
    from auditor.lift.lifter import HasEffects

    before, returns, loops = len(lifter.effects), lifter.returns, len(lifter.loops)
    branches, found = lifter.branches, list[tuple[ast.Return, Obj]]()
    lifter.returns = []
    lifter.inlined.append(len(lifter.active))
    try:
        statements.block(lifter, function.body, env)
        found = lifter.returns
    except HasEffects:
        lifter.branches = branches
        del lifter.joined[branches:]
    finally:
        lifter.inlined.pop()
        lifter.returns = returns
        del lifter.loops[loops:]  # they are the other function's
    if len(lifter.effects) > before:
        del lifter.effects[before:]
        return f"`{function.name}` has effects"
    if len(found) != 1 or found[0][0] is not function.body[-1]:
        return f"`{function.name}` has no single result"
    return found[0][1]


_setting: WeakKeyDictionary[ast.FunctionDef, bool] = WeakKeyDictionary()


def _sets_attributes(module: Module, function: ast.FunctionDef) -> bool:
    """Whether a function, or one of the file whose name it mentions, assigns to an attribute."""
    if function not in _setting:
        reached, found = [function], False
        for one in reached:  # grows while it is walked
            for node in descendants(one):
                word = ""
                if isinstance(node, ast.Attribute):
                    found |= not isinstance(node.ctx, ast.Load)
                    word = node.attr
                elif isinstance(node, ast.Name):
                    word = node.id
                reached += [each for each in module.called(word) if each not in reached]
        _setting[function] = found
    return _setting[function]


def _changed_outside(function: ast.FunctionDef) -> str | None:
    """Something that a function changes in place and that is not its own: an argument, or a name
    of the scope around it."""
    if function not in _changes:
        body = function.body
        own = {
            n.id for s in body for n in descendants(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }  # fmt: skip
        changed = {**stored_names(body), **stored_arrays(body)}
        _changes[function] = next((name for name in changed if name not in own), None)
    return _changes[function]


_changes: WeakKeyDictionary[ast.FunctionDef, str | None] = WeakKeyDictionary()


def _lasting(lifter: Lifter, default: ast.expr) -> bool:
    """Whether a default still is what it was where its function was defined: it is made of literals
    and of names that the file binds once."""
    module = lifter.module
    for node in descendants(default):
        if isinstance(node, ast.Name):
            sure = node.id in module.settled or node.id not in module.bound
            if not sure or node.id in lifter.taken or module.settings.in_classes(node.id):
                return False
        elif not isinstance(node, _LASTING):
            return False
    return True


_LASTING = (ast.Constant, ast.Attribute, ast.Tuple, ast.UnaryOp, ast.BinOp) + (
    (ast.unaryop, ast.operator, ast.expr_context)
)


def _bind_arguments(
    spec: ast.arguments, args: list[Obj], keywords: dict[str, Obj], env: Env, lifter: Lifter
) -> bool:
    if spec.vararg or spec.kwarg:
        return False
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if len(args) > len(names):
        return False
    bound = dict(zip(names, args, strict=False))
    for name, obj in keywords.items():
        if name in bound:
            return False
        bound[name] = obj
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    defaults.update(
        (arg.arg, default)
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if default is not None
    )
    for name in (*names, *(arg.arg for arg in spec.kwonlyargs)):
        if name not in bound:
            if name not in defaults:
                return False
            default = defaults[name]
            # what it was where the function was defined
            known = lifter.values.get(default)
            if known is None and not _lasting(lifter, default):
                return False
            bound[name] = known or lifter.eval(default, {})
    env.update(bound)
    return True
