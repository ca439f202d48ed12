"""Which function of the file a call is of, and what each of its parameters is given."""

from __future__ import annotations

import ast

from auditor.plain.text import Written


def function_of(written: Written, node: ast.expr) -> ast.FunctionDef | None:
    """The function at the top of the file, or the method of the class, that is called."""
    module = written.module
    if isinstance(node, ast.Name):
        if node.id in written.stored or node.id in module.local_names(written.node):
            return None
        return module.functions.get(node.id)
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    own = node.value.id == "self" and written.klass is not None
    return module.method(written.klass, node.attr) if own and written.klass else None


def arguments_of(node: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr] | None:
    """What a call gives each parameter, constants by default; of a method its object first. None
    where that is not known, or something else may be done than to call the function."""
    spec = function.args
    if spec.vararg or spec.kwarg or function.decorator_list:
        return None
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    values = list(node.args)
    if isinstance(node.func, ast.Attribute):
        values.insert(0, node.func.value)
    if len(values) > len(names) or any(isinstance(arg, ast.Starred) for arg in values):
        return None
    bound = dict(zip(names, values, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in bound:
            return None
        bound[keyword.arg] = keyword.value
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    defaults |= {
        arg.arg: default
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if default is not None
    }
    for each in (*names, *(arg.arg for arg in spec.kwonlyargs)):
        if each not in bound:
            if not isinstance(defaults.get(each), ast.Constant):
                return None
            bound[each] = defaults[each]
    return bound if bound.keys() == {*names, *(arg.arg for arg in spec.kwonlyargs)} else None
