# expect: ASC103 safe scope=mix
import torch


def mix(
    r: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    w: torch.Tensor,
    u: torch.Tensor,
    scale: float | None = None,
):
    B, H, T, K, V = *r.shape, v.shape[-1]
    r, k, v, w, u = map(lambda x: x.float(), (r, k, v, w, u))
    if scale is None:
        scale = K**-0.5
    state = torch.zeros(B, H, K, V, dtype=torch.float32)
    out = torch.zeros_like(v)
    for t in range(T):
        kv = k[:, :, t][..., None] * v[:, :, t][..., None, :]
        seen = state + u[None, ..., None] * kv
        out[:, :, t] = (seen * (r[:, :, t] * scale)[..., None]).sum(-2)
        state = state * w[:, :, t].exp()[..., None] + kv
    return out


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for B, T, scale in ((1, 1, None), (2, 2, 0.5), (2, 67, None)):
        rkv = (draw(B, 3, T, 4), draw(B, 3, T, 4), draw(B, 3, T, 5))
        yield "mix", (*rkv, -draw(B, 3, T, 4).abs(), draw(3, 4), scale), {}
