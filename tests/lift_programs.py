"""Programs for test_lift_execution: each under a heading with its name and, where it is not lifted
or rests on an assumption, what is expected (``none`` or ``assumes``). Never imported."""

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F
from einops import rearrange
from torch import Tensor, nn


# -- ema_list
def f(x):
    h = torch.zeros(x.shape[0], x.shape[2])
    outs = []
    for t in range(x.shape[1]):
        h = 0.9 * h + 0.1 * x[:, t]
        outs.append(h)
    return torch.stack(outs, dim=1)


# -- ema_first_item
def f(x):
    h = x[:, 0]
    outs = [h]
    for t in range(1, x.shape[1]):
        h = 0.9 * h + 0.1 * x[:, t]
        outs.append(h)
    return torch.stack(outs, dim=1)


# -- ema_preallocated
def f(x):
    batch, steps, width = x.shape
    out = torch.zeros(batch, steps, width, dtype=x.dtype)
    h = torch.zeros(batch, width, dtype=x.dtype)
    for t in range(steps):
        h = 0.5 * h + x[:, t, :]
        out[:, t, :] = h
    return out


# -- ema_empty_like
def f(x, a):
    out = torch.empty_like(x)
    h = torch.zeros_like(x[:, 0])
    for t in range(x.size(1)):
        h = a[:, t] * h + x[:, t]
        out[:, t] = h
    return out


# -- read_previous_output
def f(x, a):
    out = torch.zeros_like(x)
    out[:, 0] = x[:, 0]
    for t in range(1, x.shape[1]):
        out[:, t] = a[:, t] * out[:, t - 1] + x[:, t]
    return out


# -- in_place_on_input
def f(u):
    u = u.clone()
    for t in range(1, u.shape[0]):
        u[t] = u[t] + u[t - 1]
    return u


# -- in_place_augmented
def f(u, g):
    out = u.clone()
    for t in range(1, len(u)):
        out[t] += g[t] * out[t - 1]
    return out


# -- numpy_into_itself
def f(scores):
    z = scores - scores.max(axis=-1, keepdims=True)
    np.exp(z, out=z)
    return z / z.sum(axis=-1, keepdims=True)


# -- numpy_into_another
def f(x, mask):
    z = np.zeros_like(x)
    np.multiply(x, mask, out=z)
    return z.sum(axis=-1)


# -- into_itself
def f(x):
    z = x * 2
    torch.exp(z, out=z)
    return z.sum(-1)


# -- into_another: none
def f(x):
    z = torch.empty(0)
    torch.exp(x, out=z)
    return z.sum(-1)


# -- reversed_returns
def f(u, gamma: float):
    total = 0.0
    out = torch.zeros_like(u)
    for t in reversed(range(u.shape[0])):
        total = u[t] + gamma * total
        out[t] = total
    return out


# -- returns_insert
def f(u, gamma: float):
    total = 0.0
    out = []
    for r in reversed(u):
        total = r + gamma * total
        out.insert(0, total)
    return torch.stack(out)


# -- returns_negative_range
def f(u, gamma: float):
    total = torch.zeros(())
    out = []
    for t in range(u.shape[0] - 1, -1, -1):
        total = u[t] + gamma * total
        out.append(total)
    return torch.stack(out).flip(0)


# -- gae
def f(u, w, g, gamma: float, lam: float):
    adv = torch.zeros_like(u)
    last = 0.0
    n = u.shape[0]
    for t in reversed(range(n - 1)):
        delta = u[t] + gamma * w[t + 1] * g[t] - w[t]
        adv[t] = last = delta + gamma * lam * g[t] * last
    return adv


# -- gae_branch
def f(u, w, gamma: float, lam: float):
    adv = torch.zeros_like(u)
    last = 0.0
    for t in reversed(range(u.shape[0])):
        if t == u.shape[0] - 1:
            nxt = 0.0
        else:
            nxt = w[t + 1]
        delta = u[t] + gamma * nxt - w[t]
        last = delta + gamma * lam * last
        adv[t] = last
    return adv


# -- mamba
def f(x, delta, A, Bm, C):
    batch, steps, width = x.shape
    h = torch.zeros(batch, width, A.shape[1])
    outputs = []
    for t in range(steps):
        A_bar = torch.exp(delta[:, t, :, None] * A)
        h = A_bar * h + Bm[:, t, None, :] * x[:, t, :, None]
        outputs.append((C[:, t, None, :] * h).sum(dim=-1))
    return torch.stack(outputs, dim=1)


