"""The Chinese of the page."""

PAGE: dict[str, str] = {
    "Read it differently": "换一种方式读取",
    "Read again": "重新读取",
    "As the file shows": "由文件决定",
    "Comma": "逗号",
    "Semicolon": "分号",
    "Tab": "制表符",
    "Bar": "竖线",
    "Blanks": "空格",
    "Point": "小数点",
    "Day first": "日在前",
    "Month first": "月在前",
    "Encoding": "编码",
    "Delimiter": "分隔符",
    "Date order": "日期顺序",
    "Decimal mark": "小数符号",
    "Row with the column names (0: none)": "列名所在的行（0 表示没有）",
    "Sheet or table, if only one is wanted": "工作表或数据表名称（只需要其中一个时）",
    "What the model was sent": "发送给模型的内容",
    "Lower quarter": "下四分位",
    "Median": "中位数",
    "Upper quarter": "上四分位",
    "Most frequent": "最常见",
    "Examples": "示例",
    "In code: {variable}": "代码中的名称：{variable}",
    "Repeated rows: {count}": "重复行：{count}",
    "Each row has its own: {columns}": "每行各不相同：{columns}",
    "{column} seems to refer to {other} of {table}.": "{column} 似乎对应 {table} 的 {other}。",
    "{column} seems to refer to {other} of {table}: about {percent}% of its different values are there.": (
        "{column} 似乎对应 {table} 的 {other}：其不同的值约有 {percent}% 在其中。"
    ),
    "{column} is documented as {low} to {high}, but {share} of its values are above {high}.": (
        "{column} 的说明范围为 {low} 至 {high}，但有 {share} 的值大于 {high}。"
    ),
    "{column} is documented as {low} to {high}, but {share} of its values are below {low}.": (
        "{column} 的说明范围为 {low} 至 {high}，但有 {share} 的值小于 {low}。"
    ),
    "The file is in /data as it is; code can open it.": "文件原样保存在 /data 中，代码可以打开它。",
    # First screen, files
    "Ask your data": "向数据提问",
    "Upload a table and ask in your own words. A language model writes Python for your question; it runs in a "
    "locked container without network, and you get the answer with charts, tables and the code behind them.": (
        "上传一张表格，用您自己的话提问。语言模型会为您的问题编写 Python 代码，代码在没有网络的封闭容器中运行，"
        "您会得到答案以及图表、表格和背后的代码。"
    ),
    "Upload tables: CSV, Excel, JSON, Parquet and others": "上传表格：CSV、Excel、JSON、Parquet 等",
    "Up to {limit} MB a file. A larger one is marked red and not taken.": (
        "每个文件最大 {limit} MB，超过的文件会标为红色且不会添加。"
    ),
    "Upload": "上传",
    "Add files": "添加文件",
    "Add the files again": "重新添加文件",
    "Reading the files…": "正在读取文件…",
    "Try the sample data": "试用示例数据",
    "A year of invented traffic accidents, hour by hour.": "一年的虚构交通事故数据，逐小时记录。",
    "Questions to ask the sample data": "可以就示例数据提出的问题",
    "Questions to begin with": "可以先问的问题",
    "Preparing the sandbox and reading {name}…": "正在准备沙箱并读取 {name}…",
    "You can ask once the data is there": "数据就绪后即可提问",
    "Files": "文件",
    "Remove {name}": "移除 {name}",
    "{name} was added.": "已添加 {name}。",
    "{name} was read again.": "已重新读取 {name}。",
    "Data dictionary": "数据字典",
    "What the columns mean, for example: amount = price in euros, with tax": (
        "各列的含义，例如：amount = 含税价格（欧元）"
    ),
    "The model reads this text with your questions.": "模型会随您的问题一起阅读这段文字。",
    # What a file holds
    "{rows} rows, {columns} columns": "{rows} 行，{columns} 列",
    "{rows} rows, 1 column": "{rows} 行，1 列",
    "{count} tables": "{count} 张表",
    "First rows": "前几行",
    "Columns": "列",
    "How it is read": "读取方式",
    "Column": "列名",
    "Type": "类型",
    "Missing": "缺失",
    "Distinct": "不同值",
    "Smallest": "最小",
    "Largest": "最大",
    "whole number": "整数",
    "number": "数字",
    "text": "文本",
    "date": "日期",
    "yes/no": "是/否",
    "empty": "空",
    # Chat
    "Ask about your data": "就您的数据提问",
    "You can ask the next question after this answer": "本次回答结束后即可提出下一个问题",
    "You can ask once the sandbox is ready": "沙箱就绪后即可提问",
    "Working on your question…": "正在处理您的问题…",
    "Thinking…": "正在思考…",
    "Python code · being written…": "Python 代码 · 正在编写…",
    "Stop": "停止",
    "Stopping…": "正在停止…",
    "Stop at once": "立即停止",
    "Kill the running code. Its variables are lost.": "强行终止正在运行的代码，其变量会丢失。",
    "Stopped. Ask again, or ask something else.": "已停止。可以重新提问，或提出其他问题。",
    "Ask again": "重新提问",
    "Variables of earlier code are gone.": "之前代码的变量已丢失。",
    "Run the earlier code again": "重新运行之前的代码",
    "Runs what ran well so far, in order, in a new Python: {count} pieces of code. No model is asked.": (
        "在新的 Python 中按顺序重新运行此前成功的代码，共 {count} 段，不会调用模型。"
    ),
    "To run it again removes files that code has left in the sandbox; it writes its own anew. The files you added and "
    "the results in the chat stay.": (
        "重新运行会删除代码留在沙箱中的文件；重新运行的代码会再次写出自己的文件。您添加的文件和对话中的结果保留。"
    ),
    "The code that failed": "运行失败的代码",
    "You can ask once the earlier code has run": "之前的代码运行完后即可提问",
    "[external image removed]": "[已移除外部图片]",
    "Python started afresh: variables and files that code had left in the sandbox are gone. The files you added and "
    "the results in the chat are still there.": (
        "Python 已重新启动：变量以及代码留在沙箱中的文件已清空。您添加的文件和对话中的结果仍在。"
    ),
    "This chat is not kept on disk and is gone when the app ends. Free some space or make the folder of kept chats "
    "writable, then open the app in a new tab.": (
        "此对话未保存到磁盘，应用结束后将会丢失。请释放一些空间，或将保存对话的文件夹设为可写，然后在新标签页中打开应用。"
    ),
    "The earlier chat of this page is no longer there. Add your files again to go on.": (
        "此页面之前的对话已不存在。请重新添加文件后继续。"
    ),
    # Code and results
    "Python code · running…": "Python 代码 · 运行中…",
    "Python code · done in {seconds} s": "Python 代码 · 已完成，用时 {seconds} 秒",
    "Python code · failed after {seconds} s": "Python 代码 · 失败，用时 {seconds} 秒",
    "Python code · out of time after {seconds} s": "Python 代码 · 超时，已运行 {seconds} 秒",
    "Python code · stopped": "Python 代码 · 已停止",
    "{tool} · running…": "{tool} · 运行中…",
    "{tool} · done": "{tool} · 已完成",
    "{tool} · failed": "{tool} · 失败",
    "{count} characters in the middle are not shown.": "中间有 {count} 个字符未显示。",
    "Rows: {rows}": "行数：{rows}",
    "Rows: the first {shown} of {rows}": "行数：共 {rows} 行，显示前 {shown} 行",
    "This chart is not a PNG picture and is not shown. Download it to look at it.": (
        "此图表不是 PNG 图片，未予显示。请下载后查看。"
    ),
    "This figure cannot be drawn here. Download it, or ask for a plain chart.": (
        "此图无法在此处绘制。请下载，或要求生成普通图表。"
    ),
    "The background of a map comes from the internet, so it is left out here.": (
        "地图底图来自互联网，因此此处不予显示。"
    ),
    "Download": "下载",
    "Results": "结果",
    "Download all ({count})": "全部下载（{count}）",
    "Charts, tables, files and code in one zip.": "图表、表格、文件和代码打包为一个 zip。",
    # Model
    "Model": "模型",
    "Choose a model or type its name": "选择模型或输入其名称",
    "Effort": "推理强度",
    "This chat so far:": "本次对话至今：",
    "Python code · waits for you": "Python 代码 · 等待您确认",
    "Python code · sent back before it ran": "Python 代码 · 运行前被退回",
    "Python code · refused": "Python 代码 · 已拒绝",
    "A second model read this code and let it pass.": "另一个模型已阅读这段代码并放行。",
    "A second model sent this code back: {reason}": "另一个模型退回了这段代码：{reason}",
    "You changed this code before it ran.": "您在运行前修改了这段代码。",
    "Run this code? You can change it first.": "运行这段代码吗？可以先修改。",
    "What is wrong with it, if you refuse": "如果拒绝，请说明问题",
    "Run": "运行",
    "Refuse": "拒绝",
    "OpenAI's last day for {model} is {date}. Its successor is {successor}.": (
        "OpenAI 提供 {model} 的最后日期为 {date}。后继模型为 {successor}。"
    ),
    "The code waits for you…": "代码正在等待您确认…",
    "fast": "快速",
    "balanced": "均衡",
    "strong": "强大",
    "on this machine": "本机",
    "other": "其他",
    "Offline analyst": "离线分析程序",
    "No language model; understands fixed questions.": "不是语言模型；能回答固定的问题。",
    "The offline analyst answers: it is no language model and understands fixed questions. "
    "To ask anything, choose a model in the sidebar, with its API key.": (
        "当前由离线分析程序回答：它不是语言模型，能回答固定的问题。如需任意提问，请在侧边栏选择模型并输入 API 密钥。"
    ),
    "None": "无",
    "Minimal": "最低",
    "Higher": "更高",
    "Longest": "最长",
    "Low": "低",
    "Medium": "中",
    "High": "高",
    "How long a reasoning model thinks. With none chosen, the server decides.": (
        "推理模型思考的时长。不选择时由服务器决定。"
    ),
    "API key": "API 密钥",
    "Set for this chat": "已为本次对话设置",
    "Kept in memory for this chat only, and sent to the model's server alone.": (
        "仅在本次对话期间保存在内存中，且只发送给模型服务器。"
    ),
    "To ask questions, enter the API key of your model's server in the sidebar, or set OPENAI_API_KEY.": (
        "提问前，请在侧边栏输入模型服务器的 API 密钥，或设置 OPENAI_API_KEY。"
    ),
    "Base URL": "接口地址",
    "Of any server that speaks OpenAI's chat completions. Leave it empty for OpenAI.": (
        "任何兼容 OpenAI chat completions 接口的服务器。使用 OpenAI 时请留空。"
    ),
    # Sandbox
    "Sandbox": "沙箱",
    "Starts with the first file or question": "添加第一个文件或提出第一个问题时启动",
    "Waiting for a free one": "等待空闲沙箱",
    "{count} more such guesses are left out.": "另有 {count} 条类似的推测未列出。",
    "Starting…": "正在启动…",
    "Ready": "就绪",
    "At work": "工作中",
    "Closed": "已关闭",
    "What it does not cover:": "它不能防范：",
    "Isolation: {isolation}": "隔离方式：{isolation}",
    "Installed libraries": "已安装的库",
    "Restart Python": "重启 Python",
    "New chat": "新对话",
    "Forget all variables and the files that code left in the sandbox. The files you added, the chat and its results "
    "stay.": "清空所有变量以及代码留在沙箱中的文件。您添加的文件、对话及其结果保留。",
    "Chat, files, variables and results are deleted.": "对话、文件、变量和结果都会被删除。",
    "Delete and begin anew": "删除并重新开始",
    "Starts afresh with the next question": "提出下一个问题时重新启动",
    "Python was restarted: variables and files of the code are gone, the files you added are still there.": (
        "Python 已重新启动：变量和代码写出的文件已清空，您添加的文件仍在。"
    ),
    "{name} was read again as you chose. See “How it is read”.": "已按您的选择重新读取 {name}，见“读取方式”。",
    "{name} reads as it did before: your choice does not fit it, or it was read so already.": (
        "{name} 的读取结果与之前相同：您的选择不适用于该文件，或原本就是这样读取的。"
    ),
    "Stop the answer first.": "请先停止当前回答。",
    "Preparing the sandbox. This is needed once and takes some minutes.": "正在准备沙箱。只需一次，需要几分钟。",
    "Try again": "重试",
    "Thoughts": "思考过程",
}
