"""Generation that encodes the whole prefix at every step.

Finds loops that give a sequence as a whole to a model, read the last place of what comes back, and
put one more item, made of it, behind the sequence: greedy decoding and sampling, with tensors or
lists, cut to a window or not. A call that is given what an earlier one kept (``past_key_values``,
a cache, a state) is none, nor is one of whose result more than the end is used.

Legal where each place attends to those before it only: what the model computes for them stays the
same when the sequence grows, so that its keys and values can be kept.

Finds as well keys and values that a step of decoding puts behind those so far with ``torch.cat``
and hands on to the next step: that copies all of them at every step. ``KVCache`` of
`auditor.kernels` writes the new places only, into memory that is made before or doubled.

Pays with the length: n steps encode n (n + 1) / 2 places instead of n, or copy as many.

Advice only: whether a model attends to earlier places alone, and by what name it takes a cache, is
not in this function. A model of transformers takes ``use_cache=True`` and gives back
``past_key_values``; then only the last item is passed on. Where the sequence is cut to a window the
kept values hold only as long as nothing is cut off, or positions are relative.

Sources: Pope et al., "Efficiently Scaling Transformer Inference" (2022), section 2; the
documentation of transformers on caches.
"""

from __future__ import annotations

import ast

from auditor.again.kept import CONCATENATED, concatenated
from auditor.again.prefixes import recomputed
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    if not site.again or site.node is not None:
        return None
    module = site.lifted.module
    found = recomputed(module, site.lifted.node)
    if found is None:
        return _copied(site)
    span = module.span(found.call)
    return Match(
        span=span,
        message=f"`{ast.unparse(found.call)[:60]}` encodes all of `{found.name}` at every step of"
        f" the loop at line {found.loop.lineno}, of which one item is new: keys and values of the"
        " others can be kept (`use_cache=True`, `past_key_values`; with an attention of"
        " your own, `auditor.kernels.KVCache`)",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 10.0},
    )


def _copied(site: Site) -> Match | None:
    """Keys and values that are concatenated at every step."""
    module, function = site.lifted.module, site.lifted.node
    if not isinstance(function, ast.FunctionDef) or not CONCATENATED.search(
        module.source(function)
    ):
        return None
    grown = concatenated(module, function)
    if grown is None:
        return None
    keys, values = grown
    span = module.span(keys.node)
    return Match(
        span=span,
        message=f"`{keys.name}` and `{values.name}` are copied as a whole at every step to put what"
        f" is new behind `{keys.before}`: `auditor.kernels.KVCache` writes the new places only",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 2.0},
    )


_GREEDY = """\
import torch


def generate(model, tokens, steps):
    for _ in range(steps):
        logits = model(tokens)[:, -1]
        chosen = logits.argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, chosen], dim=1)
    return tokens
"""

_DECODER = """\
import torch


def attend(q, k, v, past_k, past_v):
    k = torch.cat([past_k, k], dim=2)
    v = torch.cat([past_v, v], dim=2)
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return out, (k, v)
"""

REWRITE = Rewrite(
    code="RED504",
    name="prefix-recompute",
    summary="generation keeps keys and values instead of encoding the whole prefix at every step",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("again",),
    fix="advice",
    becomes="model(last, past_key_values=kept, use_cache=True)",
    unmatched=(
        _GREEDY.replace("model(tokens)[:, -1]", "model(tokens).mean(dim=1)"),
        _GREEDY.replace("model(tokens)", "model(tokens[:, -1:])"),
        _GREEDY.replace("model(tokens)[", "model(tokens, past_key_values=past)["),
        _GREEDY.replace("[tokens, chosen]", "[chosen, tokens]"),
        _GREEDY.replace("tokens = torch.cat([tokens, chosen], dim=1)", "tokens = chosen"),
        _GREEDY.replace("logits.argmax(dim=-1, keepdim=True)", "torch.zeros(1, 1)"),
        _DECODER.replace("return out, (k, v)", "return out"),
        _DECODER.replace("return out, (k, v)", "return k, v"),
        _DECODER.replace("[past_v, v], dim=2", "[past_v, v], dim=1"),
        _DECODER.replace("[past_k, k]", "[k, past_k]"),
        _DECODER.replace("    v = torch.cat([past_v, v], dim=2)\n", ""),
    ),
    again=True,
)
