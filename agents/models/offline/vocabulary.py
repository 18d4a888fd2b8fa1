"""Which words mean the same, in English and Chinese, as data; what a word does in a question is not decided here."""

from agents.models.offline.stems import is_han, name_words, stem, tokens


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONCEPTS: dict[str, str] = {
    "accident": "accident crash collision 交通事故 事故数 事故 车祸",
    "fine": "fine penalty ticket 罚款金额 罚款 罚金",
    "speed": "speed speeding velocity slow slower slowest fast faster fastest 慢 快 车速 速度 时速",
    "density": "density congestion jam 密度 拥堵 拥挤",
    "traffic": "traffic 交通",
    "light": "light signal 红绿灯 信号灯",
    "pavement": "pavement surface asphalt 路面",
    "urban": "urban city town metropolitan 城市 城区 城镇 市区",
    "rural": "rural countryside country village 农村 乡村 郊区 乡下",
    "rain": "rain rainfall precipitation wet 降雨 下雨 雨",
    "intensity": "intensity strength 强度",
    "vehicle": "vehicle car auto 车辆 汽车 机动车",
    "hour": "hour hourly 小时 钟点",
    "time": "time datetime timestamp 时间 时刻 时段",
    "date": "date 日期",
    "day": "day daily 天 每日",
    "weekday": "weekday 星期 周几",
    "week": "week weekly 周",
    "month": "month monthly 月份 月",
    "quarter": "quarter quarterly 季度",
    "year": "year yearly annual 年份 年",
    "region": "region area zone district province state 地区 区域 大区 片区 省份 省",
    "nation": "nation country 国家 国别",
    "store": "store shop outlet branch 门店 店铺 商店 店名 店",
    "product": "product item goods article sku 产品 商品 货品 品名",
    "category": "category type kind class segment 类别 品类 类型 种类 分类",
    "customer": "customer client buyer 客户 顾客 买家",
    "user": "user visitor member 用户 访客 会员",
    "respondent": "respondent participant 受访者 被访者",
    "employee": "employee staff worker 员工 职员",
    "department": "department dept team division 部门 科室 团队",
    "sale": "sale revenue turnover sell selling 销售额 销售 营业额 营收 收入额",
    "income": "income earning 收入",
    "salary": "salary wage pay earn 工资 薪资 薪水 月薪",
    "profit": "profit margin gain 利润 毛利 盈利",
    "cost": "cost expense spending spend 成本 费用 支出 花费",
    "price": "price expensive cheap cheapest 价格 单价 售价 价钱 贵 便宜",
    "amount": "amount 金额 数额",
    "quantity": "quantity qty unit volume 销量 件数 数量",
    "count": "count number 个数 次数",
    "order": "order purchase 订单",
    "discount": "discount rebate 折扣 优惠",
    "rating": "rating score grade mark 评分 得分 分数 打分 成绩",
    "satisfaction": "satisfaction satisfied 满意度 满意",
    "recommend": "recommend recommendation nps 推荐度 推荐",
    "age": "age old older oldest young younger youngest 年龄 岁数 年轻",
    "gender": "gender sex 性别",
    "male": "male man men 男性 男",
    "female": "female woman women 女性 女",
    "education": "education degree 学历 教育程度 教育",
    "height": "height 身高 高度",
    "weight": "weight 体重 重量",
    "temperature": "temperature temp 温度 气温",
    "humidity": "humidity 湿度",
    "wind": "wind 风速 风",
    "page": "page url path endpoint 页面 网页 路径",
    "status": "status code 状态 状态码",
    "error": "error failure fail 错误 故障 失败",
    "byte": "byte bytes size 字节 大小",
    "response": "response latency duration elapsed slow slower slowest fast faster fastest 慢 快 响应 耗时 时长 延迟",
    "visit": "visit hit request pageview 访问 请求 访问量",
    "device": "device platform 设备 平台",
    "browser": "browser 浏览器",
    "channel": "channel source 渠道 来源",
    "payment": "payment method 支付 付款 支付方式",
    "name": "name 姓名 名称 名字",
    "supplier": "supplier vendor seller 供应商 供货商",
    "stock": "stock inventory 库存 存货",
    "risk": "risk hazard danger 风险 危险",
    "weather": "weather 天气",
    "today": "today tomorrow yesterday 今天 明天 昨天",
    "quality": "quality condition 质量 品质 状况",
    "distance": "distance 距离 里程",
    "population": "population inhabitant 人口",
    "house": "house home property flat apartment 房屋 房子 住宅 房产",
    "room": "room bedroom 房间 卧室",
    "rent": "rent 租金 房租",
    "yes": "yes true",
    "no": "no false",
}

