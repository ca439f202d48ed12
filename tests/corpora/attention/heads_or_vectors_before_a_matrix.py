# expect: ASC109 unsafe scope=each_head
# expect: ASC109 unsafe scope=side_by_side
# expect: ASC109 unsafe scope=filled
import math

import torch


def each_head(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    found = []
    for h in range(queries.shape[0]):
        scores = queries[h] @ keys[h].T / math.sqrt(queries.shape[-1])
        found.append(torch.softmax(scores, -1) @ values[h])
    return torch.stack(found)


def side_by_side(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    heads = zip(queries, keys, values)
    return torch.stack([torch.softmax(q @ k.T, -1) @ v for q, k, v in heads])


def filled(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    out = torch.empty_like(queries)
    for h in range(queries.shape[0]):
        out[h] = torch.softmax(queries[h] @ keys[h].T, -1) @ values[h]
    return out


def cases(rng):
    draw = lambda *shape: torch.tensor(rng.normal(size=shape), dtype=torch.float32)
    for name in ("each_head", "side_by_side", "filled"):
        yield name, (draw(4, 4, 6), draw(4, 7, 6), draw(4, 7, 6)), {}
        yield name, (draw(3, 6), draw(3, 7, 6), draw(3, 7, 6)), {}