# -- mamba_einsum
def f(x, delta, A, Bm, C):
    dA = torch.exp(torch.einsum("btd,dn->btdn", delta, A))
    dBx = torch.einsum("btd,btn,btd->btdn", delta, Bm, x)
    h = x.new_zeros(x.shape[0], x.shape[2], A.shape[1])
    ys = []
    for t in range(x.shape[1]):
        h = dA[:, t] * h + dBx[:, t]
        ys.append(torch.einsum("bdn,bn->bd", h, C[:, t]))
    return torch.stack(ys, dim=1)


# -- unbind_enumerate
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t, x_t in enumerate(x.unbind(1)):
        h = h * 0.5 + x_t * (t + 1)
        out.append(h)
    return torch.stack(out, 1)


# -- zip_unbind
def f(x, a):
    h = torch.zeros_like(x[:, 0])
    out = []
    for x_t, a_t in zip(x.unbind(1), a.unbind(1)):
        h = a_t * h + (1 - a_t) * x_t
        out.append(h)
    return torch.stack(out, 1)


# -- transpose_iteration
def f(x):
    h = 0
    out = []
    for x_t in x.transpose(0, 1):
        h = 0.5 * h + x_t
        out.append(h)
    return torch.stack(out).transpose(0, 1)


# -- split_ones
def f(x):
    h = torch.zeros_like(x[:, :1])
    out = []
    for x_t in x.split(1, dim=1):
        h = 0.5 * h + x_t
        out.append(h)
    return torch.cat(out, dim=1)


# -- chunks_by_count
def f(x, n: int):
    h = torch.zeros_like(x[:, :1])
    out = []
    for x_t in x.chunk(5, dim=1):
        h = 0.5 * h + x_t
        out.append(h)
    return torch.cat(out, dim=1)


# -- while_up
def f(u, n: int):
    t = 0
    s = 0.0
    while t < n:
        s = s * 0.5 + u[t]
        t += 1
    return s


# -- while_down
def f(u, n: int):
    t = n - 1
    s = 0.0
    while t >= 0:
        s = s * 0.5 + u[t]
        t -= 1
    return s


# -- online_softmax
def f(u):
    m = float("-inf")
    s = 0.0
    for t in range(len(u)):
        m_new = max(m, u[t])
        s = s * math.exp(m - m_new) + math.exp(u[t] - m_new)
        m = m_new
    return s


# -- running_max_if
def f(u):
    best = u[0]
    for t in range(1, len(u)):
        if u[t] > best:
            best = u[t]
    return best


# -- running_max_where
def f(x):
    best = x[:, 0]
    for t in range(1, x.shape[1]):
        best = torch.where(x[:, t] > best, x[:, t], best)
    return best


# -- tuple_state
def f(u):
    a, b = 0.0, 1.0
    for t in range(len(u)):
        a, b = b, a + u[t] * b
    return a, b


# -- simultaneous
def f(x, a):
    h, c = torch.zeros_like(x[:, 0]), torch.ones_like(x[:, 0])
    for t in range(x.shape[1]):
        h, c = a[:, t] * h + c, c * 0.5 + x[:, t]
    return h, c


# -- state_in_tuple
def f(x):
    state = (torch.zeros_like(x[:, 0]), torch.zeros_like(x[:, 0]))
    for t in range(x.shape[1]):
        h, c = state
        c = c * 0.5 + x[:, t]
        h = torch.tanh(c)
        state = (h, c)
    return state[0]


# -- last_and_all
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out.append(h)
    return torch.stack(out, dim=1), h


# -- augmented_state
def f(x):
    s = torch.zeros_like(x[:, 0])
    for t in range(x.shape[1]):
        s += x[:, t] * x[:, t]
    return s


# -- list_plus
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out += [h]
    return torch.stack(out, dim=1)


# -- list_is_list_plus
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = []
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out = out + [h]
    return torch.stack(out, dim=1)


# -- preallocated_list: none
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = [None] * x.shape[1]
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out[t] = h
    return torch.stack(out, dim=1)


# -- preallocated_floats
def f(u, n: int):
    out = [0.0] * n
    s = 0.0
    for t in range(n):
        s = s + u[t]
        out[t] = s
    return torch.stack(out)


# -- index_copy
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = torch.zeros_like(x)
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out.index_copy_(1, torch.tensor([t]), h.unsqueeze(1))
    return out


