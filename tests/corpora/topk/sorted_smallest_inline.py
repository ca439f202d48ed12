# expect: ASC110 safe scope=cheapest
from operator import attrgetter
from typing import NamedTuple


class Offer(NamedTuple):
    shop: str
    price: float


def cheapest(offers):
    return [offer.shop for offer in sorted(offers, key=attrgetter("price"))[:3]]


def cases(rng):
    prices = rng.random(20).round(1).tolist()
    yield f"lambda: cheapest([Offer(str(i), p) for i, p in enumerate({prices})])", (), {}
    yield "cheapest", ([],), {}
