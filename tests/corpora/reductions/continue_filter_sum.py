# may: ASC106 safe scope=payroll
from dataclasses import dataclass


@dataclass(frozen=True)
class Employee:
    salary: float
    active: bool


def payroll(staff: list[Employee]) -> float:
    total = 0.0
    for person in staff:
        if not person.active:
            continue
        total += person.salary
    return total


def cases(rng):
    staff = "[Employee(10.5, True), Employee(99.0, False), Employee(2.25, True)]"
    yield f"lambda: payroll({staff})", (), {}
    yield "payroll", ([],), {}
