# expect: ASC110 safe scope=router
# expect: ASC110 safe scope=places
# expect: ASC110 safe scope=values
import torch
import torch.nn.functional as F
from torch import Tensor


def router(gate_logits: Tensor, k: int = 2):
    probs = F.softmax(gate_logits, dim=-1)
    weights = []
    experts = []
    p = probs
    for _ in range(k):
        w, e = p.max(dim=-1)
        weights.append(w)
        experts.append(e)
        p = p.scatter(-1, e.unsqueeze(-1), float("-inf"))
    return torch.stack(weights, -1), torch.stack(experts, -1)


def places(scores: Tensor, k: int):
    scores = scores.clone()
    picked = []
    for _ in range(k):
        place = scores.argmax(dim=-1)
        picked.append(place)
        scores.scatter_(-1, place.unsqueeze(-1), -torch.inf)
    return torch.stack(picked, dim=-1)


def values(logits: Tensor):
    n = logits.shape[-1]
    best = []
    for _ in range(2):
        v, i = torch.max(logits, dim=-1)
        best.append(v)
        logits = logits.masked_fill(F.one_hot(i, n).bool(), float("-inf"))
    return torch.stack(best, dim=-1)


def cases(rng):
    for shape in ((3, 7), (2, 3, 5), (1, 2)):
        x = torch.tensor(rng.standard_normal(shape), requires_grad=True)
        yield "router", (x,), {}
        yield "router", (x, 1), {}
        yield "places", (x.detach(), 2), {}
        yield "values", (x,), {}
        equal = torch.tensor(rng.integers(3, size=shape), dtype=torch.float32)
        yield "places", (equal, 2), {}
