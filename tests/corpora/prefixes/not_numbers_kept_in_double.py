# refuse: ASC105 ASC106 beside numbers the type of the start counts, beside all of them it does not
import torch


def running(x: torch.Tensor):
    (n,) = x.shape
    acc = torch.tensor(float("-inf"), dtype=torch.float64)
    out = []
    for t in range(n):
        acc = torch.logaddexp(acc, x[t])
        out.append(acc)
    return torch.stack(out)


def cases(rng):
    for n in (5, 1):
        yield "running", (torch.from_numpy(rng.standard_normal(n, dtype="float32")),), {}
