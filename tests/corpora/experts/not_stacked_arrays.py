# refuse: SPA403 a gate of all experts, what they give used besides, axes that meet otherwise
import torch
import torch.nn.functional as F


def gate_of(x, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))


def all_weighted(x, w, router):
    gate = (x @ router).softmax(-1)
    y = torch.einsum("bd,edh->beh", x, w)
    return (y * gate[:, :, None]).sum(1)


def outputs_returned(x, w, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,edh->beh", x, w)
    return (y * gate[:, :, None]).sum(1), y


def activated_last(x, w, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = F.relu(torch.einsum("bd,edh->beh", x, w))
    return (y * gate[:, :, None]).sum(1)


def summed_over_tokens(x, w, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,edh->beh", x, w)
    return (y * gate[:, :, None]).sum(0)


def tokens_of_each(x, w, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,bdh->bh", x, w[: len(x)])
    return y * gate.sum(1, keepdim=True)


def changed_between(x, w, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    y = torch.einsum("bd,edh->beh", x, w)
    x = x + 1
    return (y * gate[:, :, None]).sum(1) + x.sum()


def weighted_before(x, w1, w2, router):
    logits = x @ router
    top, places = logits.topk(2, dim=-1)
    gate = torch.zeros_like(logits).scatter(-1, places, top.softmax(-1))
    h = torch.einsum("bd,edh->beh", x, w1) * gate[:, :, None]
    return torch.einsum("beh,eho->beo", F.gelu(h), w2).sum(1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for n in (5, 1):
        x, w, router = draw(n, 4), draw(5, 4, 3), draw(4, 5)
        for name in ("all_weighted", "outputs_returned", "activated_last", "summed_over_tokens",
                     "tokens_of_each", "changed_between"):  # fmt: skip
            yield name, (x, w, router), {}
        yield "weighted_before", (x, w, draw(5, 3, 2), router), {}
