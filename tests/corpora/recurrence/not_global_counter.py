# refuse: the loop counts its steps in a global that the decay reads
import torch

STEPS = 0


def warm_average(x):
    global STEPS
    avg = torch.zeros_like(x[0])
    for row in x:
        STEPS += 1
        d = min(0.99, (1 + STEPS) / (10 + STEPS))
        avg = d * avg + (1 - d) * row
    return avg


def cases(rng):
    x = torch.tensor(rng.standard_normal((14, 3)), dtype=torch.float32)
    yield "lambda x: (warm_average(x), warm_average(x), STEPS)", (x,), {}
