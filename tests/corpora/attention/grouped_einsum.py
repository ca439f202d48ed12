# expect: ASC109 safe scope=gqa
import torch


def gqa(q, k, v):
    b, n, h, d = q.shape
    g = k.shape[2]
    q = q.view(b, n, g, h // g, d)
    scores = torch.einsum("bqghd,bkgd->bghqk", q, k) * d**-0.5
    w = torch.softmax(scores, dim=-1)
    out = torch.einsum("bghqk,bkgd->bqghd", w, v)
    return out.reshape(b, n, h * d)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "gqa",
        (
            draw(2, 5, 6, 4),
            draw(2, 7, 2, 4),
            draw(2, 7, 2, 4),
        ),
        {},
    )
