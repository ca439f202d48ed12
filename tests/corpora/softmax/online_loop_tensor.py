# expect: ASC107 safe scope=streaming_normaliser

import torch


def streaming_normaliser(x):
    """log sum exp of a one-dimensional tensor in one pass."""
    m = x[0]
    s = torch.ones_like(m)
    for i in range(1, x.shape[0]):
        m_new = torch.maximum(m, x[i])
        s = s * torch.exp(m - m_new) + torch.exp(x[i] - m_new)
        m = m_new
    return m + torch.log(s)


def cases(rng):
    for n in (1, 2, 41):
        x = torch.tensor(10 * rng.standard_normal(n), dtype=torch.float32, requires_grad=True)
        yield "streaming_normaliser", (x,), {}
