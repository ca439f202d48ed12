# expect: ASC105 safe scope=lowest_so_far
# expect: ASC105 advice scope=deepest_so_far
# expect: ASC105 advice scope=warmest_so_far
def lowest_so_far(prices: list[float]) -> list[float]:
    """Nothing but `min` is computed, of the last item."""
    low = [prices[0]]
    for price in prices[1:]:
        low.append(min(low[-1], price))
    return low


def deepest_so_far(depths: list[int]) -> list[int]:
    deep = [depths[0]]
    for depth in depths[1:]:
        deep.append(depth if depth > deep[-1] else deep[-1])
    return deep


def warmest_so_far(degrees: list[int]) -> list[int]:
    warm = [degrees[0]]
    for degree in degrees[1:]:
        most = max(warm[-1], degree)
        warm.append(most)
    return warm


def cases(rng):
    for n in (1, 2, 9):
        for name in ("lowest_so_far", "deepest_so_far", "warmest_so_far"):
            yield name, (rng.integers(0, 20, n).tolist(),), {}
