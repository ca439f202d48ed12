# refuse: ASC107 the maximum and the sum are kept in double precision
import torch


def log_sum_exp(x: torch.Tensor):
    m = torch.tensor(float("-inf"), dtype=torch.float64)
    s = torch.tensor(0.0, dtype=torch.float64)
    for i in range(x.shape[0]):
        new = torch.maximum(m, x[i])
        s = s * torch.exp(m - new) + torch.exp(x[i] - new)
        m = new
    return m + torch.log(s)


def cases(rng):
    for n in (5, 1):
        yield "log_sum_exp", (torch.from_numpy(rng.standard_normal(n, dtype="float32")),), {}
