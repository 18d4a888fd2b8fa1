"""The Chinese of what an operator is told: the execution log, metrics and libraries of one's own."""

OPERATION: dict[str, str] = {
    "The execution log {path} cannot be written: {reason}. Name another file in EXECUTION_LOG, or empty it.": (
        "无法写入执行日志 {path}：{reason}。请在 EXECUTION_LOG 中指定另一个文件，或将其留空。"
    ),
}
