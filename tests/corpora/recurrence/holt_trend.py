# may: ASC101 any scope=holt
# may: ASC104 any scope=holt
# Level and trend feed each other: the state is a 2-vector with a matrix coefficient.
import torch


def holt(y, alpha=0.5, beta=0.2):
    level, trend = y[0], y[1] - y[0]
    fitted = [level]
    for t in range(1, len(y)):
        last = level
        level = alpha * y[t] + (1 - alpha) * (level + trend)
        trend = beta * (level - last) + (1 - beta) * trend
        fitted.append(level)
    return torch.stack(fitted)


def cases(rng):
    for n in (2, 30):
        yield "holt", (torch.tensor(rng.standard_normal((n, 3)).cumsum(0)),), {}
