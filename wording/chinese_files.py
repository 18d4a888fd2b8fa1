"""The Chinese of how a file is read."""

FILES: dict[str, str] = {
    # Files
    "A web page of more than {limit} MB cannot be read. Save it as CSV.": (
        "无法读取超过 {limit} MB 的网页。请另存为 CSV。"
    ),
    "This is a web page without a table. Upload a CSV, Excel, Parquet or JSON file.": (
        "这是不含表格的网页。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "Read as a table of a web page.": "按网页中的表格读取。",
    "File {file} of the archive.": "压缩包中的文件 {file}。",
    "Files in the archive that are not read as tables: {files}.": "压缩包中未按表格读取的文件：{files}。",
    "The archive holds no table that can be read. Unpack it and upload the files in it.": (
        "压缩包中没有可读取的表格。请解压后上传其中的文件。"
    ),
    "The archive is protected by a password. Unpack it and upload the files in it.": (
        "压缩包受密码保护。请解压后上传其中的文件。"
    ),
    "Left out: the last row, {label}, which adds up the rows above it.": (
        "已略去最后一行 {label}：它是上面各行的合计。"
    ),
    "Read as Stata.": "按 Stata 文件读取。",
    "Read as SAS.": "按 SAS 文件读取。",
    "Read as SPSS.": "按 SPSS 文件读取。",
    "The labels of values are not unique, so the values themselves are read.": "值标签不唯一，因此读取原始值。",
    "The file has more than {limit} MB, which is too much to read. Save a part of it.": (
        "文件超过 {limit} MB，过大而无法读取。请只保存其中一部分。"
    ),
    "Read from SQLite.": "从 SQLite 数据库读取。",
    "Read from DuckDB.": "从 DuckDB 数据库读取。",
    "Table {table} of the database.": "数据库中的表 {table}。",
    "The database holds no table. Check that it was saved completely.": "数据库中没有表。请检查它是否已完整保存。",
    "The table is too long; only its first {rows} rows are read. Use SQL for all of them.": (
        "表过长，只读取前 {rows} 行。如需全部数据，请使用 SQL。"
    ),
    "There is no encoding {encoding}. Choose another one.": "没有 {encoding} 这种编码。请另选一种。",
    "The first line is longer than {limit} million characters. Check what the file is.": (
        "第一行超过 {limit} 百万个字符。请检查这是什么文件。"
    ),
    "Read as {encoding}, one column.": "按 {encoding} 编码读取，只有一列。",
    "The table has {columns} columns; at most {limit} can be read. Upload the columns that you need.": (
        "表格有 {columns} 列，最多可读取 {limit} 列。请只上传需要的列。"
    ),
    "This is running text, not a table. Upload a CSV, Excel, Parquet or JSON file.": (
        "这是普通文章，不是表格。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "Quotation marks are read as text, because the one in line {line} would swallow what follows.": (
        "引号按普通文本读取，因为第 {line} 行的引号会吞掉后面的内容。"
    ),
    "A quotation mark in line {line} is never closed. Close or remove it and upload the file anew.": (
        "第 {line} 行的引号没有闭合。请补上或删除它，然后重新上传文件。"
    ),
    "Read as {encoding}, separated by commas.": "按 {encoding} 编码读取，以逗号分隔。",
    "Read as {encoding}, separated by semicolons.": "按 {encoding} 编码读取，以分号分隔。",
    "Read as {encoding}, separated by tabs.": "按 {encoding} 编码读取，以制表符分隔。",
    "Read as {encoding}, separated by bars.": "按 {encoding} 编码读取，以竖线分隔。",
    "Read as {encoding}, separated by blanks.": "按 {encoding} 编码读取，以空格分隔。",
    "Read as {encoding}, separated by {delimiter}.": "按 {encoding} 编码读取，以 {delimiter} 分隔。",
    "Blanks behind the delimiters are left out.": "分隔符后面的空格已略去。",
    "Line {line} has bytes that are no {encoding}; such characters are replaced by �.": (
        "第 {line} 行含有不属于 {encoding} 的字节，这类字符已替换为 �。"
    ),
    "The encoding {encoding} is a guess; check the accents and signs.": (
        "编码 {encoding} 是推测的，请检查特殊字母和符号。"
    ),
    "NUL characters are left out: {count}.": "已略去 NUL 字符：{count} 个。",
    "{words} in column {column} is kept as text, not taken for missing (cells: {cells}).": (
        "列 {column} 中的 {words} 保留为文本，不视为缺失值（单元格数：{cells}）。"
    ),
    "Column {column} has numbers of up to {digits} digits, which calculating would round; it stays text.": (
        "列 {column} 的数字最长有 {digits} 位，计算时会被舍入，因此保留为文本。"
    ),
    "Column {column} has numbers with leading zeros such as {example}; it stays text.": (
        "列 {column} 含有以零开头的数字，例如 {example}，因此保留为文本。"
    ),
    "Column {column} may hold dates written as {example}; it is read as whole numbers.": (
        "列 {column} 可能是写作 {example} 的日期；现按整数读取。"
    ),
    "{words} in column {column} is read as missing (cells: {cells}).": (
        "列 {column} 中的 {words} 读作缺失值（单元格数：{cells}）。"
    ),
    "Column {column} may hold dates as spreadsheets count them ({example} is {date}); it is read as whole numbers.": (
        "列 {column} 可能是电子表格的日期序号（{example} 即 {date}）；现按整数读取。"
    ),
    "Column {column} may hold times in seconds since 1970; it is read as whole numbers.": (
        "列 {column} 可能是自 1970 年起的秒数；现按整数读取。"
    ),
    "Column {column} may hold times in milliseconds since 1970; it is read as whole numbers.": (
        "列 {column} 可能是自 1970 年起的毫秒数；现按整数读取。"
    ),
    "Column {column} has cells such as {example}, which may be codes or numbers with an exponent; it stays text.": (
        "列 {column} 含有 {example} 这样的单元格，可能是编码，也可能是带指数的数字，因此保留为文本。"
    ),
    "Digits of another script in column {column}, such as {example}, are read as {plain}.": (
        "列 {column} 中其他文字的数字（例如 {example}）读作 {plain}。"
    ),
    "In column {column}, {example} is read as a negative number.": "列 {column} 中的 {example} 读作负数。",
    "In column {column}, {value} is far from all other values; it may stand for missing (cells: {cells}).": (
        "列 {column} 中的 {value} 与其他值相差很大，可能表示缺失（单元格数：{cells}）。"
    ),
    "Column {column} seems to name each group in its first row only; fill it down before grouping by it.": (
        "列 {column} 似乎只在每组的第一行写出组名；分组前请先向下填充。"
    ),
    "Merged cells are filled down in {columns}.": "{columns} 中的合并单元格已向下填充。",
    "Blank rows below the table are left out.": "已略去表格下方的空行。",
    "Column {column} has times of several time zones; they are read as UTC.": (
        "列 {column} 含有多个时区的时间，统一按 UTC 读取。"
    ),
    "Column {column} has numbers written in different ways, such as {examples}; it stays text.": (
        "列 {column} 的数字写法不一致，例如 {examples}，因此保留为文本。"
    ),
    "Column {column} has amounts with signs such as {example}; it stays text.": (
        "列 {column} 的数值带有符号，例如 {example}，因此保留为文本。"
    ),
    "Column {column} has dates with the day first and dates with the month first; it stays text.": (
        "列 {column} 中有的日期日在前，有的月在前，因此保留为文本。"
    ),
    "Column {column} is mostly numbers, but some cells are not, such as {examples} (cells: {cells}); it stays text.": (
        "列 {column} 大多是数字，但有些单元格不是，例如 {examples}（单元格数：{cells}），因此保留为文本。"
    ),
    "Column {column} is mostly dates, but some cells are none or of another form, such as {examples} (cells: "
    "{cells}); it stays text.": (
        "列 {column} 大多是日期，但有些单元格不是日期或写法不同，例如 {examples}（单元格数：{cells}），因此保留为文本。"
    ),
    "Dates in column {column} are read as {format}.": "列 {column} 的日期按 {format} 读取。",
    "In column {column}, {example} is read with {mark} before the decimals; it might also mark thousands.": (
        "列 {column} 中的 {example} 以 {mark} 为小数点读取；它也可能是千位分隔符。"
    ),
    "Dates in column {column} are read as {format}; the values would also fit {other}.": (
        "列 {column} 的日期按 {format} 读取；这些值也符合 {other}。"
    ),
    "In column {column}, {example} is read with {mark} between thousands; it might also be the decimal mark.": (
        "列 {column} 中的 {example} 以 {mark} 为千位分隔符读取；它也可能是小数点。"
    ),
    "Column {column} mixes numbers, dates and text; check it before calculating.": (
        "列 {column} 混有数字、日期和文本，计算前请检查。"
    ),
    "The sheet {sheet} is empty.": "工作表 {sheet} 是空的。",
    "The sheet is large: it is read in pieces, and its text stays text. Merged cells, totals and formulas without "
    "results are not looked for.": (
        "此工作表很大：按块读取，其中的文本保持为文本。不检查合并单元格、合计行和没有结果的公式。"
    ),
    "The sheet {sheet} is too large to be read. Save it as CSV.": "工作表 {sheet} 过大，无法读取。请另存为 CSV。",
    "The sheet {sheet} has {rows} rows and {columns} columns, which is too much to read. Save it as CSV.": (
        "工作表 {sheet} 有 {rows} 行 {columns} 列，太大而无法读取。请另存为 CSV。"
    ),
    "Blank rows are left out: {count}.": "已略去空行：{count} 行。",
    "Merged cells among the data have their value in the first cell only (ranges: {count}).": (
        "数据中的合并单元格只有第一个单元格有值（区域数：{count}）。"
    ),
    "Formulas in {columns} have no stored results and read as missing. Open the file in Excel, save it and "
    "upload it again.": (
        "{columns} 中的公式没有保存计算结果，读作缺失值。请在 Excel 中打开并保存该文件，然后重新上传。"
    ),
    "The sheet is hidden in the workbook.": "该工作表在工作簿中是隐藏的。",
    "Sheet {sheet} of the workbook.": "工作簿中的工作表 {sheet}。",
    "Read as JSON.": "按 JSON 读取。",
    "JSON of more than {limit} MB cannot be read. Save it as CSV or Parquet.": (
        "无法读取超过 {limit} MB 的 JSON。请另存为 CSV 或 Parquet。"
    ),
    "The JSON holds no table. A list of records with the same names can be read.": (
        "该 JSON 中没有表格。可以读取的是一组字段相同的记录。"
    ),
    "The table is the list under {key}.": "表格取自 {key} 下的列表。",
    "The JSON is nested too deeply to be a table. Save the table in it as CSV.": (
        "该 JSON 嵌套过深，不是表格。请将其中的表格保存为 CSV。"
    ),
    "The JSON is broken in line {line}. Mend it there and upload it anew.": (
        "该 JSON 在第 {line} 行有错误。请修正后重新上传。"
    ),
    "Column {column} has numbers written as text; it stays text.": (
        "列 {column} 的数字是以文本书写的，因此保留为文本。"
    ),
    "The file has no data. Check that it was saved completely and upload it anew.": (
        "文件中没有数据。请检查文件是否已完整保存，然后重新上传。"
    ),
    "The file is damaged or was cut short. Save it again and upload it anew.": (
        "文件已损坏或不完整。请重新保存后再次上传。"
    ),
    "The workbook is protected by a password. Save it without a password and upload that.": (
        "工作簿受密码保护。请去掉密码另存后上传。"
    ),
    "The last row, {label}, looks like a total; leave it out of sums.": (
        "最后一行 {label} 看起来是合计，求和时请将其排除。"
    ),
    "The first column has no name and is called {column}.": "第一列没有名称，命名为 {column}。",
    "Columns without name and values are left out: {count}.": "已略去既无名称也无数据的列：{count} 列。",
    "The table has column names but no rows.": "表格只有列名，没有数据行。",
    "Line {line} has fewer cells than there are column names; the missing ones are blank (rows: {rows}).": (
        "第 {line} 行的单元格少于列名数，缺少的视为空白（行数：{rows}）。"
    ),
    "Left out below the table: {rows}.": "表格下方略去的内容：{rows}。",
    "Blank lines are left out: {count}.": "已略去空行：{count} 行。",
    "The file is too long to be looked at as a whole; only its first {rows} rows are read. For all of them "
    "use polars or duckdb on the file itself.": (
        "文件太长，无法整体查看，只读取前 {rows} 行。如需全部行，请用 polars 或 duckdb 直接读取该文件。"
    ),
    "The table is too large for memory. {variable} is a duckdb relation that goes through the file each time: ask it "
    'with duckdb.sql("SELECT … FROM {variable} …").df(), and never load all of it.': (
        "表太大，无法放入内存。{variable} 是 duckdb 关系，每次使用时遍历整个文件：请用 "
        'duckdb.sql("SELECT … FROM {variable} …").df() 查询，不要整体载入。'
    ),
    "Rows, missing values and ranges are counted in the whole file; all other figures are those of {rows} rows from "
    "all over it.": "行数、缺失值和范围按整个文件统计；其他数字来自遍布全文的 {rows} 行。",
    "Rows, missing values and ranges are counted in the whole file; all other figures are those of its first {rows} "
    "rows.": "行数、缺失值和范围按整个文件统计；其他数字来自前 {rows} 行。",
    "Column {column} seemed to hold numbers or dates, but not all cells of the file do (others: {cells}); it stays "
    "text.": "列 {column} 看起来是数字或日期，但文件中并非所有单元格都是（其他单元格：{cells}），因此保留为文本。",
    "Column {column} has times with a time zone; it stays text.": "列 {column} 含有带时区的时间，因此保留为文本。",
    "Left out above the column names: {rows}.": "列名上方略去的内容：{rows}。",
    "Left out below the column names: {rows}.": "列名下方略去的内容：{rows}。",
    "The first row holds data, so the columns are numbered.": "第一行是数据，因此各列以编号命名。",
    "Column names with blanks or signs that do not show: {columns}.": "含有空格或不可见字符的列名：{columns}。",
    "Columns without a name are called {columns}.": "没有名称的列命名为 {columns}。",
    "Repeated column names got a number: {columns}.": "重复的列名已加编号：{columns}。",
    "Line {line} has more cells than there are column names; such cells are in {columns} (rows: {rows}).": (
        "第 {line} 行的单元格多于列名数，多出的单元格放在 {columns}（行数：{rows}）。"
    ),
    "Read as Parquet.": "按 Parquet 读取。",
    "Read as Feather.": "按 Feather 读取。",
    "Whole numbers with missing values are kept exact, as type Int64.": "含缺失值的整数以 Int64 类型精确保存。",
    "The file is too large for the memory of the sandbox. Upload a part of it.": (
        "文件太大，超出沙箱内存。请上传其中一部分。"
    ),
    "The file cannot be read ({reason}). Save it anew, for example as CSV, and upload that.": (
        "无法读取该文件（{reason}）。请重新保存（例如存为 CSV）后上传。"
    ),
    "The table is read with {rows} rows, but a second look counts {other}; check its quotation marks.": (
        "表格读出 {rows} 行，但复查得到 {other} 行；请检查其中的引号。"
    ),
    "Columns that could not be converted stay text: {columns}.": "无法转换的列保留为文本：{columns}。",
    "The types of the columns are not clear; all of them are read as text.": "各列的类型不明确，全部按文本读取。",
    "This is an archive, not a table. Unpack it and upload the files in it.": (
        "这是压缩包，不是表格。请解压后上传其中的文件。"
    ),
    "This is a picture, not a table. Upload a CSV, Excel, Parquet or JSON file.": (
        "这是图片，不是表格。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "This is a sound or video file, not a table. Upload a CSV, Excel, Parquet or JSON file.": (
        "这是音频或视频文件，不是表格。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "This is a program, not a table. Upload a CSV, Excel, Parquet or JSON file.": (
        "这是程序，不是表格。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "This is a database file. Export its tables as CSV or Parquet and upload those.": (
        "这是数据库文件。请将其中的表导出为 CSV 或 Parquet 后上传。"
    ),
    "This is a PDF document, not a table. Copy its table into a spreadsheet and upload that.": (
        "这是 PDF 文档，不是表格。请将其中的表格复制到电子表格后上传。"
    ),
    "This is a text document, not a table. Copy its table into a spreadsheet and upload that.": (
        "这是文字文档，不是表格。请将其中的表格复制到电子表格后上传。"
    ),
    "This is an HDF5 file. Save its tables as CSV or Parquet and upload those.": (
        "这是 HDF5 文件。请将其中的表保存为 CSV 或 Parquet 后上传。"
    ),
    "This is a NumPy array. Save it as CSV or Parquet and upload that.": (
        "这是 NumPy 数组。请保存为 CSV 或 Parquet 后上传。"
    ),
    "This is an old or damaged Office document. Copy its table into a new spreadsheet and upload that.": (
        "这是旧版或已损坏的 Office 文档。请将其中的表格复制到新的电子表格后上传。"
    ),
    "The workbook unpacks to {megabytes} MB; at most {limit} MB can be read. Save the sheet as CSV.": (
        "工作簿解压后有 {megabytes} MB，最多可读取 {limit} MB。请将工作表另存为 CSV。"
    ),
    "This is not a table that can be read. Upload a CSV, Excel, Parquet or JSON file.": (
        "这不是可以读取的表格。请上传 CSV、Excel、Parquet 或 JSON 文件。"
    ),
    "This is an XML file, not a table. Open it in Excel, save it as xlsx and upload that.": (
        "这是 XML 文件，不是表格。请在 Excel 中打开，另存为 xlsx 后上传。"
    ),
    "This is a packed file that is not text. Unpack it and upload what is in it.": (
        "这是压缩文件，其中不是文本。请解压后上传其中的内容。"
    ),
}
