# refuse: the helper's name is bound again, so that the definition is not what is called
import contextlib
from operator import add, sub

import torch


def once(h, z):
    return 0.5 * h + z


if torch.__version__:

    def once(h, z):
        return 0.9 * h - z


def assigned(h, z):
    return 0.5 * h + z


assigned = sub


def tried(h, z):
    return 0.1 * h + z


try:
    from operator import add as tried
except ImportError:
    pass


def walked(h, z):
    return 0.1 * h + z


for walked in (sub, add):
    pass


def made(h, z):
    return 0.1 * h + z


print(end="" if (made := sub) else "")


def opened(h, z):
    return 0.1 * h + z


with contextlib.nullcontext(sub) as opened:
    pass


def shared(h, z):
    return 0.1 * h + z


def change():
    global shared
    shared = sub


change()


def classed(h, z):
    return 0.1 * h + z


class classed:
    def __new__(cls, h, z):
        return h - z


def imported(h, z):
    return 0.1 * h + z


def caught(h, z):
    return 0.1 * h + z


def catch():
    global caught
    from operator import sub as caught


catch()


def matched(h, z):
    return 0.1 * h + z


match {"step": sub}:
    case {"step": matched}:
        pass


def by_once(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = once(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_assigned(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = assigned(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_tried(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = tried(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_walked(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = walked(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_made(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = made(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_opened(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = opened(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_shared(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = shared(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_classed(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = classed(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_caught(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = caught(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_matched(x: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = matched(h, x[t])
        out.append(h)
    return torch.stack(out)


def by_imported(x: torch.Tensor):
    from operator import sub as imported

    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = imported(h, x[t])
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (1, 5):
        x = torch.tensor(rng.standard_normal((n, 3))).float().requires_grad_()
        yield "by_once", (x,), {}
        yield "by_assigned", (x,), {}
        yield "by_tried", (x,), {}
        yield "by_walked", (x,), {}
        yield "by_made", (x,), {}
        yield "by_opened", (x,), {}
        yield "by_shared", (x,), {}
        yield "by_classed", (x,), {}
        yield "by_caught", (x,), {}
        yield "by_matched", (x,), {}
        yield "by_imported", (x,), {}
