# expect: ASC110 safe scope=margin
# expect: ASC110 safe scope=threshold
# expect: ASC110 safe scope=density
# expect: ASC110 safe scope=correct
# expect: ASC110 safe scope=before_suppression
# expect: ASC110 safe scope=middle_axis
import torch


def margin(scores: torch.Tensor):
    s = torch.sort(scores, dim=-1, descending=True).values
    return s[:, 0] - s[:, 1]


def threshold(logits: torch.Tensor, k: int):
    ordered, _ = torch.sort(logits, descending=True)
    least = ordered[:, k - 1].unsqueeze(-1)
    return logits.masked_fill(logits < least, float("-inf"))


def density(distances: torch.Tensor, k: int):
    nearest, _ = distances.sort(dim=1)
    return nearest[:, 1 : k + 1].mean(1)


def correct(output: torch.Tensor, target: torch.Tensor, k: int):
    _, pred = output.sort(1, True)
    pred = pred[:, :k].t()
    return pred.eq(target.view(1, -1)).sum()


def before_suppression(boxes, scores: torch.Tensor, n: int):
    order = scores.argsort(0, descending=True)
    order = order[:n]
    return boxes[order], scores[order]


def middle_axis(x: torch.Tensor):
    return x.sort(dim=1, descending=True)[0][:, :2, :]


def cases(rng):
    for rows, columns in ((4, 7), (1, 3)):
        x = torch.tensor(rng.permutation(rows * columns).reshape(rows, columns) / 7.0)
        x.requires_grad_(True)
        yield "margin", (x,), {}
        yield "threshold", (x, 2), {}
        yield "density", (x, 2), {}
        yield "density", (x, 20), {}
        yield "density", (x, 0), {}
        yield "correct", (x, torch.tensor(rng.integers(columns, size=rows)), 2), {}
        boxes = torch.tensor(rng.standard_normal((columns, 4)))
        yield "before_suppression", (boxes, x[0].detach(), 2), {}
        yield "middle_axis", (x[:, :, None],), {}
