"""The Chinese of the analysis, its console and the settings."""

ANALYSIS: dict[str, str] = {
    "{name} is no longer there. Add it again.": "{name} 已不在。请重新添加。",
    # Settings
    "{name} must begin with http:// or https://. Correct it in .env or the environment.": (
        "{name} 必须以 http:// 或 https:// 开头。请在 .env 或环境变量中更正。"
    ),
    "{name} must be one of: {choices}. Correct it in .env or the environment.": (
        "{name} 只能是以下之一：{choices}。请在 .env 或环境变量中更正。"
    ),
    "{path} cannot be read. Save it as a UTF-8 text file that you may read.": (
        "无法读取 {path}。请将其保存为您有权读取的 UTF-8 文本文件。"
    ),
    "{name} must be a whole number of at least {lowest}. Correct it in .env or the environment.": (
        "{name} 必须是不小于 {lowest} 的整数。请在 .env 或环境变量中更正。"
    ),
    "{name} must be a number of at least {lowest}. Correct it in .env or the environment.": (
        "{name} 必须是不小于 {lowest} 的数字。请在 .env 或环境变量中更正。"
    ),
    # Analysis and console
    "Not kept: this chat would hold more than {limit} MB of tables, charts and files. Download what you need "
    "and begin a new chat, or raise MAX_CHAT_MB.": (
        "未保留：本次对话中的表格、图表和文件将超过 {limit} MB。请下载所需内容后新建对话，或调大 MAX_CHAT_MB。"
    ),
    "{name}: {rows} rows, {columns} columns": "{name}：{rows} 行，{columns} 列",
    "… {rows} rows in all": "…… 共 {rows} 行",
    "{path} cannot be written: {reason}. Choose another folder with --out.": (
        "无法写入 {path}：{reason}。请用 --out 选择其他文件夹。"
    ),
    "Saved: {path}": "已保存：{path}",
    "{name} was removed.": "已移除 {name}。",
    "Python was restarted.": "Python 已重新启动。",
    "{reason} Trying again in {seconds} s.": "{reason}{seconds} 秒后重试。",
    "Stopped.": "已停止。",
    "Running the earlier code again…": "正在重新运行之前的代码…",
    "{number} of {count}": "{number} / {count} 段",
    "The earlier code ran again: {count} of {count}. Its variables are back.": (
        "之前的代码已重新运行（{count} / {count} 段），变量已恢复。"
    ),
    "The earlier code ran again up to {number} of {count}, which ended Python: variables are gone, files are still "
    "there. Run it once more, or ask anew.": (
        "重新运行到第 {number} 段（共 {count} 段）时 Python 意外终止：变量已丢失，文件仍在。请再次运行，或重新提问。"
    ),
    "Stopped at {number} of {count}. The variables of the code before it are back; run the earlier code again for "
    "the others.": "已在第 {number} 段（共 {count} 段）停止。此前各段的变量已恢复；其余变量请再次重新运行之前的代码。",
    "The earlier code ran again up to {number} of {count}, which failed. The variables of the code before it are "
    "back; ask for the others anew.": (
        "重新运行到第 {number} 段（共 {count} 段）时失败。此前各段的变量已恢复；其余内容请重新提问。"
    ),
    "No variables are lost, so there is nothing to run again. Ask about your data.": (
        "没有变量丢失，无需重新运行。请就您的数据提问。"
    ),
    "Variables of earlier code are gone. To run that code again, type replay.": (
        "之前代码的变量已丢失。输入 replay 可重新运行这些代码。"
    ),
    "{name} is empty. Add a file that has column names and rows.": "{name} 是空文件。请添加包含列名和数据行的文件。",
    "{name} cannot be read: {reason}. Check that it is a file you may read and that the disk has space.": (
        "无法读取 {name}：{reason}。请确认它是您有权读取的文件，并且磁盘有足够空间。"
    ),
    "… {lines} more lines; --json gives all": "…… 还有 {lines} 行；用 --json 可得到全部内容",
    "Copying {name}: {percent} %": "正在复制 {name}：{percent}%",
    "Bringing {name} into the sandbox…": "正在将 {name} 放入沙箱…",
    "Looking through all of {name} ({size} MB)…": "正在通读 {name}（{size} MB）…",
    "{name} is larger than {limit} MB. Use a smaller file, or raise MAX_UPLOAD_MB.": (
        "{name} 超过 {limit} MB。请使用较小的文件，或调大 MAX_UPLOAD_MB。"
    ),
    "Something went wrong in the app itself. Ask again; if it happens again, look into the app's log.": (
        "应用自身出错了。请重新提问；如果再次发生，请查看应用日志。"
    ),
    "Ask about your data. To leave, type exit.": "请就您的数据提问。输入 exit 退出。",
    "To leave, type exit.": "输入 exit 退出。",
    "The app ended while it was working on this. What was done by then is still here; ask again to go on.": (
        "应用在处理时结束了。此前完成的内容仍在；请重新提问以继续。"
    ),
    "The earlier chat of this page is open in another running app. Close that one, then open the address of the chat "
    "again.": "此页面之前的对话正在另一个运行中的应用里打开。请关闭那个应用，然后重新打开该对话的地址。",
    "The earlier chat of this page cannot be read: another version of the app kept it, or its file is damaged. Add "
    "your files again to go on.": (
        "无法读取此页面之前的对话：它由另一版本的应用保存，或其文件已损坏。请重新添加文件以继续。"
    ),
    "The question is empty. Type what you want to know.": "问题为空。请输入您想了解的内容。",
    "The running question does not end. Try again in a moment.": "正在回答的问题没有结束。请稍后再试。",
    "A question is still being answered. Wait for its end, or stop it.": (
        "上一个问题仍在回答中。请等待其结束，或停止它。"
    ),
    "A file is still being read, or Python is starting anew. Wait a moment for that, then try again.": (
        "仍在读取文件，或 Python 正在重新启动。请稍候片刻，然后重试。"
    ),
    "Run this code? Type yes, or what is wrong with it: ": "运行这段代码吗？输入 yes 运行，或说明问题：",
}