ANTONYMS: dict[str, str] = {"urban": "rural", "rural": "urban", "male": "female", "female": "male"}
"""A 0/1 column named after one of these has the other as its 0."""

CONCEPT_NAMES: dict[str, dict[str, str]] = {
    "urban": {"en": "urban", "zh": "城市"},
    "rural": {"en": "rural", "zh": "农村"},
    "male": {"en": "male", "zh": "男"},
    "female": {"en": "female", "zh": "女"},
}
"""What the values of such a column are called where the dictionary does not say."""

PLACES = frozenset({"region", "urban", "rural", "nation", "store", "district"})
"""What the word "areas" can stand for."""

BAD_OUTCOMES = _words(
    "accident error risk cost fail failure loss defect complaint churn delay death injury crime fraud claim 事故 损失 "
    "缺陷 投诉 流失 延迟 死亡 故障 price response rent"
)
"""Outcomes that one wants small."""

GOOD_OUTCOMES = _words(
    "sale profit income salary rating satisfaction recommend quantity order visit conversion yield revenue growth 转"
    "化 产量 点击"
)
"""Outcomes that one wants large."""

MONEY = _words("sale profit income salary")
"""What a table is about when nothing worse is in it."""

ROW_NOUNS = _words(
    "order visit customer user respondent employee row record entry case transaction observation line request flat "
    "记录 样本 条目 行 单数 人数 笔数 订单数 客户数 用户数 员工数"
)
"""What the rows of a table may be called, so that their number is meant."""

ADDITIVE = _words(
    "accident sale income profit cost amount quantity count order visit byte error vehicle rain fine click view 点击 "
    "浏览 产量"
)
"""Measures whose sum over a period means something; of the others the mean is taken."""

WEAK = _words("amount count number average mean total sum median maximum minimum value rate index")
"""Words of a column's name that also say how to calculate; alone they name no column."""

COUNTS_AND_TIMES = _words("count amount quantity time date day week month quarter year hour risk order status")
"""Concepts whose words say how, or over which time, just as often as of what."""

STOP = _words(
    "a an the of in on at to for and or is are was were be do does did how what which who with without from by per "
    "each than that this these those it its as all any some there here vs versus between among across over under into "
    "go most least more less best highest lowest higher lower fewer data table column row file value "
    "share proportion percentage"
)

COMMON = _words(
    "show give please tell make want would could should need have many much list find draw plot chart graph display "
    "calculate compute create analy analyze analyse analysis look same also about most very good well only just your "
    "mine their them they does happen often kind thing like help know reduce reducing raise raising increase improve "
    "common above below matrix question picture whole entire every different where when before after during while "
    "then other another overall usual typical actually really work better great level using used compared relative "
    "together people occur group detail percent general example particular interest fact something anything dataset"
)
"""Words of no consequence for what is asked."""


def _phrases() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for concept, words in CONCEPTS.items():
        for word in (concept, *words.split()):
            found.setdefault(stem(word), set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in found.items()}


CONCEPTS_OF: dict[str, frozenset[str]] = _phrases()
"""Stemmed English words and Chinese phrases, each with its concepts (a country is a nation, or not the town)."""


def concepts(word: str) -> frozenset[str]:
    """The concepts of a word, or its stem when none is known."""
    root = stem(word)
    return CONCEPTS_OF.get(root) or frozenset((root,))


def keys_of(text: str) -> frozenset[str]:
    """The concepts of all words of a text; a single Chinese character counts only when it stands alone."""
    found: set[str] = set()
    for word in name_words(text):
        found |= concepts(word)
        if is_han(word):
            found |= {key for piece in tokens(word, CONCEPTS_OF) if len(piece.text) > 1 for key in concepts(piece.text)}
    return frozenset(found)
