"""Words what influences an outcome: the strongest first, each with its direction, alone and with the others held."""

from agents.models.offline.choosing import value_names
from agents.models.offline.figures import Figures
from agents.models.offline.intent import Task
from agents.models.offline.known_table import Role

MOST_TOLD = 6
LEAST_EXPLAINED = 5
"""In percent."""
LEAST_IMPORTANCE = 1
"""In percent of all; less is not worth a word."""
_ENDS = ("highest", "lowest")
_NONE_VARIES = (
    "No other column varies, so nothing can explain {measure:q}.",
    "其他列都没有变化，无法解释 {measure:q}。",
)
_HEAD = ("**{measure:q} is most closely associated with {names}.**", "**与 {measure:q} 关联最强的是 {names}。**")
_NO_HEAD = (
    "**No column is clearly associated with {measure:q}**; the strongest are {names}.",
    "**没有哪一列与 {measure:q} 有明显关联**；相对最强的是 {names}。",
)
_UP = (
    "{name:q}: the higher it is, the higher {measure:q} tends to be (rank correlation {spearman})",
    "{name:q}：越高，{measure:q} 往往越高（秩相关 {spearman}）",
)
_DOWN = (
    "{name:q}: the higher it is, the lower {measure:q} tends to be (rank correlation {spearman})",
    "{name:q}：越高，{measure:q} 往往越低（秩相关 {spearman}）",
)
_VARIES = (
    "{name:q}: not one-way; on average {measure:q} is highest at {highest:q}, lowest at {lowest:q}",
    "{name:q}：并非单向；{measure:q} 的平均值在 {highest:q} 时最高，在 {lowest:q} 时最低",
)
_GROUPS = (
    "{name:q}: on average {measure:q} is highest for {highest:q}, lowest for {lowest:q}",
    "{name:q}：{measure:q} 的平均值在 {highest:q} 中最高，在 {lowest:q} 中最低",
)
_YES_NO = (
    "{name:q}: on average {measure:q} is higher for {highest:q} than for {lowest:q}",
    "{name:q}：{measure:q} 的平均值在 {highest:q} 时高于 {lowest:q} 时",
)
_HELD = (
    "; with the other columns held constant, one standard deviation more goes with a change of {effect} ({chance})",
    "；其他列不变时，每增加一个标准差变化 {effect}（{chance}）",
)
_TURNS = (
    "; but with the other columns held constant it turns round: one standard deviation more goes with a change of "
    "{effect} ({chance})",
    "；但其他列不变时方向相反：每增加一个标准差变化 {effect}（{chance}）",
)
_HELD_YES_NO = (
    "; with the other columns held constant the difference is {effect} ({chance})",
    "；其他列不变时相差 {effect}（{chance}）",
)
_ONE_IMPORTANCE = ("; importance {importance}%", "；重要性 {importance}%")
_HARDLY = ("Hardly any association is seen with {names}.", "几乎看不出关联的有：{names}。")
_EXPLAINED = (
    "On rows that it had not seen, a model with these {factors} columns explains {explained_percent}% of the "
    "variation. Importance is what that model loses when a column is shuffled, as a share of all such losses.",
    "用这 {factors} 列建立的模型，在未见过的数据上能解释 {explained_percent}% 的变异。重要性是打乱某一列后模型的损失，"
    "占全部损失的比例。",
)
_UNEXPLAINED = (
    "Together these {factors} columns explain hardly anything ({explained_percent}% on rows not seen before).",
    "这 {factors} 列合起来几乎没有解释力（在未见过的数据上为 {explained_percent}%）。",
)
_FEW = (
    "With {rows} rows there are too few for a check on unseen rows; the order is by the standardised effect.",
    "只有 {rows} 行，不足以用未见过的数据检验；排序依据标准化效应。",
)
_ALIKE = (
    "{first:q} and {second:q} move together (correlation {correlation}), so their parts cannot be told apart well.",
    "{first:q} 与 {second:q} 高度相关（相关系数 {correlation}），两者的作用难以分开。",
)
_YES = ("The outcome is taken as {yes:q} or not.", "结果按是否为 {yes:q} 处理。")


def drivers_told(task: Task, figures: Figures) -> list[str]:
    """The paragraphs of the answer, without notes."""
    listed = figures.rows("listed")
    if not listed:
        return [task.phrase(_NONE_VARIES)]
    by_importance = figures.is_set("by_importance")
    matter = [row for row in listed if not by_importance or row.number("importance") >= LEAST_IMPORTANCE] or listed[:1]
    rest = [row.text("name") for row in listed if row not in matter]
    names = task.listed([row.text("name") for row in matter[:3]])
    lines = "\n".join(f"- {_line(task, row, by_importance)}" for row in matter[:MOST_TOLD])
    explains = not by_importance or figures.number("explained_percent") >= LEAST_EXPLAINED
    told = [f"{task.phrase(_HEAD if explains else _NO_HEAD, names=names)}\n{lines}"]
    told += [task.phrase(_HARDLY, names=task.listed(rest))] if rest else []
    if by_importance:
        told += [task.phrase(_EXPLAINED if explains else _UNEXPLAINED, figures)]
    else:
        told += [task.phrase(_FEW, figures)]
    told += [task.phrase(_YES, figures)] if figures.text("yes") else []
    return told + [task.phrase(_ALIKE, row) for row in figures.rows("alike")]


def _line(task: Task, row: Figures, by_importance: bool) -> str:
    pair = {"up": _UP, "down": _DOWN}.get(row.text("direction"), _VARIES)
    names = _names(task, row.text("name"))
    if row.text("name") in [column.name for column in task.groups]:
        pair = _GROUPS
    told = task.phrase(
        _YES_NO if names else pair, row, **{end: names.get(row.text(end), row.text(end)) for end in _ENDS}
    )
    if row.is_set("clear"):
        held = _HELD_YES_NO if names else _TURNS if row.is_set("turns") else _HELD
        told += task.phrase(held, row)
    return told + (task.phrase(_ONE_IMPORTANCE, row) if by_importance else "")


def _names(task: Task, name: str) -> dict[str, str]:
    """What the values of a yes/no column are called, by how the code prints them."""
    column = next((c for c in task.columns if c.name == name and c.role is Role.FLAG), None)
    return {f"{value:.1f}": label for value, label in value_names(column, task.language).items()} if column else {}
