# expect: SPA401 safe scope=likelihood
# expect: SPA401 safe scope=chosen
# expect: SPA401 safe scope=written
import numpy as np
import torch
import torch.nn.functional as F


def likelihood(scores: torch.Tensor, labels: torch.Tensor):
    count, classes = scores.shape
    (count,) = labels.shape
    logs = F.log_softmax(scores, dim=-1)
    return -(F.one_hot(labels, classes) * logs).sum(dim=-1).mean()


def chosen(values: torch.Tensor, actions: torch.Tensor):
    batch, steps, kinds = values.shape
    batch, steps = actions.shape
    mask = F.one_hot(actions, kinds).to(values.dtype)
    taken = values * mask
    return torch.sum(taken, dim=2)


def written(values: np.ndarray, labels: np.ndarray):
    count, classes = values.shape
    (count,) = labels.shape
    return (np.eye(classes)[labels] * values).sum(axis=1)


def cases(rng):
    for count, classes in ((5, 4), (1, 3), (4, 1)):
        labels = rng.integers(0, classes, count)
        scores = rng.standard_normal((count, classes))
        tensor = torch.tensor(scores, dtype=torch.float32, requires_grad=True)
        yield "likelihood", (tensor, torch.tensor(labels)), {}
        yield "written", (scores, labels), {}
        yield "written", (scores.astype(np.float32), labels), {}
        values = torch.tensor(rng.standard_normal((2, count, classes)), requires_grad=True)
        yield "chosen", (values, torch.tensor(rng.integers(0, classes, (2, count)))), {}
