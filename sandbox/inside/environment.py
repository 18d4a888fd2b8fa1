"""The complete environment of all code in the sandbox; nothing of the supervisor's own is passed on."""

import sys
from pathlib import Path

from sandbox.inside.box_settings import BoxSettings


def environment(settings: BoxSettings) -> dict[str, str]:
    """Folders that can be written to, as many threads as there are cores, and no name of host, proxy or secret."""
    tmp, threads = settings.tmp, str(max(1, int(settings.limits.cpus)))
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": f"{tmp}/home",
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TMPDIR": tmp,
        "IPYTHONDIR": f"{tmp}/home/.ipython",
        "JOBLIB_TEMP_FOLDER": tmp,
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": f"{tmp}/mpl",
        "NUMBA_CACHE_DIR": f"{tmp}/numba",
        "XDG_CACHE_HOME": f"{tmp}/cache",
        "PLOTLY_RENDERER": "plotly_mimetype",
        "POLARS_FMT_MAX_COLS": "200",
        # A background thread of Arrow's would not survive the fork of a worker.
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
        "LOKY_MAX_CPU_COUNT": threads,
        "MKL_NUM_THREADS": threads,
        "NUMEXPR_MAX_THREADS": threads,
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "POLARS_MAX_THREADS": threads,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INDEX": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }
