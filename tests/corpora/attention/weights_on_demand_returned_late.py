# expect: ASC109 safe scope=f
import torch


def f(q, k, v, keep, *, with_weights=None):
    scores = torch.einsum("bid,bjd->bij", q, k)
    # nothing is seen of the padding
    scores = scores.masked_fill(~keep[:, None], float("-inf"))
    weights = scores.softmax(dim=-1)  # (b, i, j)

    out = torch.einsum("bij,bjd->bid", weights, v)
    if not with_weights:
        return out
    weights = weights.mean(0)
    return out, weights


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        keep = torch.ones(2, 7, dtype=torch.bool)
        keep[1, 4:] = False
        operands = draw(2, length, 4), draw(2, 7, 4), draw(2, 7, 6), keep
        yield "f", operands, {}
        yield "f", operands, {"with_weights": True}
