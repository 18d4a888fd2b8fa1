"""The Chinese for what is told about the choice of an isolation, bubblewrap and the gaps of each."""

BUBBLEWRAP: dict[str, str] = {
    "bubblewrap is not installed. Install it with the system's package manager: sudo apt-get install bubblewrap": (
        "尚未安装 bubblewrap。请用系统的包管理器安装：sudo apt-get install bubblewrap"
    ),
    "bubblewrap works on Linux only. Use Docker here: https://docs.docker.com/get-docker/": (
        "bubblewrap 只能在 Linux 上使用。请在此处使用 Docker：https://docs.docker.com/get-docker/"
    ),
    "bubblewrap {version} is too old. Install 0.7 or newer, or use Docker.": (
        "bubblewrap {version} 版本过旧。请安装 0.7 或更新的版本，或使用 Docker。"
    ),
    "bubblewrap may not make namespaces here ({reason}). Allow user namespaces for it in the system's settings (sysctl "
    "kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), or use Docker.": (
        "bubblewrap 在这里无权创建命名空间（{reason}）。请在系统设置中允许它使用用户命名空间（sysctl "
        "kernel.unprivileged_userns_clone=1，在 Ubuntu 上为 kernel.apparmor_restrict_unprivileged_userns=0），"
        "或使用 Docker。"
    ),
    "SANDBOX_RUNTIME is set, but bubblewrap has no container runtimes. Empty it, or set SANDBOX=docker.": (
        "设置了 SANDBOX_RUNTIME，但 bubblewrap 没有容器运行时。请将其留空，或设置 SANDBOX=docker。"
    ),
    "There is nothing here to run code in safely. Docker: {docker} Or without Docker: {bubblewrap}": (
        "这里没有可以安全运行代码的环境。Docker：{docker} 或者不用 Docker：{bubblewrap}"
    ),
    "Docker is not used: {reason} Until then bubblewrap keeps the code in.": (
        "没有使用 Docker：{reason} 在此之前由 bubblewrap 隔离代码。"
    ),
    "bubblewrap {version} can make namespaces here.": "bubblewrap {version} 可以在这里创建命名空间。",
    "The analysis environment is there, in {folder}.": "分析环境已就绪，位于 {folder}。",
    "The analysis environment is missing or outdated. Run: python -m sandbox build": (
        "分析环境缺失或已过期。请运行：python -m sandbox build"
    ),
    "The analysis environment could not be made: {reason}. Check that packages can be downloaded from here, then run: "
    "python -m sandbox build\n{lines}": (
        "无法建立分析环境：{reason}。请检查此处能否下载软件包，然后运行：python -m sandbox build\n{lines}"
    ),
    "The sandbox's folder {folder} could not be made: {reason}. Mend that, then try again.": (
        "无法建立沙箱的文件夹 {folder}：{reason}。请先解决该问题，然后重试。"
    ),
    "The file {name} could not be copied for the sandbox: {reason}. Free some space, then add it again.": (
        "无法为沙箱复制文件 {name}：{reason}。请释放一些空间，然后重新添加。"
    ),
    "Python does not start in the sandbox: {reason}. Look for the cause with: python -m sandbox doctor": (
        "沙箱中的 Python 无法启动：{reason}。请运行以下命令查找原因：python -m sandbox doctor"
    ),
    "Not covered: {gap}": "不能防范：{gap}",
    "A hole in the Linux kernel would be a way out, for the code talks to it directly. With Docker, "
    "SANDBOX_RUNTIME=runsc puts gVisor in between.": (
        "Linux 内核中的漏洞会成为出路，因为代码直接与内核交互。"
        "使用 Docker 时，SANDBOX_RUNTIME=runsc 可在两者之间加入 gVisor。"
    ),
    "Code can reach the main process of its own sandbox: it can forge what its own cells hand back, or end the "
    "sandbox, as too much memory and too many processes do; a new one then takes its place, without the variables.": (
        "代码可以接触到自己沙箱的主进程：它可以伪造自己的代码单元交回的内容，或使沙箱终止；内存或进程过多时也会如此。随后会换上新的沙箱，但变量会丢失。"
    ),
    "Outside of its namespaces the code is your own user: what the system counts for each user, as watched files, "
    "it shares with you.": (
        "在命名空间之外，代码就是您自己的用户：系统按用户计数的资源（例如监视的文件）由它与您共用。"
    ),
    "Memory and processes are limited one by one, not for a session as a whole, and processor time is not limited: "
    "this system lets us make no control group.": (
        "内存和进程只能逐个进程限制，不能按整个会话限制，处理器时间不受限制：此系统不允许创建控制组。"
    ),
    "The code can read, not change, the programs of this machine in /usr.": (
        "代码可以读取（但不能更改）这台机器 /usr 中的程序。"
    ),
    "Files are limited by their size, not by their number: each empty one takes some memory.": (
        "文件受大小限制，但不受数量限制：每个空文件都会占用一些内存。"
    ),
}
