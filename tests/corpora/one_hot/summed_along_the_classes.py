# expect: SPA401 unsafe scope=chosen
# expect: SPA401 unsafe scope=rows
import torch
import torch.nn.functional as F


def chosen(actions, values):
    """Nothing says how many axes there are; one-hot vectors stand for single places mostly."""
    mask = F.one_hot(actions, values.shape[-1]).to(values.dtype)
    return (values * mask).sum(dim=-1)


def rows(classes, table):
    eye = torch.eye(table.shape[0])
    return eye[classes] @ table


def cases(rng):
    yield "chosen", (torch.randint(0, 5, (6,)), torch.randn(6, 5, requires_grad=True)), {}
    yield "rows", (torch.randint(0, 4, (6,)), torch.randn(4, 3)), {}
