# expect: ASC102 safe scope=mamba_scan
import torch


def mamba_scan(x, delta, A, B, C):
    batch, seq_len, d_model = x.shape
    d_state = A.shape[1]
    h = torch.zeros(batch, d_model, d_state)
    outputs = []
    for t in range(seq_len):
        A_bar = torch.exp(delta[:, t, :, None] * A)
        B_bar = delta[:, t, :, None] * B[:, t, None, :]
        h = A_bar * h + B_bar * x[:, t, :, None]
        outputs.append((C[:, t, None, :] * h).sum(dim=-1))
    return torch.stack(outputs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 27)):
        x, delta = draw(b, l, 5).requires_grad_(), torch.tensor(rng.random((b, l, 5))).float()
        A = -torch.tensor(rng.random((5, 3))).float()
        yield "mamba_scan", (x, delta, A.requires_grad_(), draw(b, l, 3), draw(b, l, 3)), {}
