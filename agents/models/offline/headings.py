"""What the columns of a shown table are called, in English and Chinese."""

from collections.abc import Iterable

from wording import Language

HEADINGS: dict[str, tuple[str, str]] = {
    "n": ("rows", "行数"),
    "mean": ("mean", "均值"),
    "median": ("median", "中位数"),
    "std": ("standard deviation", "标准差"),
    "total": ("total", "合计"),
    "low": ("interval from", "区间下限"),
    "high": ("interval to", "区间上限"),
    "share": ("share in %", "占比 %"),
    "missing": ("missing", "缺失"),
    "percent": ("missing in %", "缺失 %"),
    "blank": ("blank or placeholder", "空白或占位符"),
    "type": ("type", "类型"),
    "distinct": ("different values", "不同值数"),
    "minimum": ("minimum", "最小值"),
    "maximum": ("maximum", "最大值"),
    "common": ("most frequent", "最常见的值"),
    "value": ("value", "值"),
    "figure": ("figure", "指标"),
    "slope": ("change per unit", "每单位变化"),
    "adjusted_slope": ("the same, others constant", "每单位变化（其他列不变）"),
    "fit": ("fitted", "拟合值"),
    "spearman": ("rank correlation", "秩相关"),
    "pearson": ("correlation", "相关系数"),
    "effect": ("standardised effect", "标准化效应"),
    "importance": ("importance in %", "重要性 %"),
    "outliers": ("outliers", "异常值数"),
    "below": ("below the lower fence", "低于下界"),
    "above": ("above the upper fence", "高于上界"),
    "lower": ("lower fence", "下界"),
    "upper": ("upper fence", "上界"),
    "first": ("first column", "第一列"),
    "second": ("second column", "第二列"),
    "forecast": ("forecast", "预测值"),
    "changed": ("cells or rows changed", "改动的单元格或行数"),
    "step": ("step", "步骤"),
    "outcome": ("outcome", "结果"),
    "factor": ("factor", "因素"),
}
ROWS = ("figure", "step", "outcome", "factor")
"""Of these, what stands over the names of the rows."""


def headings(names: Iterable[str], language: Language) -> dict[str, str]:
    """The headings for these columns, those that stay as they are left out."""
    at = 1 if language == "zh" else 0
    return {name: HEADINGS[name][at] for name in names if HEADINGS[name][at] != name}
