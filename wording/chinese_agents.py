"""The Chinese of agents, models and tools."""

AGENTS: dict[str, str] = {
    # The loop of an agent
    "The answer was cut off at the model's limit. Ask to go on.": "回答因达到模型的输出上限而被截断。可以让它继续。",
    "The limit of {rounds} rounds for one question was reached, so this answer may be incomplete. Ask to go "
    "on, or ask a smaller question.": (
        "单个问题已达到 {rounds} 轮上限，这个回答可能不完整。可以让它继续，或把问题拆小后再问。"
    ),
    "The limit of {rounds} rounds for one question was reached without an answer. Ask a smaller question.": (
        "单个问题已达到 {rounds} 轮上限，仍未得到答案。请把问题拆小后再问。"
    ),
    "The model sent the same failing code {times} times. Put the question differently, or choose another model.": (
        "模型连续 {times} 次提交了同样会出错的代码。请换一种问法，或换一个模型。"
    ),
    # The model's server
    "No key for the language model is set. Enter one, or put OPENAI_API_KEY into the environment or .env.": (
        "还没有设置语言模型的密钥。请输入密钥，或在环境变量或 .env 中设置 OPENAI_API_KEY。"
    ),
    "The key holds characters that no key has. Copy it again.": "密钥中含有不该出现的字符。请重新复制一次。",
    "The base URL {url} is not a web address. It should look like https://example.com/v1.": (
        "接口地址 {url} 不是有效的网址。它应该形如 https://example.com/v1。"
    ),
    "The model gave an empty answer. Ask again, or choose another model.": (
        "模型给出了空的回答。请再问一次，或换一个模型。"
    ),
    "The model declined to answer: {reason}. Put the question differently.": "模型拒绝回答：{reason}。请换一种问法。",
    "The model's server refused the question for its content. Put it differently.": (
        "模型服务因内容原因拒绝了这个问题。请换一种问法。"
    ),
    "The model used up its output while thinking and gave no answer. Choose a lower effort, or ask a smaller "
    "question.": ("模型在思考时用完了输出额度，没有给出答案。请降低推理强度，或把问题拆小后再问。"),
    "The model thought but gave no answer. Ask again, or choose another model.": (
        "模型只进行了思考，没有给出答案。请再问一次，或换一个模型。"
    ),
    "The model's reply did not come to an end. Ask again, or choose another model.": (
        "模型的回复没有结束。请再问一次，或换一个模型。"
    ),
    "The key was refused by {server}. Check the key; copy it again if in doubt.": (
        "{server} 拒绝了这个密钥。请检查密钥，必要时重新复制。"
    ),
    "The model's server reported: {message}. Ask again, or choose another model.": (
        "模型服务报告：{message}。请再问一次，或换一个模型。"
    ),
    "{server} does not know the model {model}. Choose another model.": "{server} 不认识模型 {model}。请换一个模型。",
    "{model} refused a parameter of the request: {message}. Choose another effort or another model.": (
        "{model} 拒绝了请求中的一个参数：{message}。请换一个推理强度或模型。"
    ),
    "The model's server has too many requests, or the limit of the key is reached. Wait a minute, then ask again.": (
        "模型服务请求过多，或密钥已达到限额。请等一分钟再问。"
    ),
    "The connection to {server} broke off. Ask again.": "与 {server} 的连接中断。请再问一次。",
    "The model's server refused the request (status {status}). Choose another model, or begin a new conversation.": (
        "模型服务拒绝了请求（状态码 {status}）。请换一个模型，或开始新的对话。"
    ),
    "The model's server failed. Ask again in a minute, or choose another model.": (
        "模型服务出错。请一分钟后再问，或换一个模型。"
    ),
    "Nothing answers chat requests at {server}. Check the base URL; most end with /v1.": (
        "{server} 上没有对话接口。请检查接口地址，它通常以 /v1 结尾。"
    ),
    "The account behind the key has no credit left. Add credit or raise its limit at the provider, then ask again.": (
        "该密钥所属账户的额度已用完。请在服务商处充值或提高限额，然后再问。"
    ),
    "The model's server failed (status {status}). Ask again in a minute, or choose another model.": (
        "模型服务出错（状态码 {status}）。请一分钟后再问，或换一个模型。"
    ),
    "{server} sent something that is not a chat completion. Check the base URL; most end with /v1.": (
        "{server} 返回的内容不是对话补全。请检查接口地址，它通常以 /v1 结尾。"
    ),
    "The model's server at {server} did not answer in time. Ask again, or choose a faster model.": (
        "位于 {server} 的模型服务没有及时响应。请再问一次，或换一个更快的模型。"
    ),
    "The model's server refused the request: {message}. Choose another model, or begin a new conversation.": (
        "模型服务拒绝了请求：{message}。请换一个模型，或开始新的对话。"
    ),
    "The certificate of {server} is not trusted. Let SSL_CERT_FILE name your organisation's certificates.": (
        "{server} 的证书不受信任。请用 SSL_CERT_FILE 指定贵单位的证书文件。"
    ),
    "The key may not use {model} at {server}. Choose another model or another key.": (
        "这个密钥无权在 {server} 使用 {model}。请换一个模型或密钥。"
    ),
    "The conversation is too long for {model}. Begin a new one, or choose a model that reads more.": (
        "对话对 {model} 来说太长了。请开始新的对话，或换一个上下文更长的模型。"
    ),
    "The model's server at {server} does not answer. Check the network and the base URL.": (
        "位于 {server} 的模型服务没有响应。请检查网络和接口地址。"
    ),
    "The model's server does not answer.": "模型服务没有响应。",
    "The model's server has too many requests.": "模型服务的请求过多。",
    "The model's server failed.": "模型服务出错。",
    # Tools
    "{path} is not in a folder that may be read, or does not exist. Files may be read from: {folders}.": (
        "{path} 不在允许读取的文件夹中，或不存在。允许读取的文件夹：{folders}。"
    ),
    "{name} is not a regular file. Name a file with a table.": "{name} 不是普通文件。请指定一个含有表格的文件。",
    "{name} has {size} MB, more than the limit of {limit} MB. Use a smaller file, or raise the limit in the "
    "settings.": ("{name} 有 {size} MB，超过了 {limit} MB 的上限。请使用更小的文件，或在设置中提高上限。"),
    "{name} changed while it was read. Open it again.": "{name} 在读取时发生了变化。请重新打开。",
    "{name} cannot be read ({reason}). Check that it is a file that you may read.": (
        "无法读取 {name}（{reason}）。请确认您有权读取这个文件。"
    ),
    "{server} does not know the model {model}. Choose one that it offers, such as: {models}.": (
        "{server} 没有模型 {model}。请选择它提供的模型，例如：{models}。"
    ),
    "OpenAI shut {model} down on {date}. Choose {successor} in its place, or a server that still has it.": (
        "OpenAI 已于 {date} 停用 {model}。请改用 {successor}，或换用仍提供它的服务。"
    ),
    # agents/models/offline/model.py
    "The built-in analyst answers by running its own code alone. Choose a language model for this.": (
        "内置分析程序只能通过运行自己的代码来回答。此项请选择一个语言模型。"
    ),
}
