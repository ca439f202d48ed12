# expect: ASC102 safe scope=selective_scan_seq
import torch


def selective_scan_seq(x, delta, A, B, C, D):
    _, L, _ = x.shape
    deltaA = torch.exp(delta.unsqueeze(-1) * A)
    deltaB = delta.unsqueeze(-1) * B.unsqueeze(2)
    BX = deltaB * (x.unsqueeze(-1))
    h = torch.zeros(x.size(0), x.size(2), A.size(1), device=deltaA.device)
    hs = []
    for t in range(0, L):
        h = deltaA[:, t] * h + BX[:, t]
        hs.append(h)
    hs = torch.stack(hs, dim=1)
    y = (hs @ C.unsqueeze(-1)).squeeze(3)
    y = y + D * x
    return y


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield (
            "selective_scan_seq",
            (
                draw(rng, 2, n, 3),
                draw(rng, 2, n, 3),
                -torch.rand(3, 4),
                draw(rng, 2, n, 4),
                draw(rng, 2, n, 4),
                draw(rng, 3),
            ),
            {},
        )
