# expect: ASC110 safe scope=leaderboard
def leaderboard(scores: dict[str, int]) -> list[tuple[str, int]]:
    """The first ten players; players with equal scores stay in the order of the dict."""
    ranking = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    return ranking[:10]


def cases(rng):
    for n in (0, 4, 60):
        yield "leaderboard", ({f"p{i}": int(rng.integers(0, 9)) for i in range(n)},), {}
