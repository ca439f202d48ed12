"""The same fold on the aggregation interfaces of engines that run a program in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent, indent

from auditor.derive.functions import Functions


@dataclass(frozen=True)
class Engine:
    """How a fold and a scan are written for one engine; the imports that they need, first the
    standard library's."""

    write: Callable[[_Options], str]
    scan: Callable[[_Options], str]
    imports: tuple[str, ...] = ()
    third_party: tuple[str, ...] = ()

    def text(self, functions: Functions, commutes: bool) -> str:
        options = _Options(functions, commutes and not functions.fold.containers)
        return self.write(options) if functions.running is None else self.scan(options)


@dataclass(frozen=True)
class _Options:
    """What has to be passed on: parameters of the update and of the finish."""

    functions: Functions
    commutes: bool

    @property
    def signature(self) -> str:
        options = self.functions.options
        return f", *, {', '.join(f'{o}: Any' for o in options)}" if options else ""

    @property
    def piece(self) -> str:
        """The function that folds one part, its parameters bound."""
        return _bound("piece", self.functions.update_options)

    @property
    def finish(self) -> str:
        return _bound("finish", self.functions.finish_options)

    @property
    def outputs(self) -> str:
        """The function that gives the running values of a part, its parameters bound."""
        return _bound("outputs", self.functions.output_options)

    @property
    def finishing(self) -> str:
        return "".join(f", {o}={o}" for o in self.functions.finish_options)

    @property
    def passing(self) -> str:
        return "".join(f", {o}={o}" for o in self.functions.output_options)

    @property
    def all(self) -> str:
        return "".join(f", {o}={o}" for o in self.functions.options)

    @property
    def updating(self) -> str:
        return "".join(f", {o}={o}" for o in self.functions.update_options)


def _bound(name: str, options: list[str]) -> str:
    return f"partial({name}, {', '.join(f'{o}={o}' for o in options)})" if options else name


# -- folds


def _dask(o: _Options) -> str:
    return dedent(f'''\
        def fold(bag: Bag{o.signature}) -> Any:
            """What the loop leaves, of a bag: lazy, `.compute()` runs it. A partition is folded
            where it lies; neighbours are combined in a tree, in order."""
            return bag.reduction({o.piece}, merge, split_every=8).apply({o.finish})
        ''')


def _ray(o: _Options) -> str:
    return dedent(f'''\
        piece_task = ray.remote(piece)
        combine_task = ray.remote(combine)


        def fold(parts: Iterable[Iterable[Any]]{o.signature}) -> Any:
            """What the loop leaves, of parts that follow one another (values or references to
            them): a task for each part, then a tree of tasks that combine neighbours."""
            states = [piece_task.remote(part{o.updating}) for part in parts]
            while len(states) > 1:
                pairs = [states[at : at + 2] for at in range(0, len(states), 2)]
                states = [combine_task.remote(*p) if len(p) == 2 else p[0] for p in pairs]
            return finish(ray.get(states[0]) if states else init(){o.finishing})
        ''')


def _spark(o: _Options) -> str:
    step = "update"
    if o.functions.update_options:
        options = ", ".join(f"{name}={name}" for name in o.functions.update_options)
        step = f"partial(update, {options})"
    if o.commutes:
        return dedent(f'''\
            def fold(rdd: RDD{o.signature}) -> Any:
                """What the loop leaves, of an RDD."""
                return finish(rdd.treeAggregate(init(), {step}, combine){o.finishing})
            ''')
    return dedent(f'''\
        def fold(rdd: RDD{o.signature}) -> Any:
            """What the loop leaves, of an RDD. treeAggregate combines partitions in any order, so
            that each state says from which partition to which it reaches."""
            summarise = {o.piece}

            def place(number: int, elements: Iterable[Any]) -> list[Any]:
                return [(number, number + 1, summarise(elements))]

            runs = rdd.mapPartitionsWithIndex(place)
            whole = runs.treeAggregate([], lambda some, run: join(some, [run]), join)
            return finish(merge(state for _, _, state in whole){o.finishing})


        def join(some: list[Any], others: list[Any]) -> list[Any]:
            """Runs of partitions in order, those that touch combined."""
            out: list[Any] = []
            for start, stop, state in sorted([*some, *others], key=lambda run: run[0]):
                if out and out[-1][1] == start:
                    first, _, before = out.pop()
                    out.append((first, stop, combine(before, state)))
                else:
                    out.append((start, stop, state))
            return out
        ''')


def _torch_distributed(o: _Options) -> str:
    whole = dedent(f'''\
        def all_reduce(state: Any, group: Any = None) -> Any:
            """The state of all ranks' elements, in the order of the ranks, on each rank: neighbours
            combine in about log2(ranks) rounds, then the first tells the others."""
            group = dist.group.WORLD if group is None else group
            rank, size = dist.get_rank(group), dist.get_world_size(group)
            known_as = [dist.get_global_rank(group, place) for place in range(size)]
            distance = 1
            while distance < size:
                if rank % (2 * distance) == distance:
                    dist.send_object_list([state], dst=known_as[rank - distance], group=group)
                    break
                if rank + distance < size:
                    received = [None]
                    dist.recv_object_list(received, src=known_as[rank + distance], group=group)
                    state = combine(state, received[0])
                distance *= 2
            told = [state]
            dist.broadcast_object_list(told, src=known_as[0], group=group)
            return told[0]


        def fold(elements: Iterable[Any]{o.signature}, group: Any = None) -> Any:
            """What the loop leaves, on every rank; each gives its own part of the elements."""
            state = all_reduce({_call("piece", "elements", o.updating)}, group)
            return finish(state{o.finishing})
        ''')
    own = f"""
held = []
for element in elements:
    state = update(state, element{o.updating})
    held.append(finish(state{o.finishing}))
return held
"""
    words = "What the loop holds after each of this rank's elements"
    return f"{whole}\n\n{_gathered(o, words, own)}"


def _gathered(o: _Options, words: str, own: str) -> str:
    """A scan over ranks, each of which goes on from the state of those before it by ``own``."""
    text = dedent(f'''\
        def scan(elements: Iterable[Any]{o.signature}, group: Any = None) -> list[Any]:
            """{words}: the ranks gather the
            carries, and each goes on from what the ranks before it leave."""
            elements = list(elements)
            carries: list[Any] = [None] * dist.get_world_size(group)
            own = {_call("piece", "elements", o.updating)}
            dist.all_gather_object(carries, own, group=group)
            state = merge(carries[: dist.get_rank(group)])
        ''')
    return text + indent(own.lstrip("\n"), "    ")


def _call(name: str, argument: str, options: str) -> str:
    return f"{name}({argument}{options})"


def _pool(kind: str, words: str) -> Callable[[_Options], str]:
    def write(o: _Options) -> str:
        return dedent(f'''\
            def fold(parts: Iterable[Any]{o.signature}, workers: int | None = None) -> Any:
                """What the loop leaves, of parts that follow one another, on {words}."""
                with {kind}(workers) as pool:
                    return finish(merge(pool.map({o.piece}, parts)){o.finishing})
            ''')

    return write


# -- scans: the parts' states, what leaves each part's elements what came before, the parts again


def _pool_scan(kind: str, words: str) -> Callable[[_Options], str]:
    def write(o: _Options) -> str:
        return dedent(f'''\
            def scan(
                parts: Iterable[Iterable[Any]]{o.signature}, workers: int | None = None
            ) -> list[Any]:
                """What the loop appends to `{o.functions.running}`, of parts that follow one
                another, on {words}: each goes on from what the parts before it leave."""
                parts = [list(part) for part in parts]
                with {kind}(workers) as pool:
                    before = accumulate(pool.map({o.piece}, parts), combine, initial=init())
                    carried = map({o.finish}, before)
                    kept = pool.map({o.outputs}, parts, carried)
                    return [value for part in kept for value in part]
            ''')

    return write


def _dask_scan(o: _Options) -> str:
    return dedent(f'''\
        def scan(bag: Bag{o.signature}) -> Bag:
            """What the loop appends to `{o.functions.running}`, as a bag: lazy. A partition goes on
            from what the partitions before it leave, of which only the states are moved."""
            parts = bag.to_delayed()
            states = [delayed({o.piece})(part) for part in parts]
            before = accumulate(states, delayed(combine), initial=delayed(init)())
            carried = map(delayed({o.finish}), before)
            return from_delayed([delayed({o.outputs})(*pair) for pair in zip(parts, carried)])
        ''')


def _ray_scan(o: _Options) -> str:
    return dedent(f'''\
        piece_task = ray.remote(piece)
        combine_task = ray.remote(combine)


        @ray.remote
        def outputs_task(elements: Iterable[Any], state: Any{o.signature}) -> list[Any]:
            """The running values of a part, after the state of what comes before it."""
            return outputs(elements, finish(state{o.finishing}){o.passing})


        def scan(parts: Iterable[Iterable[Any]]{o.signature}) -> list[Any]:
            """What the loop appends to `{o.functions.running}`, of parts that follow one another
            (values or references to them): each goes on from what the parts before it leave."""
            parts = list(parts)
            states = [piece_task.remote(part{o.updating}) for part in parts]
            before = accumulate(states, combine_task.remote, initial=ray.put(init()))
            kept = [outputs_task.remote(*pair{o.all}) for pair in zip(parts, before)]
            return [value for part in ray.get(kept) for value in part]
        ''')


def _spark_scan(o: _Options) -> str:
    return dedent(f'''\
        def scan(rdd: RDD{o.signature}) -> RDD:
            """What the loop appends to `{o.functions.running}`, as an RDD. A partition goes on from
            what the partitions before it leave; the driver combines their states alone."""
            summarise, go_on = {o.piece}, {o.outputs}
            states = rdd.mapPartitions(lambda elements: [summarise(elements)]).collect()
            before = accumulate(states, combine, initial=init())
            carried = [finish(state{o.finishing}) for state in before]
            return rdd.mapPartitionsWithIndex(
                lambda number, elements: go_on(elements, carried[number])
            )
        ''')


def _torch_distributed_scan(o: _Options) -> str:
    own = f"return outputs(elements, finish(state{o.finishing}){o.passing})"
    words = f"What the loop appends to `{o.functions.running}` for this rank's elements"
    return _gathered(o, words, own)


ENGINES: dict[str, Engine] = {
    "threads": Engine(
        _pool("ThreadPoolExecutor", "threads"),
        _pool_scan("ThreadPoolExecutor", "threads"),
        ("from concurrent.futures import ThreadPoolExecutor",),
    ),
    "processes": Engine(
        _pool("ProcessPoolExecutor", "processes"),
        _pool_scan("ProcessPoolExecutor", "processes"),
        ("from concurrent.futures import ProcessPoolExecutor",),
    ),
    "dask": Engine(
        _dask,
        _dask_scan,
        (),
        (
            "from dask.bag import Bag",
            "from dask import delayed",
            "from dask.bag import from_delayed",
        ),
    ),
    "ray": Engine(_ray, _ray_scan, (), ("import ray",)),
    "spark": Engine(_spark, _spark_scan, (), ("from pyspark import RDD",)),
    "torch-distributed": Engine(
        _torch_distributed, _torch_distributed_scan, (), ("import torch.distributed as dist",)
    ),
}
