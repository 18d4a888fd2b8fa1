"""Each table is a variable of the session when code first names it: loaded once, in every Python process anew."""

from sandbox.sandbox import ExecutionResult, FileProfile, StateLoss, TableProfile
from sandbox.session_tables import Load, SessionTables


def file(name: str, *variables: str, recipe: str = "pd.read_csv(...)") -> FileProfile:
    tables = [TableProfile(variable=each, rows=1, columns=(), recipe=f"{each} = {recipe}") for each in variables]
    return FileProfile(name=name, size=1, tables=tuple(tables))


def with_files(*files: FileProfile) -> SessionTables:
    tables = SessionTables()
    for each in files:
        tables.put(each)
    return tables


def loaded(tables: SessionTables, code: str) -> list[str]:
    """The tables, and an empty text for each cell that loads none."""
    return [load.variable for load in tables.before(code)]


def test_a_table_is_loaded_by_its_recipe_before_the_first_cell_that_names_it() -> None:
    tables = with_files(file("sales.csv", "sales"))
    assert loaded(tables, "1 + 1") == []
    load, alias = tables.before("sales.head()")
    assert load == Load("import pandas as pd\nsales = pd.read_csv(...)", "sales", 1)
    assert alias.code == 'if "sales" in globals():\n    globals().setdefault("df", globals()["sales"])'
    assert loaded(tables, "sales.tail()") == []


def test_df_is_the_only_table_and_no_table_when_there_are_several() -> None:
    tables = with_files(file("sales.csv", "sales"))
    assert loaded(tables, "df.head()") == ["sales", ""]
    tables.put(file("costs.csv", "costs"))
    drop, load = tables.before("costs.head()")
    assert drop.code.startswith('if globals().get("df") is globals().get("sales"):')
    assert load == Load("import pandas as pd\ncosts = pd.read_csv(...)", "costs", 1)
    assert loaded(tables, "df.head()") == []


def test_code_that_may_look_for_a_variable_without_naming_it_finds_all() -> None:
    assert loaded(with_files(file("a.xlsx", "a_x", "a_y")), "sorted(globals())") == ["a_x", "a_y"]


def test_a_name_in_other_letters_that_python_takes_for_the_same_is_found() -> None:
    assert "sales" in loaded(with_files(file("sales.csv", "sales")), "\uff53\uff41\uff4c\uff45\uff53.head()")


def test_a_new_python_process_loads_again() -> None:
    tables = with_files(file("sales.csv", "sales"))
    loaded(tables, "sales")
    tables.forget_loaded()
    assert loaded(tables, "sales") == ["sales", ""]


def test_a_table_that_ended_python_is_not_tried_again_until_it_is_read_differently() -> None:
    tables = with_files(file("a.csv", "a"), file("b.csv", "b"))
    seen = []
    for load in tables.before("a, b"):
        seen.append(load.variable)
        if load.variable == "b":
            tables.forget_loaded(ended_by="b")
    assert seen == ["a", "b", "a"]
    assert loaded(tables, "a, b") == []
    tables.put(file("b.csv", "b", recipe="other()"))
    assert loaded(tables, "a, b") == ["b"]


def test_the_variables_of_a_file_that_goes_go_with_it() -> None:
    tables = with_files(file("sales.csv", "sales"), file("costs.csv", "costs"))
    assert loaded(tables, "sales, costs") == ["sales", "costs"]
    tables.remove("sales.csv")
    assert [load.code for load in tables.before("1")] == ['globals().pop("sales", None)\nNone']
    assert loaded(tables, "1") == []
    assert loaded(tables, "df") == [""]
    assert tables.variables_beside("new.csv") == ["costs"]


def test_a_file_that_is_read_differently_is_loaded_anew_under_its_names() -> None:
    tables = with_files(file("a.xlsx", "a_x", "a_y"))
    loaded(tables, "a_x, a_y")
    tables.put(file("a.xlsx", "a_x", recipe="other()"))
    leave, load, alias = tables.before("a_x")
    assert leave.code == 'globals().pop("a_y", None)\nNone'
    assert load.code == "import pandas as pd\na_x = other()"
    assert alias.code == 'if "a_x" in globals():\n    globals().setdefault("df", globals()["a_x"])'


def test_what_went_wrong_is_told_in_one_sentence() -> None:
    load = Load("...", "sales")
    assert load.failure(ExecutionResult()) is None
    failed = load.failure(ExecutionResult(error="Traceback\nOSError: gone"))
    assert str(failed) == ("sales could not be loaded beforehand (OSError). Load it with the code given for its file.")
    ended = load.failure(ExecutionResult(error="Too much memory.", state_lost=StateLoss.MEMORY))
    assert str(ended).startswith("Loading sales ended Python (Too much memory.): variables of earlier cells are gone")
