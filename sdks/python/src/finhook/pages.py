from collections.abc import Iterator
from typing import Any, Callable, Generic, List, Optional, TypeVar

T = TypeVar("T")


class Page(Generic[T]):
    """One page of a list. Iterating over it yields its records and those of all pages after it, which it then reads."""

    def __init__(
        self, response: "dict[str, Any]", read: "Callable[[dict[str, Any]], T]", after: "Callable[[str], Page[T]]"
    ) -> None:
        self.data: List[T] = [read(item) for item in response["data"]]
        self.has_more: bool = response["has_more"]
        self.next_cursor: Optional[str] = response["next_cursor"]
        self.prev_cursor: Optional[str] = response.get("prev_cursor")
        self.total_count: Optional[int] = response.get("total_count")
        self._after = after

    def __iter__(self) -> Iterator[T]:
        page = self
        while True:
            yield from page.data
            # The feed's last page has a cursor too, from which a reader continues later.
            if not page.has_more or page.next_cursor is None:
                return
            page = page._after(page.next_cursor)

    def __repr__(self) -> str:
        return f"Page(data={self.data!r}, has_more={self.has_more!r}, next_cursor={self.next_cursor!r})"
