# refuse: what is left of the iterator is returned
import numpy as np
import torch


def first_steps(x, decay):
    rows = iter(x.unbind(1))
    h = next(rows)
    kept = [h]
    for row in rows:
        h = decay * h + row
        kept.append(h)
        if len(kept) == 3:
            break
    return torch.stack(kept, dim=1), list(rows)


def cases(rng: np.random.Generator):
    x = torch.from_numpy(rng.standard_normal((2, 6, 3)).astype(np.float32))
    yield "first_steps", (x, 0.5), {}
