# expect: ASC101 safe scope=beside_rows
# expect: ASC101 safe scope=beside_cast
# expect: ASC101 safe scope=beside_a_column
# expect: ASC101 safe scope=in_another_order
# expect: ASC101 safe scope=of_a_column
# expect: ASC101 safe scope=two_parts
import torch


def beside_rows(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    states, inputs = [], []
    for t in range(steps):
        h = a * h + x[:, t]
        states.append(h)
        inputs.append(x[:, t])
    left = torch.stack(states, dim=1)
    right = torch.stack(inputs, dim=1)
    right += 1
    return left, right


def beside_cast(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    states, cast = [], []
    for t in range(steps):
        h = a * h + x[:, t]
        states.append(h)
        cast.append(h.to(x.dtype))
    left = torch.stack(states, dim=1)
    right = torch.stack(cast, dim=1)
    right += 1
    return left, right


def beside_a_column(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    states, firsts = [], []
    for t in range(steps):
        h = a * h + x[:, t]
        states.append(h)
        firsts.append(h[:, 0])
    left = torch.stack(states, dim=1)
    right = torch.stack(firsts, dim=1)
    right += 1
    return left, right


def in_another_order(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    states, again = [], []
    for t in range(steps):
        h = a * h + x[:, t]
        states.append(h)
        again.append(h)
    left = torch.stack(states, dim=1)
    right = torch.stack(again, dim=0)
    right += 1
    return left, right


def of_a_column(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    seconds = []
    for t in range(steps):
        h = a * h + x[:, t]
        seconds.append(h[:, 1])
    return torch.stack(seconds, dim=1)


def two_parts(x: torch.Tensor, a: float):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width)
    firsts, others = [], []
    for t in range(steps):
        h = a * h + x[:, t]
        firsts.append(h[:, :2])
        others.append(h[:, 2:])
    left = torch.stack(firsts, dim=1)
    right = torch.stack(others, dim=1)
    left += 1
    return left, right, h


def cases(rng):
    every = ("beside_rows", "beside_cast", "beside_a_column", "in_another_order", "two_parts")
    for name in every:
        for batch, steps in ((2, 5), (1, 3), (2, 1)):
            x = torch.tensor(rng.random((batch, steps, 3)), dtype=torch.float32)
            yield name, (x, 0.9), {}
    x = torch.tensor(rng.random((2, 5, 3)), dtype=torch.float32)
    yield "lambda x, a: of_a_column(x, a).view(-1)", (x, 0.9), {}
