# expect: ASC101 safe scope=gen_method_style
import torch
from torch import Tensor


def gen_method_style(q: Tensor, k: Tensor):
    def decayed(seq, rate=0.9):
        s = seq.new_zeros(seq.shape[1:])
        for item in seq:
            s = rate * s + item
            yield s

    a = torch.stack(list(decayed(q)))
    b = torch.stack(list(decayed(k, rate=0.5)))
    return a + b


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "gen_method_style", (G(7, 3), G(7, 3)), {}
