# refuse: RED502 the sums are over different axes

import torch


def marginals(x: torch.Tensor):
    rows = torch.softmax(x, dim=0)
    columns = torch.softmax(x, dim=1)
    return (rows * columns).sum()


def cases(rng):
    yield "marginals", (torch.from_numpy(rng.normal(size=(3, 4))).float(),), {}
