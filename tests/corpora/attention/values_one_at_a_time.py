# expect: ASC109 unsafe scope=weighted
# expect: ASC109 unsafe scope=listed
# may: RED501 safe scope=weighted
# may: RED501 safe scope=listed
import torch


# rows that are weighted one after the other may be vectors: all of them are a matrix then
def weighted(x, w):
    out = []
    for r in x:
        k = torch.softmax(w @ w.T, -1)
        out.append(k @ r)
    return torch.stack(out)


def listed(x, w):
    return torch.stack([torch.softmax(w @ w.T, -1) @ r for r in x])


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for name in ("weighted", "listed"):
        yield name, (draw(5, 5), draw(5, 3)), {}
        yield name, (draw(2, 5), draw(5, 3)), {}
        yield name, (draw(2, 5, 4), draw(5, 3)), {}
