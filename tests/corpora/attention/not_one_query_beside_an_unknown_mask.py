# refuse: a mask of one axis meets the keys, and would meet the query
import torch


def read(q, keys, values, mask=None):
    scores = torch.bmm(keys, q.unsqueeze(-1)).squeeze(-1)
    if mask is not None:
        scores = scores + mask
    return torch.bmm(scores.softmax(1).unsqueeze(1), values).squeeze(1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "read", (draw(2, 4), draw(2, 5, 4), draw(2, 5, 4)), {}
    yield "read", (draw(2, 4), draw(2, 5, 4), draw(2, 5, 4), draw(2, 5)), {}
    yield "read", (draw(2, 4), draw(2, 5, 4), draw(2, 5, 4), draw(5)), {}
