# expect: ASC102 safe scope=scan_reference
import torch
import torch.nn.functional as F


def scan_reference(u, delta, A, B, C, D=None, z=None, delta_bias=None, return_last_state=False):
    """Channels first: u, delta, z (B, D, L); A (D, N); B, C (B, N, L)."""
    if delta_bias is not None:
        delta = delta + delta_bias[..., None]
    delta = F.softplus(delta)
    dA = torch.exp(torch.einsum("bdl,dn->bdln", delta, A))
    dBu = torch.einsum("bdl,bnl,bdl->bdln", delta, B, u)
    x = A.new_zeros((u.shape[0], u.shape[1], A.shape[1]))
    ys = []
    for i in range(u.shape[2]):
        x = dA[:, :, i] * x + dBu[:, :, i]
        ys.append(torch.einsum("bdn,bn->bd", x, C[:, :, i]))
    y = torch.stack(ys, dim=2)
    out = y if D is None else y + u * D[:, None]
    if z is not None:
        out = out * F.silu(z)
    return (out, x) if return_last_state else out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 19)):
        A = -torch.tensor(rng.random((4, 3))).float()
        args = (draw(b, 4, l), draw(b, 4, l), A, draw(b, 3, l), draw(b, 3, l))
        args = tuple(a.requires_grad_() for a in args)
        yield "scan_reference", args, {}
        more = {"D": draw(4), "z": draw(b, 4, l), "delta_bias": draw(4), "return_last_state": True}
        yield "scan_reference", args, more