# -- select_copy
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = torch.zeros_like(x)
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out.select(1, t).copy_(h)
    return out


# -- subscript_copy
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = torch.zeros_like(x)
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out[:, t].copy_(h)
    return out


# -- ellipsis_write
def f(x):
    s = torch.zeros_like(x[..., 0])
    out = torch.zeros_like(x)
    for d in range(x.shape[-1]):
        s = s + x[..., d]
        out[..., d] = s
    return out


# -- cat_growth: none
def f(x):
    h = torch.zeros_like(x[:, 0])
    out = h.unsqueeze(1)
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out = torch.cat([out, h.unsqueeze(1)], dim=1)
    return out


# -- map_loop
def f(x, W):
    out = []
    for t in range(x.shape[1]):
        out.append(torch.relu(x[:, t] @ W))
    return torch.stack(out, 1)


# -- comprehension_stack
def f(x, W):
    return torch.stack([torch.tanh(x[:, t] @ W) for t in range(x.shape[1])], dim=1)


# -- reduction_loop
def f(x, y):
    total = 0
    for t in range(x.shape[1]):
        total = total + (x[:, t] * y[:, t]).sum(-1)
    return total


# -- nested_sum
def f(m):
    total = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            total += m[i, j]
    return total


# -- nested_rows
def f(m):
    rows = []
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            s = s * 0.5 + m[i, j]
        rows.append(s)
    return torch.stack(rows)


# -- triangular_nested
def f(m, u):
    rows = []
    for i in range(m.shape[0]):
        s = torch.zeros(())
        for j in range(i + 1):
            s = s + m[i, j] * u[j]
        rows.append(s)
    return torch.stack(rows)


# -- boundary_previous
def f(x):
    out = []
    for t in range(x.shape[1]):
        out.append(x[:, t] - x[:, t - 1])
    return torch.stack(out, 1)


# -- boundary_guarded
def f(x):
    out = []
    for t in range(x.shape[1]):
        prev = x[:, t - 1] if t > 0 else torch.zeros_like(x[:, 0])
        out.append(x[:, t] - prev)
    return torch.stack(out, 1)


# -- moving_window
def f(u):
    out = []
    for t in range(len(u)):
        out.append(u[max(0, t - 2) : t + 1].sum())
    return torch.stack(out)


# -- window_end
def f(u):
    out = []
    for t in range(len(u) - 2):
        out.append(u[t : t + 3].mean())
    return torch.stack(out)


# -- prefix_slice
def f(u):
    out = []
    for t in range(len(u)):
        out.append(u[: t + 1].sum())
    return torch.stack(out)


# -- continue_early
def f(u):
    total = torch.zeros(())
    for t in range(len(u)):
        if u[t] < 0:
            continue
        total = total + u[t]
    return total


# -- step_of_a_few_skipped
def f(x):
    total = torch.zeros(x.shape[1:])
    for weight in (0.5, 0.0, -2.0):
        if weight == 0.0:
            continue
        total = total + weight * x[0]
    return total


# -- step_of_a_few_skipped_by_data
def f(x):
    total, last = torch.zeros(x.shape[1:]), x[0]
    for weight in (0.5, 1.0, -2.0):
        last = weight * last
        if last.sum() > 0:
            last = last + 1
            continue
        total = total + last
    return total + last


# -- step_skipped_or_function_left: none
def f(x):
    total = torch.zeros(x.shape[1:])
    for weight in (0.5, 1.0, -2.0):
        if x.sum() > weight:
            continue
        if x.mean() < weight:
            return total
        total = total + weight * x[0]
    return total


# -- elif_chain
def f(u):
    s = torch.zeros(())
    for t in range(len(u)):
        if u[t] > 0.5:
            s = s + u[t]
        elif u[t] < -0.5:
            s = s - u[t]
        else:
            s = s * 0.5
    return s


# -- conditional_expression
def f(u):
    s = 0.0
    for t in range(len(u)):
        s = s + (u[t] if u[t] > 0 else 0.1 * u[t])
    return s


# -- stride_two
def f(u):
    s = 0.0
    for t in range(0, len(u), 2):
        s = 0.5 * s + u[t]
    return s


# -- start_offset
def f(u, n: int):
    s = u[0]
    for t in range(2, n):
        s = 0.5 * s + u[t] * t
    return s


