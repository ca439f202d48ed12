# expect: RED505 safe scope=best
import torch


def best(losses: list[float]):
    return sorted(losses)[0]


def narrow(a, b, losses):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a @ b, best(losses)


def cases(rng):
    yield "narrow", (torch.eye(3) * 2, torch.ones(3, 4), [2.0, 1.0]), {}
