"""Draws on a terminal what was asked for alone: answers, what was saved, and errors."""

from agents import events
from analysis.console_view import CODE, TextView, visible
from analysis.cost import Spending
from analysis.record import AnswerChecked, Entry


class QuietView(TextView):
    """Without the code, its output and the words on the way; code that waits for a yes is shown."""

    def show(self, entry: Entry) -> None:
        match entry:
            case events.Finished(text=text):
                self._write(self._links.feed(visible(text)))
                super().show(entry)
            case events.ApprovalAsked(code=code):
                self._block(code.rstrip(), CODE)
            case events.CallFinished(error=str(error)):
                self._block(error, "  ! ")
            case (
                events.ChartMade()
                | events.FigureMade()
                | events.FileMade()
                | events.Stopped()
                | events.Failed()
                | AnswerChecked()
            ):
                super().show(entry)

    def show_spending(self, spent: Spending) -> None:
        """Not asked for."""
