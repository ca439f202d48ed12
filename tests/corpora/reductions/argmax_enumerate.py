# expect: ASC106 safe scope=best_candidate
def best_candidate(scores: list[float]):
    """Position of the highest score; the first one where several are equal."""
    best_index = 0
    best_score = scores[0]
    for i, score in enumerate(scores):
        if score > best_score:
            best_score = score
            best_index = i
    return best_index, best_score


def cases(rng):
    for n in (1, 2, 31):
        yield "best_candidate", (rng.standard_normal(n).tolist(),), {}
    yield "best_candidate", ([1.0, 5.0, 5.0, 2.0],), {}
