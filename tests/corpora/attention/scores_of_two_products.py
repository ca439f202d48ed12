# expect: ASC109 safe scope=content_and_place
# expect: ASC109 safe scope=latent
# expect: ASC109 safe scope=difference
import torch


def content_and_place(q, k, v, p, mask=None):
    content = torch.matmul(q, k.transpose(-1, -2))
    place = torch.matmul(q, p.transpose(-1, -2))
    scores = (content + place) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    return scores.softmax(-1) @ v


def latent(q, turned, keys, places, mask):
    scores = torch.einsum("bshc,btc->bsht", q, keys)
    scores = (scores + torch.einsum("bshr,btr->bsht", turned, places)) * 0.5
    scores = scores + mask
    return torch.einsum("bsht,btc->bshc", scores.softmax(dim=-1), keys)


def difference(q, k, v, p):
    return (q @ k.mT - q @ p.mT).softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for m, n in ((1, 1), (5, 7)):
        q, k, v, p = draw(2, 3, m, 4), draw(2, 3, n, 4), draw(2, 3, n, 4), draw(2, 3, n, 4)
        hidden = torch.tensor(rng.random((m, n)) < 0.5)
        yield "content_and_place", (q, k, v, p), {}
        yield "content_and_place", (q, k, v, p, hidden), {}
        yield "difference", (q, k, v, p), {}
        keys = draw(2, n, 4), draw(2, n, 3)
        yield "latent", (draw(2, m, 3, 4), draw(2, m, 3, 3), *keys, draw(m, 1, n)), {}
