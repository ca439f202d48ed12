# expect: ASC107 any scope=online_softmax
import math


def online_softmax(logits: list[float]) -> list[float]:
    running_max = -math.inf
    running_sum = 0.0
    for x in logits:
        if x > running_max:
            running_sum = running_sum * math.exp(running_max - x) + 1.0
            running_max = x
        else:
            running_sum += math.exp(x - running_max)
    return [math.exp(x - running_max) / running_sum for x in logits]


def cases(rng):
    for n in (1, 2, 50):
        yield "online_softmax", ((20 * rng.standard_normal(n)).tolist(),), {}
