# expect: LOC309 safe scope=conv_by_im2col
import torch
import torch.nn.functional as F


def conv_by_im2col(inp: torch.Tensor, w: torch.Tensor):
    n, c, h, wd = inp.shape
    o, _, kh, kw = w.shape
    cols = F.unfold(inp, (kh, kw))
    y = cols.transpose(1, 2).matmul(w.view(o, -1).t()).transpose(1, 2)
    return y.view(n, o, h - kh + 1, wd - kw + 1)


def cases(rng):
    g = lambda *s: torch.from_numpy(rng.standard_normal(s)).float().requires_grad_()
    yield "conv_by_im2col", (g(1, 3, 10, 12), g(2, 3, 4, 5)), {}
