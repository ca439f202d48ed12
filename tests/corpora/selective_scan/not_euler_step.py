# expect: ASC101 safe scope=euler_scan
# refuse: ASC102 the decay is 1 + delta A, not exp(delta A)
import torch


def euler_scan(x, delta, A, B, C):
    bsz, length, d = x.shape
    h = x.new_zeros(bsz, d, A.size(-1))
    y = x.new_empty(bsz, length, d)
    for k in range(length):
        dt = delta[:, k].unsqueeze(-1)
        h = (1 + dt * A) * h + dt * x[:, k].unsqueeze(-1) * B[:, k].unsqueeze(1)
        y[:, k] = torch.einsum("bdn,bn->bd", h, C[:, k])
    return y


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for l in (1, 18):
        delta = torch.tensor(rng.random((2, l, 3))).float()
        A = -torch.tensor(rng.random((3, 4))).float()
        args = (draw(2, l, 3).requires_grad_(), delta, A, draw(2, l, 4), draw(2, l, 4))
        yield "euler_scan", args, {}
