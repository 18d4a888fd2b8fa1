"""Which columns matter most for an outcome: what a model loses without each, and the direction of each."""

from agents.models.offline.choosing import default_outcome, outcome_of
from agents.models.offline.headings import headings
from agents.models.offline.intent import Intent, Refusal, Task
from agents.models.offline.intents.drivers_wording import drivers_told
from agents.models.offline.known_table import Column, Role
from agents.models.offline.question import Question
from agents.models.offline.script import Script

MOST_FACTORS = 40
MOST_GROUPS = 20

_COMPUTE = """
y, yes = numbers(df[outcome]), ""
if df[outcome].nunique() == 2 and y.nunique() < 2:
    values = df[outcome].dropna()
    rarer = values.value_counts().index[-1]
    yes = next((value for value in values.unique() if str(value).lower() in ("yes", "true", "y", "是")), rarer)
    y = (df[outcome] == yes).astype(float).where(df[outcome].notna())
X = pd.DataFrame({name: numbers(df[name]) for name in number_factors})
for name in group_factors:
    common = df[name].value_counts().index[:20]
    X[name] = pd.Categorical(df[name], categories=common).codes.astype(float)
X = X.loc[y.notna(), (X.notna().mean() > 0.8) & (X.nunique() > 1)].dropna()
y = y[X.index]

by_number = [name for name in number_factors if name in X]
by_group = [name for name in group_factors if name in X]
dummies = [pd.get_dummies(X[name].astype(int), prefix=name, drop_first=True, dtype=float) for name in by_group]
spread = X[by_number].std().where(X[by_number].nunique() > 2, 1)
design = sm.add_constant(pd.concat([(X[by_number] - X[by_number].mean()) / spread, *dummies], axis=1))
line = sm.OLS(y, design).fit(cov_type="HC1") if len(X) > 3 * design.shape[1] else None

explained, importance = np.nan, pd.Series(np.nan, index=X.columns)
if len(X) >= 200:
    part = X.sample(min(len(X), 10000), random_state=0)
    train, test = train_test_split(part, test_size=0.3, random_state=0)
    unseen = y[test.index]
    is_count = y.min() >= 0 and (y % 1 == 0).all() and y[train.index].sum() > 0
    loss = "poisson" if is_count else "squared_error"
    model = Boosting(loss=loss, max_iter=80, max_leaf_nodes=15, early_stopping=False, random_state=0)
    with threadpool_limits(1):
        model.fit(train, y[train.index])
        explained = 1 - ((unseen - model.predict(test)) ** 2).sum() / ((unseen - unseen.mean()) ** 2).sum()
        lost = permutation_importance(model, test, unseen, n_repeats=3, random_state=0, scoring="r2")
    losses = lost.importances_mean.clip(0)
    importance = pd.Series(100 * losses / (losses.sum() or 1), index=X.columns)

rows = []
for name in X.columns:
    is_number = name in by_number
    parts = ranges(X[name]) if is_number and X[name].nunique() > 8 else X[name] if is_number else df[name][X.index]
    means = y.groupby(parts, observed=True).mean()
    ends = means.iloc[-1] - means.iloc[0]
    one_way = is_number and abs(ends) >= 0.6 * (means.max() - means.min())
    rows.append({
        "factor": name,
        "importance": importance[name],
        "spearman": X[name].corr(y, method="spearman") if is_number else np.nan,
        "effect": line.params[name] if is_number and line is not None else np.nan,
        "p": line.pvalues[name] if is_number and line is not None else np.nan,
        "share": (means.max() - means.min()) / y.std(),
        "direction": "up" if one_way and ends > 0 else "down" if one_way and ends < 0 else "varies",
        "highest": str(means.idxmax()),
        "lowest": str(means.idxmin()),
    })
table = pd.DataFrame(rows).set_index("factor")
order = table["importance"] if np.isfinite(explained) else table["effect"].abs().fillna(table["share"] * y.std() / 3)
table = table.assign(order=order).sort_values("order", ascending=False).drop(columns="order")
"""
_CHART = """
shown = table.head(12)[::-1]
fig, axes = plt.subplots(1, 2, figsize=(10, max(3, 0.4 * len(shown) + 1.5)), sharey=True)
strength = shown["importance"] if np.isfinite(explained) else shown["effect"].abs()
axes[0].barh(shown.index.astype(str), strength.clip(lower=0), color="#4c78a8")
axes[0].set(title=title, xlabel=importance_label if np.isfinite(explained) else effect_label)
axes[1].barh(shown.index.astype(str), shown["effect"], color=np.where(shown["effect"] < 0, "#e45756", "#54a24b"))
axes[1].axvline(0, color="black", linewidth=0.8)
axes[1].set(title=direction_title, xlabel=effect_label)
fig.tight_layout()
"""
_SHOW = """
pairs = X[by_number].corr().abs().where(np.triu(np.ones((len(by_number), len(by_number))), 1).astype(bool)).stack()
tell(
    rows=len(X),
    left_out=len(df) - len(X),
    factors=len(X.columns),
    yes=str(yes)[:60],
    explained_percent=rough(100 * explained),
    by_importance=int(np.isfinite(explained)),
    alike=[
        {"first": str(first)[:60], "second": str(second)[:60], "correlation": rough(value)}
        for (first, second), value in pairs[pairs > 0.8].items()
    ][:3],
    listed=[
        {
            "name": str(name)[:60],
            "importance": rough(row["importance"]),
            "spearman": rough(row["spearman"]),
            "effect": rough(row["effect"]),
            "chance": chance(row["p"]),
            "clear": int(row["p"] < 0.05),
            "direction": row["direction"],
            "turns": int(row["p"] < 0.05 and row["direction"] != "varies" and row["effect"] * row["spearman"] < 0),
            "highest": row["highest"][:60],
            "lowest": row["lowest"][:60],
        }
        for name, row in table.head(12).iterrows()
    ],
)
"""
_TITLE = ("What {measure} is associated with", "与 {measure} 相关的因素")
_DIRECTION = ("Direction", "方向")
_IMPORTANCE = ("importance in %", "重要性（%）")
_EFFECT = ("effect of one standard deviation, others constant", "增加一个标准差的效应（其他列不变）")
_NO_OUTCOME = Refusal(
    (
        "To look for factors I need an outcome with numbers or with two values (such as yes and no). Name such a "
        "column.",
        "分析影响因素需要一个数值列，或只有两个取值的列（如是/否）作为结果。请指明这样的列。",
    )
)
_NO_FACTORS = Refusal(
    (
        "This table has no other columns that could explain {measure:q}.",
        "这张表没有其他列可以用来解释这个结果。",
    )
)


