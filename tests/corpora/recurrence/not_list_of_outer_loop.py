# refuse: the list is filled by the outer loop too
import torch


def run(x: torch.Tensor):
    h = torch.zeros(x.shape[1])
    out = []
    rounds = []
    for _ in range(2):
        for t in range(x.shape[0]):
            h = 0.9 * h + x[t]
            out.append(h)
        rounds.append(torch.stack(out))
    return rounds


def cases(rng):
    for length in (1, 6):
        yield "run", (torch.tensor(rng.standard_normal((length, 3))).float(),), {}
