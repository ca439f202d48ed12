# expect: ASC106 safe scope=peak_memory
def peak_memory(samples: list[float]) -> float:
    peak = 0.0
    for s in samples:
        peak = max(peak, s)
    return peak


def cases(rng):
    yield "peak_memory", ([],), {}
    yield "peak_memory", ([-3.0, -1.0],), {}
    yield "peak_memory", (rng.standard_normal(25).tolist(),), {}
