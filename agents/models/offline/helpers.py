"""Small Python functions for the sandbox; a script carries those that it calls, so that its code stands alone."""

_TELL = '''
def tell(**figures):
    """Print the figures, one a line: name and value."""
    for name, value in figures.items():
        print(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}")
'''
_SHORT = '''
def short(value, digits=4):
    """The number with the digits that matter; from a thousand on without decimals."""
    if pd.isna(value) or not np.isfinite(float(value)):
        return None
    value = float(value)
    value = round(value) if abs(value) >= 1000 else float(f"{value:.{digits}g}")
    return int(value) if value == int(value) else value
'''
_EXACT = '''
def exact(value):
    """The number as it is, without the noise of the last digits."""
    if pd.isna(value) or not np.isfinite(float(value)):
        return None
    value = float(value)
    value = round(value, 2) if abs(value) >= 100 else float(f"{value:.6g}")
    return int(value) if value == int(value) else value
'''
_ROUGH = '''
def rough(value):
    """The number as one says it, with three digits."""
    return short(value, 3)
'''
_CHANCE = '''
def chance(p):
    """A p-value as it is written in a sentence."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if np.isfinite(p) else "p = ?"
'''
_P_VALUE = '''
def p_value(p):
    """A p-value as it is written in a table."""
    return "<0.001" if p < 0.001 else f"{p:.3f}" if np.isfinite(p) else ""
'''
_NUMBERS = '''
def numbers(values):
    """The values as numbers; what is none counts as missing."""
    return pd.to_numeric(values, errors="coerce").astype(float)
'''
_RANGES = '''
def ranges(values, count=5):
    """The values in ranges that hold about the same number of rows; a very common lowest value is one by itself."""
    values = values.astype(float)
    lowest = values.min()
    alone = (values == lowest).mean() > 0.3
    rest = values[values > lowest] if alone else values
    edges = np.unique(rest.quantile(np.linspace(0, 1, count + 1)).dropna())
    names = [f"{low:g} – {high:g}" for low, high in zip(edges, edges[1:])]
    parts = pd.cut(rest, edges, labels=names, include_lowest=True).reindex(values.index)
    if alone:
        parts = parts.cat.set_categories([f"{lowest:g}", *names], ordered=True).mask(values == lowest, f"{lowest:g}")
    return parts
'''
_DATES = '''
def dates(values):
    """The values as points in time without a zone; a number is a year."""
    if pd.api.types.is_numeric_dtype(values):
        return pd.to_datetime(values.astype("Int64").astype(str), format="%Y", errors="coerce")
    return pd.to_datetime(values, errors="coerce").dt.tz_localize(None)
'''
_USUAL_GAP = '''
def usual_gap(when):
    """The usual time between two different dates."""
    gap = when.drop_duplicates().sort_values().diff().median()
    return pd.Timedelta(0) if pd.isna(gap) else gap
'''
_SUITABLE_PERIOD = '''
def suitable_period(when, asked=None):
    """The period asked for, or the finest with a readable number of points, but none finer than the data."""
    day = pd.Timedelta(days=1)
    span, gap = (when.max() - when.min()) / day, usual_gap(when) / day
    days = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
    most = {"hour": 100, "day": 62, "week": 45, "month": 120, "quarter": 0, "year": np.inf}
    wanted = [asked] if asked else [period for period in days if span / days[period] <= most[period]]
    return next((period for period in wanted + list(days) if days[period] >= 0.9 * gap), "year")
'''
_PER_PERIOD = '''
def per_period(when, values, how, period):
    """One value for each period from the first to the last; a period without rows sums to 0 and has no mean."""
    code = {"hour": "h", "day": "D", "week": "W", "month": "M", "quarter": "Q", "year": "Y"}[period]
    series = values.groupby(when.dt.to_period(code)).agg(how)
    if how in ("sum", "count"):
        series = series.reindex(pd.period_range(series.index.min(), series.index.max(), freq=code), fill_value=0)
    return series.astype(float)
'''
_ENDS_EARLY = '''
def ends_early(when, last_period):
    """Whether the data ends well before the last period does, so that its sum is not comparable."""
    return when.max() + 2 * usual_gap(when) < last_period.end_time
'''

HELPERS: dict[str, str] = {
    "numbers": _NUMBERS,
    "ranges": _RANGES,
    "dates": _DATES,
    "usual_gap": _USUAL_GAP,
    "suitable_period": _SUITABLE_PERIOD,
    "per_period": _PER_PERIOD,
    "ends_early": _ENDS_EARLY,
    "short": _SHORT,
    "rough": _ROUGH,
    "exact": _EXACT,
    "chance": _CHANCE,
    "p_value": _P_VALUE,
    "tell": _TELL,
}
NEEDS: dict[str, tuple[str, ...]] = {
    "rough": ("short",),
    "suitable_period": ("usual_gap",),
    "ends_early": ("usual_gap",),
}
"""Which helpers a helper calls itself."""
