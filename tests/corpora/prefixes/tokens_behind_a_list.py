# expect: RED504 advice scope=continued
# expect: RED504 advice scope=extended
def continued(model, words, text: str, count: int):
    """The file puts items behind others by `+` alone."""
    seen = words.encode(text)
    for _ in range(count):
        scores = model(seen)
        best = int(scores[-1].argmax())
        seen = seen + [best]
    return words.decode(seen)


def extended(model, seen: tuple, count: int):
    while len(seen) < count:
        seen = seen + (int(model(seen)[-1].argmax()),)
    return seen


def _model(seen):
    import numpy as np

    return np.array([[(token * k) % 7 for k in range(5)] for token in seen])


class _Words:
    def encode(self, text):
        return [ord(c) % 5 for c in text]

    def decode(self, seen):
        return "".join(map(str, seen))


def cases(rng):
    yield "lambda text, n: continued(_model, _Words(), text, n)", ("abc", 4), {}
    yield "lambda seen, n: extended(_model, seen, n)", ((1, 3), 6), {}
