# refuse: the state is kept in double precision, what is added to it may not be
import torch


def moving_average(x: torch.Tensor, rate: float):
    h = torch.zeros(x.shape[1], dtype=torch.float64)
    out = []
    for t in range(x.shape[0]):
        gap = x[t] - h
        h = h + rate * gap
        out.append(h)
    return torch.stack(out)


def polynomial(c: torch.Tensor, x: float):
    y = torch.zeros((), dtype=torch.float64)
    for i in range(c.shape[0]):
        y = y * x + c[i]
    return y


def discounted(rewards: torch.Tensor, done: torch.Tensor, gamma: float):
    running = torch.zeros_like(rewards[0], dtype=torch.float64)
    returns = torch.zeros_like(rewards, dtype=torch.float64)
    for t in reversed(range(rewards.shape[0])):
        running = rewards[t] + gamma * running * (1.0 - done[t])
        returns[t] = running
    return returns


def of_two(x: torch.Tensor, y: torch.Tensor, decay: float):
    h = torch.zeros(x.shape[1], dtype=torch.float64)
    out = []
    for t in range(x.shape[0]):
        h = decay * h + x[t] + y[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (500, 1):
        x = torch.from_numpy(rng.standard_normal((n, 2), dtype="float32"))
        yield "moving_average", (x, 0.001), {}
        yield "polynomial", (x[:, 0], 0.99), {}
        yield "discounted", (x, (x > 2).float(), 0.999), {}
        yield "of_two", (x, x.flip(1), 0.999), {}
