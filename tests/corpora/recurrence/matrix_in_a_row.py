# expect: ASC103 safe scope=recalled
import torch


def recalled(keys, values, queries):
    memory = torch.zeros(3, 3)
    out = []
    for t in range(len(keys)):
        memory = memory + torch.outer(keys[t], values[t])
        out.append(memory @ queries[t])
    return torch.stack(out)


def cases(rng):
    yield "recalled", tuple(torch.tensor(rng.random((5, 3))).float() for _ in range(3)), {}
    yield "recalled", tuple(torch.tensor(rng.random((1, 3))).float() for _ in range(3)), {}
