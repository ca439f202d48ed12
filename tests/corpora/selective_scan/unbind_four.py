# expect: ASC102 safe scope=ssm
import torch


def ssm(x: torch.Tensor, dt: torch.Tensor, A: torch.Tensor, B: torch.Tensor, C: torch.Tensor):
    h = torch.zeros(x.shape[0], x.shape[2], A.shape[1])
    ys = []
    for xt, dtt, Bt, Ct in zip(x.unbind(1), dt.unbind(1), B.unbind(1), C.unbind(1)):
        h = torch.exp(dtt[..., None] * A) * h + dtt[..., None] * Bt[:, None, :] * xt[..., None]
        ys.append((h * Ct[:, None, :]).sum(-1))
    return torch.stack(ys, 1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield (
            "ssm",
            (
                draw(rng, 2, n, 3),
                draw(rng, 2, n, 3),
                -torch.rand(3, 4),
                draw(rng, 2, n, 4),
                draw(rng, 2, n, 4),
            ),
            {},
        )
