# refuse: SPA406 what is unpacked are lists, each with places of its own in every row
import torch


def marked(out: torch.Tensor, tensors, masks):
    first, places = ([t[m] for t, m in zip(each, masks)] for each in tensors)
    for i in range(out.shape[0]):
        out[i, places[i]] += 1
    return out, first


def zipped(out: torch.Tensor, pairs):
    first, places = zip(*pairs)
    for i in range(out.shape[0]):
        out[i, places[i]] += 1
    return out, first


def cases(rng):
    masks = [torch.tensor([True, False, True]), torch.tensor([False, True, False])]
    values, places = torch.rand(2, 3), torch.arange(3).expand(2, 3)
    yield "marked", (torch.zeros(2, 3), [values, places], masks), {}
    rows = torch.tensor([0, 2]), torch.tensor([1])
    yield "zipped", (torch.zeros(2, 3), [(1, rows[0]), (2, rows[1])]), {}
