# expect: ASC107 safe scope=bound
# expect: ASC107 safe scope=kept
# expect: ASC107 safe scope=doubled
# expect: ASC107 safe scope=by_the_count
# expect: ASC107 safe scope=chosen
import torch


def bound(log_weights: torch.Tensor):
    n, k = log_weights.shape
    m = log_weights.max(dim=1).values
    return m + torch.log(torch.mean(torch.exp(log_weights - m[:, None]), dim=1))


def kept(x: torch.Tensor):
    m = x.amax(-1, keepdim=True)
    return (x - m).exp().mean(-1, keepdim=True).log() + m


def doubled(x: torch.Tensor):
    return 2 * x.exp().mean(0).log()


def by_the_count(x: torch.Tensor):
    n = x.shape[0]
    return torch.log(torch.exp(x).sum(0) / n)


def chosen(x, dim):
    m = x.amax(dim=dim, keepdim=True)
    return m + (x - m).exp().mean(dim=dim, keepdim=True).log()


def cases(rng):
    for shape in ((1, 2), (4, 5)):
        x = torch.from_numpy(rng.standard_normal(shape)).requires_grad_()
        for name in ("bound", "kept", "doubled", "by_the_count"):
            yield name, (x,), {}
        for dim in (0, 1, -1):
            yield "chosen", (x, dim), {}
