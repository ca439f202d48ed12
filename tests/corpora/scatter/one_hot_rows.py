# expect: SPA406 safe scope=by_segment
# expect: SPA406 safe scope=cluster_means
# expect: SPA406 safe scope=in_letters
# expect: SPA406 safe scope=load
# expect: SPA406 safe scope=of_each_choice
import torch
import torch.nn.functional as F


def by_segment(x: torch.Tensor, segment, n):
    hot = F.one_hot(segment, n).float()
    return hot.t() @ x


def cluster_means(points: torch.Tensor, assigned: torch.Tensor, k: int):
    hot = F.one_hot(assigned, k).to(points.dtype)
    sums = hot.t() @ points
    counts = hot.sum(dim=0)
    return sums / counts.clamp(min=1).unsqueeze(1)


def in_letters(x: torch.Tensor, segment: torch.Tensor, n: int):
    (rows,) = segment.shape
    hot = F.one_hot(segment, n).to(x.dtype)
    return torch.einsum("nk,nd->kd", hot, x), torch.einsum("nd,nk->dk", x, hot)


def load(logits: torch.Tensor, n: int):
    tokens, experts = logits.shape
    first = logits.argmax(dim=-1)
    return F.one_hot(first, n).float().mean(dim=0) * 2


def of_each_choice(logits: torch.Tensor, n: int):
    tokens, experts = logits.shape
    chosen = logits.topk(2, dim=-1).indices
    return F.one_hot(chosen, num_classes=n).sum((0, 1))


def cases(rng):
    for rows in (7, 1, 0):
        segment = torch.tensor(rng.integers(0, 4, rows))
        for name in ("by_segment", "cluster_means", "in_letters"):
            yield name, (torch.randn(rows, 3, requires_grad=True), segment, 5), {}
        yield "of_each_choice", (torch.randn(rows, 5, requires_grad=True), 5), {}
    wide = torch.randn(7, 3, dtype=torch.float64, requires_grad=True)
    yield "cluster_means", (wide, torch.tensor(rng.integers(0, 4, 7)), 4), {}
    yield "cluster_means", (wide[::2, 1:], torch.tensor(rng.integers(0, 4, 4)), 4), {}
    for rows in (7, 1):
        yield "load", (torch.randn(rows, 5), 5), {}