def _fit(question: Question) -> Task | Refusal | None:
    outcome, assumed = _outcome(question)
    if outcome is None:
        return _NO_OUTCOME
    named = [column for column in question.columns if column != outcome]
    factors = [c for c in (named if len(named) > 1 else question.table.columns) if c != outcome and _is_factor(c)]
    if not factors:
        return _NO_FACTORS
    return Task(
        intent="drivers",
        question=question,
        measures=(outcome, *(column for column in factors if column.is_number)),
        groups=tuple(column for column in factors if not column.is_number),
        assumed=assumed,
    )


def _outcome(question: Question) -> tuple[Column | None, tuple[str, ...]]:
    """What is to be explained: in English it is named last ("what drives x"), in Chinese first."""
    possible = [c for c in question.columns if c.is_number or (c.role is Role.CATEGORY and c.distinct == 2)]
    if possible:
        usual = default_outcome(question.table, [c for c in question.table.columns if c not in possible])
        last = possible[-1] if question.language == "en" else possible[0]
        return (usual if usual in possible and len(possible) > 2 else last), ()
    return (None, ()) if question.columns else outcome_of(question)


def _is_factor(column: Column) -> bool:
    return column.is_number or (column.role is Role.CATEGORY and (column.distinct or 0) <= 5 * MOST_GROUPS)


def _script(task: Task) -> Script:
    return Script(
        name="drivers",
        values={
            "outcome": task.measure.name,
            "number_factors": [column.name for column in task.measures[1:]][:MOST_FACTORS],
            "group_factors": [column.name for column in task.groups][:MOST_FACTORS],
            "title": task.phrase(_TITLE),
            "direction_title": task.phrase(_DIRECTION),
            "importance_label": task.phrase(_IMPORTANCE),
            "effect_label": task.phrase(_EFFECT),
        },
        compute=_COMPUTE,
        chart=_CHART,
        show=_SHOW,
        result='table[["importance", "spearman", "effect"]].map(rough).astype(float).assign(p=table["p"].map(p_value))',
        headings=headings(("factor", "importance", "spearman", "effect"), task.language),
    )


DRIVERS = Intent(
    name="drivers",
    title=("what influences an outcome most", "影响某个结果的主要因素"),
    triggers=(
        (
            5,
            r"\b(?:should|could|can) (?:we|i|you|one)\b.{0,80}\bor\b"
            r"|\b(?:variables?|columns?|features?|things?) matters?\b"
            r"|\bfactors?\b|\bdriv(?:e|es|er|ers|ing)\b|\bdeterminants?\b|\bcontribut\w+|\bexplains?\b|\bpredict(?:s|ors?)\b",
        ),
        (
            4,
            r"\bwhat\b.{0,20}\b(?:influenc|affect|impact|caus)\w*|\bwhy\b"
            r"|\bimportan\w+ (?:for|of|to)\b|\bmost important\b",
        ),
        (5, r"因素|驱动|原因|为什么|什么影响|哪些.{0,6}影响|最重要|贡献"),
    ),
    fit=_fit,
    script=_script,
    answer=drivers_told,
)
