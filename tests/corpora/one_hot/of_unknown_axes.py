# expect: SPA401 unsafe scope=written
# expect: SPA401 unsafe scope=of_the_identity
import numpy as np
import torch


def written(labels, centres):
    hot = np.zeros((len(labels), centres.shape[0]))
    hot[np.arange(len(labels)), labels] = 1.0
    return hot.dot(centres)


def of_the_identity(places, table):
    hot = torch.eye(7)[places]
    return hot @ table


def cases(rng):
    yield "written", (rng.integers(0, 4, 5), rng.standard_normal((4, 2))), {}
    yield "of_the_identity", (torch.tensor([0, 6, 2]), torch.randn(7, 3)), {}
    yield "of_the_identity", (torch.tensor([[0, 6], [2, 2]]), torch.randn(7, 3)), {}
