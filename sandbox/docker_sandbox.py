"""The sandbox of one session on Docker, for those who want no other."""

from sandbox.docker_container import DockerContainer
from sandbox.limits import Limits
from sandbox.session_sandbox import SessionSandbox


class DockerSandbox(SessionSandbox):
    """Keeps its code in a container of its own."""

    def __init__(
        self, limits: Limits | None = None, *, runtime: str = "", base_image: str = "", idle_seconds: float = 1200
    ) -> None:
        super().__init__(
            lambda files: DockerContainer(limits or Limits(), files, runtime=runtime, base_image=base_image),
            idle_seconds=idle_seconds,
        )
