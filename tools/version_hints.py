"""What changed in the libraries since most models learned them, by the errors that tell it: pandas 3, NumPy 2, more."""

VERSION_HINTS: tuple[tuple[str, str], ...] = (
    (r"has no attribute 'applymap'", "DataFrame.applymap is now DataFrame.map."),
    (r"unexpected keyword argument 'method'", "fillna(method=...) is now ffill() or bfill()."),
    (r"'(?:DataFrame|Series)' object has no attribute 'append'", "DataFrame.append is gone: use pd.concat."),
    (r"has no attribute 'iteritems'", "iteritems() is now items()."),
    (r"object has no attribute 'mad'", "mad() is gone: (s - s.mean()).abs().mean() is the same."),
    (r"Invalid frequency: ", 'Frequencies are now "ME", "QE", "YE", "h", "min", "s".'),
    (r"unexpected keyword argument 'delim_whitespace'", r'delim_whitespace=True is now sep=r"\s+".'),
    (
        r"unexpected keyword argument '(?:infer_datetime_format|date_parser|squeeze|mangle_dupe_cols)'",
        "That argument is gone: leave it out (for dates read first, then use pd.to_datetime).",
    ),
    (
        r"groupby\(\) got an unexpected keyword argument 'axis'",
        "groupby has no axis any more: transpose first (df.T).",
    ),
    (r"include_groups=True is no longer allowed", "Leave include_groups out; the group's name is in group.name."),
    (
        r"doesn't match format|unconverted data remains",
        "The dates are not all of the form of the first. Name it (format=...), or give dayfirst=True, or "
        'format="mixed"; with errors="coerce" rows get lost silently.',
    ),
    (
        r"Cannot perform reduction '\w+' with string dtype|does not support operation '\w+'|agg function failed"
        r"|could not convert string to float",
        'Text columns are in the way: take df.select_dtypes("number"), or numeric_only=True; when a column should '
        "be a number, convert it first (pd.to_numeric after cleaning).",
    ),
    (
        r"Invalid value .* for dtype",
        'A column keeps its type: convert it first, for example df["c"] = df["c"].astype("Float64").',
    ),
    (r"Unable to parse string", 'Remove thousands separators and units first: s.str.replace(",", "").'),
    (r"Cannot convert non-finite values", 'Integers with missing values need the type "Int64".'),
    (r"You are trying to merge on", "Give both key columns the same type before the merge."),
    (r"Only valid with DatetimeIndex", 'Make the dates the index first, or use resample(..., on="date column").'),
    (r"Can only use \.dt accessor", "Convert with pd.to_datetime first."),
    (r"Can only use \.str accessor", "Convert with astype(str) first, or leave .str out."),
    (r"^KeyError: -?\d+\s*$", "A number in s[...] is a label: for positions use s.iloc[...]."),
    (r"'numpy' has no attribute '(?:float|int|bool|object|str)'", "Use Python's own float, int, bool, object or str."),
    (r"'numpy' has no attribute 'trapz'", "np.trapz is now np.trapezoid."),
    (r"'numpy' has no attribute 'in1d'", "np.in1d is now np.isin."),
    (
        r"is not a valid package style",
        'The styles of seaborn are named "seaborn-v0_8-..." here, or use sns.set_theme().',
    ),
    (r"'matplotlib.cm' has no attribute 'get_cmap'", 'Use matplotlib.colormaps["name"].'),
    (r"boxplot\(\) got an unexpected keyword argument 'labels'", "labels is now tick_labels."),
    (r"unexpected keyword argument 'squared'", "Use sklearn.metrics.root_mean_squared_error."),
    (r"OneHotEncoder\S* got an unexpected keyword argument 'sparse'", "sparse is now sparse_output."),
    (r"'DataFrame' object has no attribute 'with_column'", "with_column is now with_columns."),
    (r"PatsyError|formulaic\S*Error", 'Names with blanks or signs go into a formula as Q("name").'),
)
"""Pattern of the end of a traceback, and the hint. More than one may match."""
