# expect: ASC101 safe scope=scan_channels
import torch


def scan_channels(x, gate_weight):
    """x: (batch, channels, time); returns all states and the last one."""
    forget = torch.sigmoid(gate_weight[:, None] * x)
    push = (1 - forget) * x
    h = torch.zeros_like(x[..., 0])
    hs = []
    for f_t, p_t in zip(forget.unbind(-1), push.unbind(-1)):
        h = torch.addcmul(p_t, f_t, h)
        hs.append(h)
    return torch.stack(hs, dim=-1), h


def cases(rng):
    for B, T in ((1, 1), (2, 2), (2, 31)):
        x = torch.tensor(rng.standard_normal((B, 4, T)), dtype=torch.float32)
        w = torch.tensor(rng.standard_normal(4), dtype=torch.float32)
        yield "scan_channels", (x.requires_grad_(), w.requires_grad_()), {}
