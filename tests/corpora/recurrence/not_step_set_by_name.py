# refuse: what a name of the file means is set by way of its namespace
import sys

import torch


def decayed(h, x):
    return 0.5 * h + x


def kept(h, x):
    return 0.25 * h + x


def mixed(h, x):
    return 0.75 * h + x


def carried(h, x):
    return 0.125 * h + x


def other(h, x):
    return 0.1 * h * h - x


def configure():
    globals()["decayed"] = other
    setattr(sys.modules[__name__], "kept", other)
    sys.modules[__name__].mixed = other
    names = globals()
    names.update(carried=other)


def by_item(xs):
    h, out = xs[0], []
    for x in xs:
        h = decayed(h, x)
        out.append(h)
    return torch.stack(out)


def by_setattr(xs):
    h, out = xs[0], []
    for x in xs:
        h = kept(h, x)
        out.append(h)
    return torch.stack(out)


def by_attribute(xs):
    h, out = xs[0], []
    for x in xs:
        h = mixed(h, x)
        out.append(h)
    return torch.stack(out)


def by_update(xs):
    h, out = xs[0], []
    for x in xs:
        h = carried(h, x)
        out.append(h)
    return torch.stack(out)


def cases(rng):
    xs = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    for name in ("by_item", "by_setattr", "by_attribute", "by_update"):
        yield name, (xs,), {}
