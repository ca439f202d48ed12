# expect: SPA405 safe scope=decode
import torch
import torch.nn.functional as F


def decode(x, encoder, decoder, bias):
    acts = F.relu(x @ encoder)
    top = acts.topk(3, dim=-1)
    sparse = torch.zeros_like(acts).scatter(-1, top.indices, top.values)
    return sparse @ decoder + bias


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield (
        "decode",
        (normal(rng, 5, 4), normal(rng, 4, 128), normal(rng, 128, 4), normal(rng, 4)),
        {},
    )
    yield "decode", (normal(rng, 1, 2), normal(rng, 2, 3), normal(rng, 3, 2), normal(rng, 2)), {}