# -- linear_attention
def f(q, k, v):
    S = torch.zeros(q.shape[0], q.shape[1], q.shape[-1], v.shape[-1])
    out = []
    for t in range(q.shape[2]):
        S = S + torch.einsum("bhd,bhe->bhde", k[:, :, t], v[:, :, t])
        out.append(torch.einsum("bhd,bhde->bhe", q[:, :, t], S))
    return torch.stack(out, dim=2)


# -- decay_attention_at
def f(q, k, v, alpha: float):
    S = torch.zeros(q.shape[0], q.shape[1], q.shape[-1], v.shape[-1])
    out = torch.zeros_like(v)
    for t in range(q.shape[2]):
        S = alpha * S + k[:, :, t].unsqueeze(-1) @ v[:, :, t].unsqueeze(-2)
        out[:, :, t] = (q[:, :, t].unsqueeze(-2) @ S).squeeze(-2)
    return out


# -- attention_plain
def f(q, k, v):
    att = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.size(-1))
    att = F.softmax(att, dim=-1)
    return att @ v


# -- attention_causal
def f(q, k, v):
    T = q.shape[2]
    att = q @ k.transpose(-2, -1) * q.size(-1) ** -0.5
    mask = torch.tril(torch.ones(T, T)) == 0
    att = att.masked_fill(mask, float("-inf"))
    return torch.softmax(att, dim=-1) @ v


# -- attention_triu
def f(q, k, v):
    scores = torch.matmul(q, k.transpose(2, 3))
    T = scores.size(-1)
    causal = torch.triu(torch.full((T, T), float("-inf")), diagonal=1)
    w = (scores + causal).softmax(-1)
    return torch.matmul(w, v)


# -- attention_arange
def f(q, k, v):
    T = q.shape[-2]
    i = torch.arange(T)
    allowed = i[:, None] >= i[None, :]
    s = (q @ k.mT).masked_fill(~allowed, float("-inf"))
    return s.softmax(dim=-1) @ v


