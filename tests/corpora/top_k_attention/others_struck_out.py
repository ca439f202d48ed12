# expect: SPA405 safe scope=attend
# expect: SPA405 safe scope=by_steps
import torch


def attend(q, k, v, count: int):
    scores = q @ k.mT
    places = scores.topk(count, -1)[1]
    others = torch.ones_like(scores).scatter_(-1, places, 0.0).bool()
    weights = scores.masked_fill(others, -torch.inf).softmax(-1)
    return weights.matmul(v)


def by_steps(q, k, v, count: int):
    scores = torch.matmul(q, k.transpose(-1, -2))
    places = scores.topk(count, dim=-1).indices
    kept = torch.zeros_like(scores, dtype=torch.bool)
    kept.scatter_(-1, places, True)
    return torch.matmul(scores.masked_fill(~kept, float("-inf")).softmax(-1), v)


def cases(rng):
    for name in ("attend", "by_steps"):
        for count in (1, 3):
            q, k, v = (torch.randn(2, n, 4, requires_grad=True) for n in (5, 7, 7))
            yield name, (q, k, v, count), {}
