# expect: SPA401 advice scope=switched
# expect: SPA401 advice scope=of_two
import torch
import torch.nn.functional as F


def switched(x, scores, capacity: int):
    """Tokens beyond the capacity of their expert are dropped."""
    gate, best = scores.softmax(-1).max(-1)
    mask = F.one_hot(best, scores.shape[-1]).to(x.dtype)
    position = (torch.cumsum(mask, dim=0) - 1) * mask
    mask = mask * (position < capacity)
    slot = F.one_hot(position.sum(-1).long(), 64).to(x.dtype)
    dispatch = mask.unsqueeze(-1) * slot.unsqueeze(1)
    buffers = torch.einsum("tec,td->ecd", dispatch, x)
    return torch.einsum("tec,ecd->td", gate[:, None, None] * dispatch, buffers.tanh())


def of_two(x, weights, chosen, slots):
    """Weights and places are over (tokens, 2)."""
    first = F.one_hot(chosen[:, 0], 4)[:, :, None] * F.one_hot(slots[:, 0], 64)[:, None, :]
    second = F.one_hot(chosen[:, 1], 4)[:, :, None] * F.one_hot(slots[:, 1], 64)[:, None, :]
    combine = weights[:, :1, None] * first + weights[:, 1:, None] * second
    dispatch = (combine > 0).to(x.dtype)
    buffers = torch.einsum("tec,td->ecd", dispatch, x)
    return torch.einsum("ecd,tec->td", buffers.tanh(), combine)


def cases(rng):
    for n in (1, 2, 21):
        x = torch.randn(n, 3, requires_grad=True)
        yield "switched", (x, torch.randn(n, 4, requires_grad=True), 2), {}
        chosen = torch.tensor(rng.integers(0, 4, (n, 2)))
        slots = torch.arange(2 * n).reshape(n, 2)
        yield "of_two", (x, torch.rand(n, 2, requires_grad=True), chosen, slots), {}
