# refuse: the loop raises as soon as the state is out of range, with the step in the message
import torch


def fill_tank(inflow, keep, capacity):
    level = torch.zeros(())
    levels = []
    for hour in range(len(inflow)):
        level = keep * level + inflow[hour]
        if level > capacity:
            raise OverflowError(f"overflow in hour {hour}")
        levels.append(level)
    return torch.stack(levels)


def outcome(*args):
    try:
        return fill_tank(*args)
    except OverflowError as error:
        return str(error)


def cases(rng):
    inflow = torch.tensor(rng.random(30), dtype=torch.float32)
    yield "outcome", (inflow, 0.9, 100.0), {}
    yield "outcome", (inflow, 0.9, 2.0), {}
