# expect: ASC107 any scope=softmax
# may: ASC106 any scope=softmax
import math


def softmax(logits: list[float]) -> list[float]:
    top = logits[0]
    for x in logits:
        if x > top:
            top = x
    denominator = 0.0
    for x in logits:
        denominator += math.exp(x - top)
    probs = []
    for x in logits:
        probs.append(math.exp(x - top) / denominator)
    return probs


def cases(rng):
    for n in (1, 2, 40):
        yield "softmax", ((5 * rng.standard_normal(n)).tolist(),), {}
