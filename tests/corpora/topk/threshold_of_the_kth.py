# expect: ASC110 safe scope=filter_logits
import torch


def filter_logits(logits, k):
    s, _ = logits.sort(dim=-1, descending=True)
    thr = s[..., k - 1].unsqueeze(-1)
    return logits.masked_fill(logits < thr, float("-inf"))


def cases(rng):
    yield (
        "filter_logits",
        (
            torch.randn(4, 9),
            3,
        ),
        {},
    )