# -- attention_heads_view
def f(x, W):
    b, t, c = x.shape
    h = 2
    q = (x @ W).view(b, t, h, c // h).transpose(1, 2)
    att = q @ q.transpose(-2, -1)
    y = att.softmax(-1) @ q
    return y.transpose(1, 2).contiguous().view(b, t, c)


# -- attention_rearrange
def f(x, W):
    q = rearrange(x @ W, "b n (h d) -> b h n d", h=2)
    k, v = map(lambda z: rearrange(z, "b n (h d) -> b h n d", h=2), (x, x))
    sim = torch.einsum("b h i d, b h j d -> b h i j", q, k)
    out = torch.einsum("b h i j, b h j d -> b h i d", sim.softmax(dim=-1), v)
    return rearrange(out, "b h n d -> b n (h d)")


# -- repeat_kv
def f(k):
    b, h, t, d = k.shape
    return k[:, :, None, :, :].expand(b, h, 3, t, d).reshape(b, h * 3, t, d)


# -- rotate_half
def f(q):
    x1 = q[..., : q.shape[-1] // 2]
    x2 = q[..., q.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


# -- rope
def f(q):
    d, T = q.shape[-1], q.shape[-2]
    inv = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
    t = torch.arange(T, dtype=torch.float32)
    freqs = torch.outer(t, inv)
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = q.chunk(2, dim=-1)
    return q * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()


# -- rms_norm
def f(x, bias, eps: float):
    variance = x.pow(2).mean(-1, keepdim=True)
    return bias * (x * torch.rsqrt(variance + eps))


# -- layer_norm_by_hand
def f(x, eps: float):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(var + eps)


# -- norm_biased_std
def f(x, eps: float):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps)


# -- stable_softmax
def f(scores):
    z = scores - scores.max(dim=-1, keepdim=True).values
    e = z.exp()
    return e / e.sum(-1, keepdim=True)


# -- stable_logsumexp
def f(scores):
    m = torch.max(scores, dim=-1)[0]
    return m + torch.log(torch.sum(torch.exp(scores - m[..., None]), dim=-1))


# -- cosine_matrix
def f(x):
    z = x / x.norm(dim=-1, keepdim=True)
    return z @ z.transpose(1, 2)


# -- pairwise_distance
def f(x, y):
    diff = x[:, :, None, :] - y[:, None, :, :]
    return (diff**2).sum(-1).sqrt()


# -- gated
def f(x, W, bias):
    gate, value = (x @ W + bias).chunk(2, dim=-1)
    return torch.sigmoid(gate) * value


# -- where_mask
def f(x, mask):
    return torch.where(mask, x, torch.zeros_like(x)).sum(1) / mask.sum(1).clamp(min=1)


# -- one_hot_matmul
def f(idx, x):
    return F.one_hot(idx, 5).double() @ x


# -- topk_softmax
def f(scores):
    vals, places = scores.topk(2, dim=-1)
    return vals.softmax(-1), places


# -- gather_rows
def f(x, idx):
    return torch.gather(x, 1, idx[..., None].expand(-1, -1, x.shape[-1]))


# -- inlined_helper
def scale(z, by):
    return z * by


def f(x, alpha: float):
    return scale(x, alpha) + scale(x, 1 - alpha)


# -- partial_helper
def f(x):
    norm = functools.partial(torch.softmax, dim=-1)
    scaled = functools.partial(torch.add, x, alpha=0.5)
    return norm(scaled(x * x))


# -- lambda_helper
def f(x):
    half = lambda z: z * 0.5
    return half(x) + half(x)


# -- default_argument
def f(x, dim: int = -1):
    return torch.softmax(x, dim=-1)


# -- numpy_ema
def f(u, alpha: float):
    out = np.zeros(len(u))
    out[0] = u[0]
    for t in range(1, len(u)):
        out[t] = alpha * u[t] + (1 - alpha) * out[t - 1]
    return out


# -- numpy_list
def f(u, alpha: float):
    s = u[0]
    result = [s]
    for value in u[1:]:
        s = alpha * value + (1 - alpha) * s
        result.append(s)
    return np.array(result)


# -- numpy_list_tail
def f(u, alpha: float):
    result = [u[0]]
    for t in range(1, len(u)):
        result.append(alpha * u[t] + (1 - alpha) * result[-1])
    return np.array(result)


# -- numpy_softmax
def f(scores):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# -- numpy_max_min
def f(u):
    lo, hi = u[0], u[0]
    for z in u:
        lo = min(lo, z)
        hi = max(hi, z)
    return hi - lo


# -- numpy_append: none
def f(u):
    out = np.array([])
    s = 0.0
    for z in u:
        s = s + z
        out = np.append(out, s)
    return out


# -- numpy_cov
def f(u, w):
    return ((u - u.mean()) * (w - np.mean(w))).sum() / (len(u) - 1)


# -- numpy_std
def f(u):
    return (u - u.mean()) / u.std()


# -- numpy_value_of_or
def f(m, u):
    w = u[0] or 2.0
    v = u[1] and 3.0
    return m * w + v


# -- numpy_matrix_loop
def f(m, u):
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            out[i] += m[i, j] * u[j]
    return out


# -- numpy_backward
def f(u, w):
    n = len(u)
    out = np.empty(n)
    out[-1] = u[-1]
    for i in range(n - 2, -1, -1):
        out[i] = u[i] - w[i] * out[i + 1]
    return out


# -- numpy_counter: none
def f(u):
    i = 0
    total = 0.0
    while i < len(u):
        total += u[i] ** 2
        i += 1
    return total / i


# -- numpy_sum_generator
def f(u, w):
    return sum(a * b for a, b in zip(u, w)) + max(u) - min(w)


# -- numpy_enumerate
def f(u):
    total = 0.0
    for i, z in enumerate(u, start=1):
        total += z / i
    return total


# -- numpy_polynomial
def f(u, alpha: float):
    r = 0.0
    for c in u[::-1]:
        r = r * alpha + c
    return r


# -- module_attention
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 0.5
        self.softmax = nn.Softmax(dim=-1)
        self.drop = nn.Dropout(0.0)
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, q, k, v):
        att = self.softmax(q @ k.transpose(-2, -1) * self.scale)
        return self.drop(att) @ (v * self.weight)


# -- module_buffer
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(8, 8)))

    def forward(self, q, k, v):
        T = q.shape[2]
        w = q @ k.transpose(-2, -1)
        w = w.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        return F.softmax(w, dim=-1) @ v


# -- module_norm
class M(nn.Module):
    def __init__(self, dim=4, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight


# -- module_scan
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.decay = nn.Parameter(torch.rand(4))
        self.act = nn.SiLU()

    def forward(self, x):
        h = torch.zeros_like(x[:, 0])
        out = []
        for t in range(x.shape[1]):
            h = torch.sigmoid(self.decay) * h + self.act(x[:, t])
            out.append(h)
        return torch.stack(out, dim=1)


# -- annotated_tensor
def f(x: Tensor, W: Tensor | None = None) -> Tensor:
    return x.mean(dim=1)


# -- rnn_cell
def f(x, W, bias):
    h = torch.zeros(x.shape[0], W.shape[0], dtype=x.dtype)
    hs = []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] + h @ W + bias)
        hs.append(h)
    return torch.stack(hs, 1)


