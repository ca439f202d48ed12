# expect: SEP202 any scope=adapted
def adapted(x, weight, down, up):
    (width,) = x.shape
    changed = weight + 0.5 * down.t() @ up
    return changed.matmul(x)


def cases(rng):
    import torch

    yield "adapted", (torch.randn(6), torch.randn(5, 6), torch.randn(2, 5), torch.randn(2, 6)), {}
