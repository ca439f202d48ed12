# expect: ASC101 safe scope=scan
import torch
import torch.nn.functional as F

try:
    from fast_scans import fused_scan, parallel_scan
except ImportError:
    fused_scan = parallel_scan = None


def scan(
    u: torch.Tensor,
    step: torch.Tensor,
    A: torch.Tensor,
    B: torch.Tensor,
    C: torch.Tensor,
    skip: torch.Tensor | None = None,
    gate: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    softplus: bool = False,
    way: str = "loop",
):
    batch, channels, length = u.shape
    dtype = u.dtype
    if bias is not None:
        step = step + bias.to(step.dtype)[..., None]
    if softplus:
        step = F.softplus(step)
    B = B.transpose(1, 2)
    C = C.transpose(1, 2)
    decay = torch.exp(A[None, :, None, :] * step[:, :, :, None])
    entry = step[:, :, :, None] * B[:, None, :, :].float() * u[:, :, :, None].float()
    if way == "fused":
        states = fused_scan(decay.transpose(1, 2), entry.transpose(1, 2))
        y = (states @ C.unsqueeze(-1)).squeeze(3).transpose(1, 2)
        state = states[:, -1]
    elif way == "parallel":

        def combine(earlier, later):
            return earlier[0] * later[0], later[0] * earlier[1] + later[1]

        _, states = parallel_scan(combine, (decay, entry), dim=2)
        y = torch.matmul(states.transpose(1, 2).to(dtype), C.unsqueeze(-1))
        y = y.squeeze(-1).transpose(1, 2)
        state = states[:, :, -1]
    else:
        state = torch.zeros(batch, channels, A.shape[-1], dtype=dtype, device=u.device)
        outputs = []
        for t in range(length):
            state = decay[:, :, t] * state + entry[:, :, t]
            y_t = torch.matmul(state.to(dtype), C[:, t, :].unsqueeze(-1))
            outputs.append(y_t[:, :, 0])
        y = torch.stack(outputs, dim=-1)
    if skip is not None:
        y = y + u * skip[None, :, None]
    if gate is not None:
        y = y * F.silu(gate)
    return y, state


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for length in (1, 9):
        u, step = draw(2, 5, length), torch.tensor(rng.random((2, 5, length))).float()
        A = -torch.tensor(rng.random((5, 3))).float()
        B, C = draw(2, 3, length), draw(2, 3, length)
        yield "scan", tuple(x.requires_grad_() for x in (u, step, A, B, C)), {}
        halves = (u.detach().half(), step, A.detach(), B.detach(), C.detach().half())
        options = {"skip": draw(5), "bias": draw(5), "softplus": True}
        yield "scan", halves, options
