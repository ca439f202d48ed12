# refuse: ASC107 torch keeps the result of its softmax, which is changed in place after a loop, in a
# container, on an object, or by a function that it is given to
import torch

SEEN = {}


def after_a_loop(x: torch.Tensor):
    for _ in range(2):
        e = torch.exp(x - x.amax(-1, keepdim=True))
        y = e / e.sum(-1, keepdim=True)
    y[0] = 0
    return y


def in_a_list(x: torch.Tensor):
    rows = []
    for row in range(2):
        e = torch.exp(x[row] - x[row].amax(-1, keepdim=True))
        rows.append(e / e.sum(-1, keepdim=True))
    for row in rows:
        row.mul_(2)
    return rows


def in_a_dictionary(x: torch.Tensor):
    kept = {}
    e = torch.exp(x - x.amax(-1, keepdim=True))
    kept["y"] = e / e.sum(-1, keepdim=True)
    kept["y"][0] = 0
    return kept["y"]


def by_an_inner_function(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    y = e / e.sum(-1, keepdim=True)

    def clear():
        y[0] = 0

    clear()
    return y


def zero(first):
    first[0] = 0


def by_a_function(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    y = e / e.sum(-1, keepdim=True)
    zero(y)
    return y


def around_autograd(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    y = e / e.sum(-1, keepdim=True)
    y.data[0] = 0
    return y


def in_the_module(x: torch.Tensor):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    SEEN["y"] = e / e.sum(-1, keepdim=True)
    return SEEN["y"]


def by_another_function(x):
    y = in_the_module(x)
    SEEN["y"].mul_(2)
    return y


class Weights(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        e = torch.exp(x - x.amax(-1, keepdim=True))
        self.y = e / e.sum(-1, keepdim=True)
        self.sharpen()
        return self.y

    def sharpen(self):
        self.y += 1


class Object:
    def made(self, x: torch.Tensor):
        e = torch.exp(x - x.amax(-1, keepdim=True))
        self.y = e / e.sum(-1, keepdim=True)
        self.y[0] = 0
        return self.y


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    for name in ("after_a_loop", "in_a_list", "in_a_dictionary", "by_an_inner_function",
                 "by_a_function", "around_autograd", "by_another_function", "Weights()",
                 "Object().made"):  # fmt: skip
        yield name, (x,), {}
