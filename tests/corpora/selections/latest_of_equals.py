# expect: RED505 safe scope=latest
def latest(entries: list):
    return sorted(entries, key=lambda entry: entry["day"])[-1]["name"]


def cases(rng):
    yield (
        "latest",
        ([{"day": 3, "name": "a"}, {"day": 3, "name": "b"}, {"day": 1, "name": "c"}],),
        {},
    )
    yield "latest", ([{"day": 0, "name": "z"}],), {}
