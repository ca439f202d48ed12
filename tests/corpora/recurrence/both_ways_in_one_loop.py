# expect: ASC101 safe scope=f
import torch


def f(a, x):
    T = x.shape[1]
    hf, hb = torch.zeros_like(x[:, 0]), torch.zeros_like(x[:, 0])
    fw, bw = [], []
    for t in range(T):
        hf = a * hf + x[:, t]
        hb = a * hb + x[:, T - 1 - t]
        fw.append(hf)
        bw.append(hb)
    return torch.stack(fw, 1) + torch.stack(bw[::-1], 1)


def cases(rng):
    yield (
        "f",
        (
            torch.rand(3),
            torch.randn(2, 5, 3, requires_grad=True),
        ),
        {},
    )
