# refuse: ASC109 what is read is written into before the weights are used, or is where they go
import torch


def cleared(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, d = v.shape
    rows = q.clone()
    out = torch.empty(n, d)
    for i in range(0, n, 4):
        scores = rows[i : i + 4] @ k.T
        rows[i : i + 4] = 0.0
        out[i : i + 4] = torch.softmax(scores, dim=-1) @ v
    return out


def written_back(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, d = v.shape
    rows = q * 2
    for i in range(0, n, 4):
        scores = rows[i : i + 4] @ k.T
        rows[i : i + 4] = torch.softmax(scores, dim=-1) @ v
    return rows


def by_another_name(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    m, d = k.shape
    m, d = v.shape
    rows = q * 2
    out = rows.view(n, d)
    for i in range(0, n, 4):
        scores = rows[i : i + 4] @ k.T
        out[i : i + 4] = torch.softmax(scores, dim=-1) @ v
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for name in ("cleared", "written_back", "by_another_name"):
        yield name, (draw(10, 3).requires_grad_(), draw(7, 3), draw(7, 3)), {}
