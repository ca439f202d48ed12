# refuse: the state is rounded to the dtype of the input at every step
import torch


def smooth(x: torch.Tensor, decay: torch.Tensor):
    h = torch.zeros_like(x[:, 0])
    outputs = []
    for t in range(x.shape[1]):
        h = (decay * h.float() + x[:, t]).to(x.dtype)
        outputs.append(h)
    return torch.stack(outputs, dim=1)


def cases(rng):
    decay = torch.tensor(rng.random(4)).float()
    yield "smooth", (torch.tensor(rng.integers(-9, 9, (2, 7, 4))), decay), {}
    yield "smooth", (torch.tensor(rng.standard_normal((2, 7, 4))).half(), decay), {}
