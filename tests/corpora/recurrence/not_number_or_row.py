# refuse: what is added has the axes of a row or none, as a flag says
import torch


def gated(x: torch.Tensor, gate: bool):
    h, out = torch.ones(x.shape[1]), []
    for t in range(x.shape[0]):
        h = 0.7 * h + (x[t] if gate else 0.5)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        for gate in (False, True):
            yield "gated", (torch.tensor(rng.standard_normal((n, 3))), gate), {}
