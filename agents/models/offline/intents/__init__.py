"""The kinds of questions that are understood, one small module for each; the earlier wins when words weigh the same."""

from agents.models.offline.intent import Intent
from agents.models.offline.intents.cleaning import CLEAN
from agents.models.offline.intents.comparison import COMPARE
from agents.models.offline.intents.correlation import CORRELATION
from agents.models.offline.intents.crosstab import CROSSTAB
from agents.models.offline.intents.distribution import DISTRIBUTION
from agents.models.offline.intents.drivers import DRIVERS
from agents.models.offline.intents.forecast import FORECAST
from agents.models.offline.intents.lever import LEVER
from agents.models.offline.intents.missing import MISSING
from agents.models.offline.intents.outliers import OUTLIERS
from agents.models.offline.intents.overview import OVERVIEW, ROWS
from agents.models.offline.intents.pivot import PIVOT
from agents.models.offline.intents.ranking import TOP
from agents.models.offline.intents.relation import RELATION
from agents.models.offline.intents.risk import RISK
from agents.models.offline.intents.trend import TREND
from agents.models.offline.intents.trend_by_group import TREND_BY_GROUP

INTENTS: tuple[Intent, ...] = (
    FORECAST, PIVOT, OUTLIERS, MISSING, CLEAN, LEVER, DRIVERS, RISK, RELATION, CORRELATION, CROSSTAB, TREND,
    TREND_BY_GROUP, COMPARE, TOP,
    DISTRIBUTION, ROWS, OVERVIEW,
)  # fmt: skip
