# refuse: the helper reads a name of the module that its caller binds to something else
import torch

a = 0.5
h = 3.0


def step(s, z):
    return a * s + z


def act(z):
    return z * h


def later(s, z, b=a):
    return b * s + z


def local(x: torch.Tensor):
    a = 0.9
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = step(h, a * x[t])
        out.append(h)
    return torch.stack(out)


def given(x: torch.Tensor, a: float):
    s = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        s = step(s, a * x[t])
        out.append(s)
    return torch.stack(out)


def the_state(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = 0.5 * h + act(x[t])
        out.append(h)
    return torch.stack(out)


def default(x: torch.Tensor):
    a = 0.9
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = later(h, a * x[t])
        out.append(h)
    return torch.stack(out)


def around(x: torch.Tensor):
    a = 0.9

    def within(u):
        s = torch.zeros(3)
        out = []
        for t in range(u.shape[0]):
            s = step(s, a * u[t])
            out.append(s)
        return torch.stack(out)

    return within(x)


def another(x: torch.Tensor):
    def step(s, z):
        return s - a * z

    def within(u):
        s = torch.zeros(3)
        out = []
        for t in range(u.shape[0]):
            s = torch.tanh(step(s, u[t]))
            out.append(s)
        return torch.stack(out)

    return within(x)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "local", (x,), {}
        yield "the_state", (x,), {}
        yield "default", (x,), {}
        yield "around", (x,), {}
        yield "another", (x,), {}
        yield "given", (x, 0.9), {}
