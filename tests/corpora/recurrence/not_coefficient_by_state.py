# refuse: which coefficient is used depends on the state
import torch


def switching_system(table, x):
    """Piecewise linear dynamics: the quadrant of the state picks the row of the table."""
    h = torch.zeros_like(x[0])
    hs = []
    for t in range(x.shape[0]):
        mode = int(h[0] > 0) + 2 * int(h[1] > 0)
        h = table[mode] * h + x[t]
        hs.append(h)
    return torch.stack(hs)


def cases(rng):
    table = torch.tensor(rng.uniform(-0.9, 0.9, (4, 2)), dtype=torch.float32)
    yield "switching_system", (table, torch.tensor(rng.standard_normal((15, 2))).float()), {}
