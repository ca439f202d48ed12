# expect: ASC109 safe scope=Decoder.forward
import torch


class Decoder(torch.nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.wq = torch.nn.Linear(d, d)
        self.wkv = torch.nn.Linear(d, 2 * d)

    def forward(self, x, past_k, past_v):
        b, t, d = x.shape
        q = self.wq(x).view(b, t, self.h, -1).transpose(1, 2)
        k, v = self.wkv(x).chunk(2, dim=-1)
        k = k.view(b, t, self.h, -1).transpose(1, 2)
        v = v.view(b, t, self.h, -1).transpose(1, 2)
        k = torch.cat([past_k, k], dim=2)
        v = torch.cat([past_v, v], dim=2)
        a = torch.softmax(q @ k.transpose(-1, -2) / (d // self.h) ** 0.5, dim=-1)
        return (a @ v).transpose(1, 2).reshape(b, t, d)


def cases(rng):
    yield (
        "Decoder(8, 2)",
        (
            torch.randn(2, 1, 8, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
        ),
        {},
    )
