# expect: ASC103 safe scope=gated_delta
import torch


def gated_delta(query, key, value, rate, gate):
    batch, length, heads, width = query.shape
    out_width = value.shape[-1]
    memory = torch.zeros(batch, heads, width, out_width, dtype=query.dtype)
    outputs = []
    for step in range(length):
        memory = memory * gate[:, step].exp()[..., None, None]
        held = (memory * key[:, step, :, :, None]).sum(-2)
        change = (value[:, step] - held) * rate[:, step, :, None]
        memory = memory + key[:, step, :, :, None] * change[:, :, None, :]
        outputs.append((memory * query[:, step, :, :, None]).sum(-2))
    return torch.stack(outputs, 1)


def cases(rng):
    for b, t, h, k, v in ((2, 7, 3, 4, 5), (1, 1, 2, 2, 2), (2, 5, 1, 3, 2)):
        q, key = (torch.randn(b, t, h, k, requires_grad=True) for _ in range(2))
        key = torch.nn.functional.normalize(key, dim=-1)
        value = torch.randn(b, t, h, v, requires_grad=True)
        yield "gated_delta", (q, key, value, torch.rand(b, t, h), -torch.rand(b, t, h)), {}
