# refuse: ASC109 the sums are other ones, kept in another type, or more of them is used
# may: RED502 safe scope=maximum_returned
# may: ASC107 advice scope=maximum_returned
# may: RED502 safe scope=values_not_rescaled
# may: ASC107 advice scope=values_not_rescaled
# may: RED502 safe scope=other_weights_below
# may: ASC107 advice scope=other_weights_below
# may: RED502 safe scope=fewer_keys
# may: ASC107 advice scope=fewer_keys
# may: RED502 safe scope=half_of_the_keys
# may: ASC107 advice scope=half_of_the_keys
# may: RED502 safe scope=as_many_keys_as_channels
# may: ASC107 advice scope=as_many_keys_as_channels
# may: RED502 safe scope=wide_sums
# may: ASC107 advice scope=wide_sums
# may: RED502 safe scope=prints_each_step
# may: ASC107 advice scope=prints_each_step
import torch


def maximum_returned(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None], m


def values_not_rescaled(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def other_weights_below(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + 2 * torch.exp(s - new)
        m = new
    return o / l[:, None]


def fewer_keys(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys - 1):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def half_of_the_keys(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys // 2):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def as_many_keys_as_channels(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(e - 1):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def wide_sums(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m = torch.full((n,), -torch.inf, dtype=torch.float64)
    l = torch.zeros(n, dtype=torch.float64)
    o = torch.zeros(n, e, dtype=torch.float64)
    for j in range(keys):
        s = q @ k[j]
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def prints_each_step(q, k, v):
    n, d = q.shape
    keys, d = k.shape
    keys, e = v.shape
    m, l, o = torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, e)
    for j in range(keys):
        s = q @ k[j]
        print(j)
        new = torch.maximum(m, s)
        o = torch.exp(m - new)[:, None] * o + torch.exp(s - new)[:, None] * v[j]
        l = torch.exp(m - new) * l + torch.exp(s - new)
        m = new
    return o / l[:, None]


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32).requires_grad_()

    for name in ("maximum_returned", "values_not_rescaled", "other_weights_below", "fewer_keys",
                 "half_of_the_keys", "as_many_keys_as_channels",
                 "prints_each_step"):  # fmt: skip
        yield name, (draw(5, 4), draw(7, 4), draw(7, 3)), {}
    # scores without rounding: it would show in sums that are kept in float64
    whole = [torch.tensor(rng.integers(-3, 3, size=(n, 4)), dtype=torch.float32) for n in (5, 7, 7)]
    yield "wide_sums", tuple(whole), {}
