from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .models import Problem


class FinhookError(Exception):
    """A call that failed: the service rejected it, or its response did not arrive."""

    def __init__(
        self,
        message: str,
        *,
        retryable: bool,
        status: Optional[int] = None,
        problem: "Optional[Problem]" = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status; None if no response arrived in time."""
        self.problem = problem
        """The problem document (RFC 9457); None if the response is not the service's, or none arrived."""
        self.request_id = request_id
        """The service's ID of the request, which its log has too."""
        self.retryable = retryable
        """True if the same call may succeed later. The client has used up its retries."""
        self.retry_after = retry_after
        """Seconds that the response asks to wait (`Retry-After`)."""

    @property
    def code(self) -> Optional[str]:
        """Code of the problem document."""
        return None if self.problem is None else self.problem.code


def is_problem(error: object, *codes: str) -> bool:
    """True for a `FinhookError` whose problem document has one of these codes, or any code if none is given."""
    return isinstance(error, FinhookError) and error.code is not None and (not codes or error.code in codes)
