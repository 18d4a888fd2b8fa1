"""The Chinese of what an operator is told: the execution log, metrics and libraries of one's own."""

OPERATION: dict[str, str] = {
    "Metrics cannot be served at {address}: {reason}. Choose another METRICS_PORT, or empty it.": (
        "无法在 {address} 提供指标：{reason}。请选择另一个 METRICS_PORT，或将其留空。"
    ),
    "{path} has the line {line}, which is no exact version. Write one library a line, for example wordcloud==1.9.4.": (
        "{path} 中的这一行不是精确版本：{line}。请每行写一个库，例如 wordcloud==1.9.4。"
    ),
    "The library {name} is not installed in the sandbox. Installed: {installed}. To add a library, write it with its "
    "exact version into {path}, run python -m sandbox build, and restart Python.": (
        "沙箱中没有安装库 {name}。已安装：{installed}。要添加库，请把它和精确版本写入 {path}，"
        "运行 python -m sandbox build，然后重启 Python。"
    ),
    "The libraries of {path} cannot be installed beside the sandbox's own. Correct what the last lines name, then run: "
    "python -m sandbox build\n{lines}": (
        "{path} 中的库无法与沙箱自带的库一起安装。请更正最后几行指出的问题，然后运行：python -m sandbox build\n{lines}"
    ),
    "The execution log {path} cannot be written: {reason}. Name another file in EXECUTION_LOG, or empty it.": (
        "无法写入执行日志 {path}：{reason}。请在 EXECUTION_LOG 中指定另一个文件，或将其留空。"
    ),
}
