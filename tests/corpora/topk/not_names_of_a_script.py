# refuse: whoever imports the file finds the order there
import torch

torch.manual_seed(0)
x = torch.randn(7, 4)
order, places = torch.sort(x, dim=1, descending=True)
total = order[:, :3].sum()


def cases(rng):
    yield "lambda: (order, places, total)", (), {}
