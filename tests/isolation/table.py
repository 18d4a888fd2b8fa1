"""All properties, by what they are about. What holds only together with the page or a model is tested there."""

from tests.isolation.exhaustion import EXHAUSTION
from tests.isolation.files import FILES
from tests.isolation.forgery import FORGERY
from tests.isolation.neighbours import NEIGHBOURS
from tests.isolation.reach import REACH

GROUPS = {
    "A, what code can reach": REACH,
    "B, what code can use up": EXHAUSTION,
    "C, what one session has of another": NEIGHBOURS,
    "D, what code can make the host believe": FORGERY,
    "E, what goes in and comes out": FILES,
}
