"""The Chinese of the answer check, costs and prices."""

ANSWERS: dict[str, str] = {
    "The one figure is found in the results.": "唯一的数字已在结果中找到。",
    "All {count} figures are found in the results.": "全部 {count} 个数字均已在结果中找到。",
    "The one figure is not in the results: {figures}.": "唯一的数字不在结果中：{figures}。",
    "One of {count} figures is not in the results: {figures}.": "{count} 个数字中有 1 个不在结果中：{figures}。",
    "{missing} of {count} figures are not in the results: {figures}.": (
        "{count} 个数字中有 {missing} 个不在结果中：{figures}。"
    ),
    "No code ran on the data for this answer.": "此回答没有对数据运行任何代码。",
    "The price table {path} cannot be read. Correct MODEL_PRICES, or leave it empty.": (
        "无法读取价格表 {path}。请更正 MODEL_PRICES，或将其留空。"
    ),
    "The price table {path} is not valid TOML: {fault}. Correct it there.": (
        "价格表 {path} 不是有效的 TOML：{fault}。请在该处更正。"
    ),
    "In the price table {path} each [[source]] needs page, checked (a date such as 2026-01-31) and "
    "models. Correct it there.": (
        "价格表 {path} 中的每个 [[source]] 都需要 page、checked（日期，例如 2026-01-31）和 models。请在该处更正。"
    ),
    "The price table {path} gives no usable price for {model}. It takes input, output and cached_input, "
    "in dollars per million tokens, of 0 or more.": (
        "价格表 {path} 中 {model} 的价格不可用。请填写 input、output 和 cached_input，单位为每百万 token 的美"
        "元价格，不小于 0。"
    ),
    "{read} tokens in ({cached} cached), {written} out ({reasoning} reasoning).": (
        "输入 {read} 个 token（其中缓存 {cached}），输出 {written} 个（其中推理 {reasoning}）。"
    ),
    "{read} tokens in ({cached} cached), {written} out ({reasoning} reasoning): {cost}.": (
        "输入 {read} 个 token（其中缓存 {cached}），输出 {written} 个（其中推理 {reasoning}）：{cost}。"
    ),
    "No price is known for {models}. Add one to the price table to count it.": (
        "没有 {models} 的价格。如需计费，请将其添加到价格表。"
    ),
    "This chat has cost {spent} and its limit is {limit}. Raise SPEND_LIMIT_USD, or begin a new chat.": (
        "此对话已花费 {spent}，上限为 {limit}。请提高 SPEND_LIMIT_USD，或开始新的对话。"
    ),
}
