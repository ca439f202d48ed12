# expect: RED505 safe scope=Market.cheapest
class Market:
    def __init__(self, offers):
        self.offers = list(offers)

    def cheapest(self, limit):
        open_offers = [offer for offer in self.offers if offer[1] <= limit]
        return sorted(open_offers, key=lambda offer: (offer[1], offer[0]))[0]


def cases(rng):
    yield "Market([(1, 3), (2, 2), (3, 2)]).cheapest", (3,), {}
    yield "Market([(1, 3)]).cheapest", (3,), {}