# -- scan_with_temporaries
def f(x, a):
    h = torch.zeros_like(x[:, 0])
    ys = []
    for t in range(x.size(1)):
        xt = x[:, t]
        at = a[:, t]
        keep = at * h
        add = (1 - at) * xt
        h = keep + add
        y = h * xt.sigmoid()
        ys.append(y)
    return torch.stack(ys, dim=1)


# -- output_every_other: none
def f(u):
    out = torch.zeros_like(u)
    for t in range(0, len(u), 2):
        out[t] = u[t] * 2
    return out


# -- two_outputs
def f(x):
    h = torch.zeros_like(x[:, 0])
    out, sq = [], []
    for t in range(x.shape[1]):
        h = 0.5 * h + x[:, t]
        out.append(h)
        sq.append(h * h)
    return torch.stack(out, 1), torch.stack(sq, 1)


# -- fibonacci_window
def f(u):
    p1, p2 = 0.0, 0.0
    ys = []
    for z in u:
        y = z + 0.5 * p1 - 0.25 * p2
        p2 = p1
        p1 = y
        ys.append(y)
    return torch.stack(ys)


# -- layers_list
def f(x, W):
    for _ in range(3):
        x = torch.tanh(x @ W)
    return x


# -- cumulative
def f(x, a):
    log_a = torch.cumsum(a.log(), dim=1)
    return torch.exp(log_a) * torch.cumsum(x * torch.exp(-log_a), dim=1)


# -- walrus
def f(x):
    return (y := x * 2) + y


# -- star_unpack
def f(x):
    b, *rest = x.shape
    return x.reshape(b, -1)


# -- shape_product
def f(x):
    return x.view(x.shape[0] * x.shape[1], x.shape[2]).sum(0) / (x.shape[0] * x.shape[1])


# -- index_pairs
def f(m):
    i = torch.arange(m.shape[0])
    return m[i, i]


# -- swapped_write
def f(m):
    out = torch.zeros_like(m)
    for i in range(m.shape[0]):
        out[:, i] = m[i]
    return out


# -- shift
def f(x):
    return torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1) * 0.5 + x


# -- pad_shift
def f(x):
    return F.pad(x, (0, 0, 1, 0))[:, :-1]


# -- roll_shift
def f(x):
    return torch.roll(x, 1, dims=1) - x


# -- diff_prev
def f(x):
    return x[:, 1:] - x[:, :-1]


# -- strided
def f(x):
    return x[:, ::2].sum(1) - x[:, 1::2].sum(1)


# -- numpy_outer_loop: none
def f(u, w):
    rows = []
    for a in u:
        row = []
        for b in w:
            row.append(a * b)
        rows.append(row)
    return np.array(rows)


# -- items_where_a_mask_holds
def f(x):
    y = x * 2
    y[y > 0] = torch.log1p(y[y > 0]) * 3
    return y


# -- items_of_two_arrays_where_a_mask_holds
def f(x, y):
    z = x.clone()
    kept = y > 0
    z[kept] = z[kept] * y[kept] + 1
    z[~kept] *= 0.5
    return z


# -- numpy_items_where_a_mask_holds
def f(x):
    y = x**2
    y[y > 0.5] **= -1.5
    return y


# -- numpy_mean_where_a_mask_holds: none
def f(x):
    y = x * 2
    y[y > 0] = y[y > 0] - y[y > 0].mean()
    return y


# -- numpy_running_sum_where_a_mask_holds: none
def f(u):
    y = u * 2
    y[y > 0] = np.cumsum(y[y > 0])
    return y


# -- numpy_numbers_where_a_mask_holds: none
def f(u):
    y = u * 2
    y[y > 0] = y[y > 0] * np.arange(1, 1 + (y > 0).sum())
    return y


# -- array_of_a_range
def f(x):
    places = x.new_tensor(range(x.shape[1]), dtype=torch.float32)
    return x * places[:, None] + torch.tensor(list(range(2, 2 + x.shape[2])))


# -- numpy_array_of_a_range
def f(u):
    return u * np.array(range(len(u), 0, -1))
