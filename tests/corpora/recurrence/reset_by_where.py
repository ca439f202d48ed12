# expect: ASC101 safe scope=run
import torch


def run(x, resets, decay):
    h = torch.zeros(x.shape[1], x.shape[2])
    hs = []
    for t in range(x.shape[0]):
        h = torch.where(resets[t][:, None], torch.zeros_like(h), h)
        h = decay * h + x[t]
        hs.append(h)
    return torch.stack(hs)


def cases(rng):
    yield (
        "run",
        (
            torch.randn(6, 2, 3, requires_grad=True),
            torch.rand(6, 2) > 0.5,
            0.8,
        ),
        {},
    )
