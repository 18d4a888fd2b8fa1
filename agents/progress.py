"""What happened since a question was asked, as far as the rest of its answer depends on it."""

from collections import Counter
from dataclasses import dataclass, field

from agents.events import ChartMade, Event, FigureMade


@dataclass(slots=True)
class Progress:
    """What failed and what was shown since the question; each question begins with a new one."""

    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each call failed."""
    shown: set[bytes | str] = field(default_factory=set)
    """Charts and figures that the person has seen."""

    def is_new(self, event: Event) -> bool:
        """Whether a person should see it: a picture that came before, as when the same code runs again, is not."""
        match event:
            case ChartMade(chart=chart):
                content: bytes | str = chart.content
            case FigureMade(figure=figure):
                content = figure.json
            case _:
                return True
        is_new = content not in self.shown
        self.shown.add(content)
        return is_new
