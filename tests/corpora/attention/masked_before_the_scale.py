# expect: ASC109 safe scope=f
import torch


def f(query, keys, values, mask):
    energy = torch.einsum("nqhd,nkhd->nhqk", [query, keys])
    if mask is not None:
        energy = energy.masked_fill(mask == 0, float("-1e20"))
    attention = torch.softmax(energy / (16 ** (1 / 2)), dim=3)
    return torch.einsum("nhql,nlhd->nqhd", [attention, values])


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    def keep(*shape):
        found = torch.tensor(rng.random(shape) < 0.6)
        found[..., 0] = True
        return found

    yield (
        "f",
        (
            draw(2, 5, 3, 4),
            draw(2, 7, 3, 4),
            draw(2, 7, 3, 4),
            keep(2, 1, 5, 7).long(),
        ),
        {},
    )
    yield (
        "f",
        (
            draw(2, 5, 3, 4),
            draw(2, 7, 3, 4),
            draw(2, 7, 3, 4),
            None,
        ),
        {},
    )
