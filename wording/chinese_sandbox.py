"""The Chinese of the sandbox, its image and its engine."""

SANDBOX: dict[str, str] = {
    # What the sandbox says of one cell
    "{count} more files were left in the sandbox; one cell hands back at most {limit}. Write fewer, or a zip.": (
        "另有 {count} 个文件留在沙箱中：一段代码最多交回 {limit} 个文件。请减少文件数，或打包成 zip。"
    ),
    "{name} was left in the sandbox: it is too large to hand back. Write less into it, or several files.": (
        "{name} 留在沙箱中：文件过大，无法交回。请减少内容，或分成几个文件。"
    ),
    "{name} was still being written when it was read. Finish and close it within the cell.": (
        "读取 {name} 时它仍在写入。请在同一段代码中写完并关闭它。"
    ),
    "{count} more tables or figures are not shown. Show fewer in one cell.": (
        "另有 {count} 个表格或图形未显示。请在一段代码中少显示一些。"
    ),
    "The value has {count} characters; the first {shown} are shown. Print the part that matters.": (
        "该值有 {count} 个字符，这里显示前 {shown} 个。请只打印需要的部分。"
    ),
    "The table has {rows} rows; the first {shown} are shown. Save it whole: df.to_csv('/outputs/table.csv')": (
        "该表有 {rows} 行，这里显示前 {shown} 行。如需全部请保存：df.to_csv('/outputs/table.csv')"
    ),
    "{count} more columns of the table are not shown. Choose columns to see them.": (
        "该表另有 {count} 列未显示。请选择要查看的列。"
    ),
    "A figure is too large to be shown. Save it instead: fig.write_html('/outputs/figure.html')": (
        "有一个图形过大，无法显示。请改为保存：fig.write_html('/outputs/figure.html')"
    ),
    "A picture is too large to be shown. Save it instead, in /outputs.": (
        "有一张图片过大，无法显示。请改为保存到 /outputs。"
    ),
    "A chart could not be drawn: {reason}. Correct it and draw it again.": (
        "有一个图表无法绘制：{reason}。请修正后重新绘制。"
    ),
    "{count} more charts are not shown. Draw fewer in one cell.": (
        "另有 {count} 个图表未显示。请在一段代码中少画一些。"
    ),
    "There is no file {name} in the sandbox. Add it again.": "沙箱中没有文件 {name}。请重新添加。",
    # Engine and image
    "The sandbox image is outdated. Run: python -m sandbox build": "沙箱镜像已过时。请运行：python -m sandbox build",
    "The sandbox image is not built. Run: python -m sandbox build": (
        "沙箱镜像尚未构建。请运行：python -m sandbox build"
    ),
    "The sandbox image could not be built: {reason}. Check that packages can be downloaded from here, then "
    "run: python -m sandbox build\n{lines}": (
        "无法构建沙箱镜像：{reason}。请确认本机可以下载软件包，然后运行：python -m sandbox build\n{lines}"
    ),
    "This Docker engine is too old. Install Docker 20.10 or newer.": (
        "Docker 版本过旧。请安装 Docker 20.10 或更高版本。"
    ),
    "The base image {name} cannot be pulled: {reason}. Where no registry is reachable, install mmdebstrap to "
    "make one here, or name one that Docker has in SANDBOX_BASE_IMAGE.": (
        "无法拉取基础镜像 {name}：{reason}。如果无法访问镜像仓库，请安装 mmdebstrap 以便在本机制作，或在"
        " SANDBOX_BASE_IMAGE 中指定 Docker 已有的镜像。"
    ),
    "mmdebstrap could not make a base image: {reason}. Mend that, or name an image that Docker has in "
    "SANDBOX_BASE_IMAGE.": (
        "mmdebstrap 无法制作基础镜像：{reason}。请排除该问题，或在 SANDBOX_BASE_IMAGE 中指定 Docker 已有的镜像。"
    ),
    "The base image {name} cannot be pulled: {reason}. Load it into Docker, or name another one in "
    "SANDBOX_BASE_IMAGE.": (
        "无法拉取基础镜像 {name}：{reason}。请将其载入 Docker，或在 SANDBOX_BASE_IMAGE 中指定另一个镜像。"
    ),
    "Docker's disk is full. Free some space, see what takes it with: docker system df": (
        "Docker 的磁盘已满。请释放一些空间，可用以下命令查看占用情况：docker system df"
    ),
    "Docker does not answer. Restart it, then try again.": "Docker 没有响应。请重启 Docker 后再试。",
    "Docker broke off the connection, as it does when it restarts. Try again in a moment.": (
        "Docker 中断了连接，重启时会这样。请稍后再试。"
    ),
    "Docker reports: {reason}. To find what is wrong, run: python -m sandbox doctor": (
        "Docker 报告：{reason}。要查明原因，请运行：python -m sandbox doctor"
    ),
    "You may not use Docker's socket. Join its group, then log out and in again: sudo usermod -aG docker $USER": (
        "您没有使用 Docker 套接字的权限。请加入 docker 组，然后注销并重新登录：sudo usermod -aG docker $USER"
    ),
    "This Docker engine is too new for the installed docker package. Install the package as listed: pip "
    "install -r requirements.txt": (
        "Docker 版本对已安装的 docker 包来说过新。请按清单安装该包：pip install -r requirements.txt"
    ),
    "Docker is not running. Start Docker Desktop, or on Linux run: sudo systemctl start docker. If it is "
    "missing, install it from https://docs.docker.com/get-docker/": (
        "Docker 没有运行。请启动 Docker Desktop，或在 Linux 上运行：sudo systemctl start docker。如果尚未安装，请"
        "从 https://docs.docker.com/get-docker/ 安装。"
    ),
    "The engine has fewer processor cores than SANDBOX_CPUS ({reason}). Lower SANDBOX_CPUS.": (
        "Docker 可用的处理器核心少于 SANDBOX_CPUS（{reason}）。请调低 SANDBOX_CPUS。"
    ),
    "Docker over {address} is not supported. Use a local engine, or tcp:// with TLS.": (
        "不支持通过 {address} 使用 Docker。请使用本机的 Docker，或使用带 TLS 的 tcp://。"
    ),
    "The Docker address {address} is not encrypted: anyone on the network could take over the engine. Use a "
    "local engine, or set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH.": (
        "Docker 地址 {address} 未加密：网络中的任何人都可能接管它。请使用本机的 Docker，或设置"
        " DOCKER_TLS_VERIFY=1 和 DOCKER_CERT_PATH。"
    ),
    'The Docker context "{name}" cannot be read. Choose another one: docker context use default': (
        "无法读取 Docker 上下文“{name}”。请另选一个：docker context use default"
    ),
    # Limits and doctor
    "SANDBOX_{name} is {value}. Give a number above zero, for example {default}.": (
        "SANDBOX_{name} 的值是 {value}。请填写大于零的数字，例如 {default}。"
    ),
    "SANDBOX_TMP_MB, SANDBOX_OUTPUTS_MB and SANDBOX_SHM_MB together are {sum} MB, more than half of "
    "SANDBOX_MEMORY_MB ({memory}). Make them smaller, or give the sandbox more memory.": (
        "SANDBOX_TMP_MB、SANDBOX_OUTPUTS_MB 与 SANDBOX_SHM_MB 合计 {sum} MB，超过 SANDBOX_MEMORY_MB（{memory}）的"
        "一半。请将它们调小，或给沙箱更多内存。"
    ),
    "SANDBOX_FILE_SIZE_MB is {size}, less than the largest folder that a file can lie in. Set it to "
    "{largest} or more.": ("SANDBOX_FILE_SIZE_MB 为 {size}，小于文件可能所在的最大文件夹。请设为 {largest} 或更大。"),
    "Docker does not know the container runtime in SANDBOX_RUNTIME ({reason}). Install it, or leave "
    "SANDBOX_RUNTIME empty for Docker's own.": (
        "Docker 不认识 SANDBOX_RUNTIME 中的容器运行时（{reason}）。请安装它，或将 SANDBOX_RUNTIME 留空以使用"
        " Docker 自带的运行时。"
    ),
    "Python in the sandbox answers wrongly. Build its image anew: python -m sandbox build": (
        "沙箱中的 Python 给出了错误的结果。请重新构建镜像：python -m sandbox build"
    ),
    "Docker {version} answers; its runtime is {runtime}.": "Docker {version} 有响应；运行时为 {runtime}。",
    "Docker knows the runtime {runtime}.": "Docker 认识运行时 {runtime}。",
    "The sandbox image is there, {size} MB on {base}.": "沙箱镜像已就绪，{size} MB，基于 {base}。",
    "Python runs in a sandbox ({isolation}) after {seconds} s.": (
        "Python 在沙箱（{isolation}）中运行，启动用时 {seconds} 秒。"
    ),
    "runc {version} is older than 1.2.8 and 1.3.3, which mend ways out of a container. Your distribution may "
    "have mended them under its own number; keep its security updates on.": (
        "runc {version} 早于修复了容器逃逸的 1.2.8 和 1.3.3。您的发行版可能已在自己的版本号下修复；请保持其安全更"
        "新开启。"
    ),
    "runc {version} lacks the mends of 1.2.8 and 1.3.3 for ways out of a container. Update Docker.": (
        "runc {version} 缺少 1.2.8 和 1.3.3 中针对容器逃逸的修复。请更新 Docker。"
    ),
    "Docker {version} lets containers reach io_uring, which 25.0 and newer deny. The sandbox denies it to "
    "its code by itself. Update Docker when you can.": (
        "Docker {version} 允许容器使用 io_uring，25.0 及更高版本会拒绝。沙箱自身也会对其代码拒绝该功能。请在方便"
        "时更新 Docker。"
    ),
    "Docker Desktop {version} lets containers take over the engine. Update it to 4.44.3 or newer.": (
        "Docker Desktop {version} 允许容器接管 Docker 引擎。请更新到 4.44.3 或更高版本。"
    ),
    "This engine starts containers without its seccomp filter. Take seccomp-profile out of its settings.": (
        "此引擎启动容器时未启用 seccomp 过滤器。请从其设置中去掉 seccomp-profile。"
    ),
    "This engine runs without root and may not limit containers. Use a system with version 2 of the control groups and "
    "let your user have them: https://rootlesscontaine.rs/getting-started/common/cgroup2/": (
        "此引擎以非 root 身份运行，无法限制容器的资源。请使用带有 cgroup v2 的系统，并将其委派给您的用户："
        "https://rootlesscontaine.rs/getting-started/common/cgroup2/"
    ),
    "Users in a container are users of this machine too. Docker's rootless mode or its setting userns-remap would put "
    "one more wall there.": (
        "容器中的用户也是本机的用户。Docker 的 rootless 模式或 userns-remap 设置可以再加一道隔离。"
    ),
    "The kernel {version} is older than 5.10, and ways out of a container are mended in newer ones only. Your "
    "distribution may have mended them under its own number; keep its security updates on.": (
        "内核 {version} 早于 5.10，而容器逃逸漏洞只在更新的内核中修复。您的发行版可能已在其自己的版本号下修复；"
        "请保持安全更新开启。"
    ),
    "Podman {version} answers; its runtime is {runtime}.": "Podman {version} 有响应；其运行时为 {runtime}。",
    "This engine has no seccomp filter. Use a kernel and an engine that have one.": (
        "此 Docker 引擎没有 seccomp 过滤器。请使用带有该功能的内核和引擎。"
    ),
    "The engine has {memory} MB of memory, less than one sandbox may use. Lower SANDBOX_MEMORY_MB.": (
        "Docker 引擎有 {memory} MB 内存，少于一个沙箱可用的上限。请调低 SANDBOX_MEMORY_MB。"
    ),
    "This engine cannot enforce {name}: one session can take what others need. Enable that control group in "
    "the kernel.": (
        "此 Docker 引擎无法强制执行 {name}：一个会话可能占用其他会话所需的资源。请在内核中启用相应的控制组。"
    ),
    # Running code
    "Python did not start in the sandbox and gave no reason; the machine may be busy. "
    "Try again. If it stays so, run: python -m sandbox doctor": (
        "沙箱中的 Python 未能启动，也没有给出原因；机器可能正忙。请重试。如果仍然如此，请运行：python -m sandbox doctor"
    ),
    "Reading {name} was stopped. Add it again.": "读取 {name} 已停止。请重新添加。",
    "{name} could not be read. Check that it is whole, or save it as CSV.": (
        "无法读取 {name}。请确认文件完整，或将其另存为 CSV。"
    ),
    "The code is longer than {limit} MB. Make it shorter.": "代码超过 {limit} MB。请缩短代码。",
    "The sandbox has ended. Try again: a new one will be started.": "沙箱已结束。请重试，系统会启动新的沙箱。",
    "Reading {name} took longer than {seconds} s.": "读取 {name} 超过了 {seconds} 秒。",
    "Python does not start in the sandbox: {reason}": "沙箱中的 Python 无法启动：{reason}",
    "The sandbox does not answer. Try again: a new one will be started.": (
        "沙箱没有响应。请重试，系统会启动新的沙箱。"
    ),
    "The sandbox is of another version than this program. Build its image anew: python -m sandbox build": (
        "沙箱与本程序的版本不一致。请重新构建镜像：python -m sandbox build"
    ),
    "More than {limit} characters were printed; the middle of it was left out.": (
        "输出超过 {limit} 个字符，中间部分已省略。"
    ),
    "Python had ended before this code ran and was started anew: variables of earlier cells were gone.": (
        "运行此代码前 Python 已结束并重新启动：之前的变量已丢失。"
    ),
    "The code ended the Python process (exit code {exit_code}). Python was started anew: the variables are "
    "gone, the files are still there.": (
        "代码结束了 Python 进程（退出码 {exit_code}）。Python 已重新启动：变量已丢失，文件仍在。"
    ),
    "The code used more memory than there is, {memory_mb} MB. Python was started anew: the variables are "
    "gone, the files are still there.": (
        "代码使用的内存超过了 {memory_mb} MB 的上限。Python 已重新启动：变量已丢失，文件仍在。"
    ),
    "The code was stopped after {seconds} s. The variables are still there.": (
        "代码运行 {seconds} 秒后被停止。变量仍然保留。"
    ),
    "The code did not stop when it was asked to. Python was started anew: the variables are gone, the files "
    "are still there.": ("代码未按要求停止。Python 已重新启动：变量已丢失，文件仍在。"),
    "A process of the code was ended because the memory, {memory_mb} MB, was used up.": (
        "内存 {memory_mb} MB 已用尽，代码的一个进程被终止。"
    ),
    "The Python process crashed ({signal}). Python was started anew: the variables are gone, the files are "
    "still there.": ("Python 进程崩溃（{signal}）。Python 已重新启动：变量已丢失，文件仍在。"),
    "The code ran longer than {seconds} s and did not stop when it was asked to. Python was started anew: "
    "the variables are gone, the files are still there.": (
        "代码运行超过 {seconds} 秒，且未按要求停止。Python 已重新启动：变量已丢失，文件仍在。"
    ),
    "More was handed back than one cell may; the rest was left out.": (
        "返回的内容超过了单个代码单元的上限，其余部分已省略。"
    ),
    "The file {name} changed while it was copied. Add it again.": "文件 {name} 在复制过程中发生了变化。请重新添加。",
    "The session was closed while the code ran. Begin a new one.": "代码运行期间会话被关闭。请开始新的会话。",
    "The sandbox ended while the code ran. The next code runs in a new one: variables are gone, "
    "the files in /data are there.": (
        "代码运行期间沙箱已终止。后续代码将在新沙箱中运行：变量已丢失，/data 中的文件仍在。"
    ),
    "The sandbox was replaced by a new one: variables of earlier cells are gone, the files in /data are there.": (
        "沙箱已更换为新的：之前代码中的变量已丢失，/data 中的文件仍在。"
    ),
    "All sandboxes ({count}) are in use. Yours is number {position} in the queue.": (
        "全部 {count} 个沙箱都在使用中。您排在第 {position} 位。"
    ),
    "All sandboxes ({count}) are in use and none became free within {seconds} s. Ask again later, or raise "
    "SANDBOX_CAPACITY.": (
        "全部 {count} 个沙箱都在使用中，{seconds} 秒内没有空出。请稍后再问，或调大 SANDBOX_CAPACITY。"
    ),
    "The wait for a sandbox was stopped. Ask again.": "已停止等待沙箱。请重新提问。",
    "All sandboxes were in use, and this one, unused for longest, was given to another session. A new one has "
    "replaced it: variables of earlier cells are gone, the files in /data are there.": (
        "所有沙箱都在使用中，这个闲置最久的沙箱已让给另一个会话，现已换成新的沙箱："
        "之前代码的变量已丢失，/data 中的文件仍在。"
    ),
    "The sandbox reached its longest lifetime and was replaced by a new one: variables of earlier cells are gone, "
    "the files in /data are there.": (
        "沙箱已达到最长使用时间，已换成新的沙箱：之前代码的变量已丢失，/data 中的文件仍在。"
    ),
    "The sandbox was not used for a while and was replaced by a new one: variables of earlier cells are "
    "gone, the files in /data are there.": (
        "沙箱因一段时间未使用已更换为新的：之前代码中的变量已丢失，/data 中的文件仍在。"
    ),
    "{variable} could not be loaded beforehand ({reason}). Load it with the code given for its file.": (
        "未能预先载入 {variable}（{reason}）。请用该文件给出的代码载入。"
    ),
    "Loading {variable} ended Python ({reason}): variables of earlier cells are gone, the files in /data are there. "
    "Load a part of it, for example with duckdb or polars.": (
        "载入 {variable} 使 Python 终止（{reason}）：之前代码中的变量已丢失，/data 中的文件仍在。"
        "请只载入一部分，例如使用 duckdb 或 polars。"
    ),
    "The measured code failed: {error}": "被测量的代码运行失败：{error}",
    "The file was not read: {problem}": "未能读取文件：{problem}",
    "The sandbox is busy with another cell. Wait for its end, or stop it.": (
        "沙箱正在运行另一段代码。请等待其结束，或将其停止。"
    ),
    "The file {name} cannot be read. Add it again.": "无法读取文件 {name}。请重新添加。",
    "This sandbox is closed. Begin a new session.": "此沙箱已关闭。请开始新的会话。",
    "The sandbox ends whenever it looks into {name}. Try a smaller part of the file.": (
        "沙箱每次读取 {name} 都会终止。请尝试使用该文件的一小部分。"
    ),
    "The file {name} did not reach the sandbox whole. Add it again.": "文件 {name} 没有完整到达沙箱。请重新添加。",
    "Python does not start in the sandbox: {reason}. Build its image anew: python -m sandbox build": (
        "沙箱中的 Python 无法启动：{reason}。请重新构建镜像：python -m sandbox build"
    ),
    "The file {name} cannot be read any more. Add it again.": "文件 {name} 已无法读取。请重新添加。",
    "The sandbox gave no result. Run: python -m sandbox doctor": "沙箱没有给出结果。请运行：python -m sandbox doctor",
    "There is no file {path}. Check its name and folder.": "没有文件 {path}。请检查文件名和所在文件夹。",
    "{path} cannot be read as UTF-8 text. Name a Python file.": (
        "无法将 {path} 作为 UTF-8 文本读取。请指定一个 Python 文件。"
    ),
    "{folder} cannot be written to: {reason}. Choose another folder with --out.": (
        "无法写入 {folder}：{reason}。请用 --out 另选一个文件夹。"
    ),
}
