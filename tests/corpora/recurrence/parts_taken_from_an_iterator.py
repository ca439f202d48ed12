# expect: ASC101 safe scope=stacked
# expect: ASC101 safe scope=joined
import numpy as np
import torch


def stacked(x, decay):
    rows = iter(x.unbind(1))
    h = next(rows)
    kept = [h]
    for row in rows:
        h = decay * h + row
        kept.append(h)
    return torch.stack(kept, dim=1)


def joined(x, decay):
    pieces = iter(x.split(1, dim=1))
    h = next(pieces)
    kept = [h]
    for piece in pieces:
        h = decay * h + piece
        kept.append(h)
    return torch.cat(kept, dim=1)


def cases(rng: np.random.Generator):
    for length in (2, 7):
        x = torch.from_numpy(rng.standard_normal((2, length, 3)).astype(np.float32))
        yield "stacked", (x.requires_grad_(), 0.5), {}
        yield "joined", (x, 0.5), {}
