# expect: ASC105 safe scope=balances
# expect: ASC105 safe scope=several
# expect: ASC101 safe scope=smoothed
import torch


def balances(xs: list[float]):
    kept, total = [], 0.0
    for x in xs:
        total += x
        kept.append(total)
    return kept


def several(xs: list[int]):
    [total, out, number] = 0, [], len(xs)
    for x in xs:
        total = total + x
        out.append(total)
    return out, number


def smoothed(x: torch.Tensor, decay: float):
    state, states = torch.zeros(x.shape[1]), []
    for t in range(x.shape[0]):
        state = decay * state + x[t]
        states.append(state)
    return torch.stack(states)


def cases(rng):
    for n in (1, 2, 7):
        xs = rng.normal(size=n).tolist()
        yield "balances", (xs,), {}
        yield "several", (rng.integers(0, 9, size=n).tolist(),), {}
        yield "smoothed", (torch.tensor(rng.normal(size=(n, 3))), 0.9), {}
