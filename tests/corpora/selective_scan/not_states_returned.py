# expect: ASC101 safe scope=scan_with_states
# refuse: ASC102 all states are returned, so they have to exist
import torch


def scan_with_states(x, delta, A, B, C):
    decay = torch.exp(delta[..., None] * A)
    drive = (delta * x)[..., None] * B[:, :, None, :]
    h = torch.zeros_like(drive[:, 0])
    states, ys = [], []
    for t in range(x.shape[1]):
        h = decay[:, t] * h + drive[:, t]
        states.append(h)
        ys.append((h * C[:, t, None, :]).sum(-1))
    return torch.stack(ys, 1), torch.stack(states, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for l in (1, 15):
        delta = torch.tensor(rng.random((2, l, 3))).float()
        A = -torch.tensor(rng.random((3, 4))).float()
        args = (draw(2, l, 3).requires_grad_(), delta, A, draw(2, l, 4), draw(2, l, 4))
        yield "scan_with_states", args, {}
