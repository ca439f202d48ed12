# expect: SPA406 safe scope=histogram
# expect: SPA406 safe scope=weights
# expect: SPA406 unsafe scope=confusion
# expect: SPA406 safe scope=binned
import numpy as np
import torch


def histogram(image: np.ndarray):
    counts = np.zeros(256, dtype=np.int64)
    for value in image.ravel():
        counts[value] += 1
    return counts


def weights(image: torch.Tensor, bins: int):
    total = torch.zeros(bins)
    for value in image.flatten():
        total[int(value)] += value
    return total


def confusion(target: torch.Tensor, guess: torch.Tensor, classes: int):
    table = torch.zeros(classes, classes, dtype=torch.int64)
    for t, g in zip(target.view(-1), guess.reshape(-1)):
        table[t.long(), g.long()] += 1
    return table


def binned(values: np.ndarray, bins: int):
    counts = np.zeros(bins)
    for i in range(len(values)):
        counts[values[i].astype(int)] += 1
    return counts


def cases(rng):
    for shape in ((1, 1), (3, 5)):
        yield "histogram", (rng.integers(0, 256, shape),), {}
        yield "weights", (torch.tensor(rng.uniform(0, 4, shape), dtype=torch.float32), 5), {}
        target, guess = (torch.tensor(rng.integers(0, 3, shape)) for _ in range(2))
        yield "confusion", (target, guess, 3), {}
        yield "binned", (rng.uniform(0, 4, shape[1]), 5), {}
