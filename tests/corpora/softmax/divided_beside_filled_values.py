# expect: ASC107 safe scope=attend

import torch
from torch import einsum


def attend(queries, keys, values, real=None):
    width = queries.shape[-1]
    if real is not None:
        present = real[:, None, :, None]
        values = values.masked_fill(~present, 0.0)
    queries = torch.exp(queries)
    queries = queries / queries.sum(dim=-1, keepdim=True)
    # what is masked is as wide as the queries, and not one number wide
    queries = queries * width**-0.5
    context = einsum("bhnd,bhne->bhde", keys, values)
    out = einsum("bhnd,bhde->bhne", queries, context)
    return out.reshape(*queries.shape)


def cases(rng):
    for batch, length, width in ((2, 5, 4), (1, 1, 3), (3, 7, 2)):
        made = [
            torch.tensor(rng.standard_normal((batch, 2, length, width)), requires_grad=True)
            for _ in range(3)
        ]
        yield "attend", (*made, torch.tensor(rng.random((batch, length)) < 0.7)), {}
        yield "attend", tuple(made), {}
