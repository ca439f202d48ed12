# refuse: what the name was imported as is not what it means
import torch
from torch import relu, sigmoid, tanh

if torch.__version__:

    def sigmoid(z):
        return z.round()


while relu is not torch.round:
    relu = torch.round


def smooth(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = sigmoid(x[t]) * h + x[t]
        out.append(h)
    return torch.stack(out)


def walked(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = relu(x[t]) * h + x[t]
        out.append(h)
    return torch.stack(out)


def beside(x: torch.Tensor):
    return tanh(x)


def within(x: torch.Tensor):
    from torch import floor as tanh

    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = tanh(x[t]) * h + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float()
        yield "smooth", (x,), {}
        yield "walked", (x,), {}
        yield "within", (x,), {}
        yield "beside", (x,), {}
