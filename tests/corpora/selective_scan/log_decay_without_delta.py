# may: ASC102 safe scope=gated_state
# may: ASC101 safe scope=gated_state
# exp of a full (b, l, d, n) log-decay: nothing to factor, so only the general scan fits.
import torch


def gated_state(log_decay, drive, C):
    h = torch.zeros_like(drive[:, 0])
    ys = []
    for t in range(drive.shape[1]):
        h = torch.exp(-log_decay[:, t]) * h + drive[:, t]
        ys.append((h * C[:, t].unsqueeze(1)).sum(-1))
    return torch.stack(ys, 1)


def cases(rng):
    log_decay = torch.tensor(rng.random((2, 13, 3, 4)), dtype=torch.float32, requires_grad=True)
    drive = torch.tensor(rng.standard_normal((2, 13, 3, 4)), dtype=torch.float32)
    yield "gated_state", (log_decay, drive, torch.tensor(rng.random((2, 13, 4))).float()), {}
