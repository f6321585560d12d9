"""The guides of docs/: a test takes settings and programs from there, so that it uses what readers use."""

import json
import os
from pathlib import Path
from types import CodeType
from typing import Any

DOCS = Path(__file__).parents[3] / "docs"
DEV: dict[str, Any] = json.loads(os.environ["SVC_DEV"])


def blocks(page: str) -> list[str]:
    """The Python code of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [rest.split("```")[0] for rest in text.split("```python\n")[1:]]


def program(page: str, code: str) -> CodeType:
    """Code of a page, to be executed."""
    return compile(code, page, "exec")


def name_application(handle: str) -> None:
    """Sets the environment that the programs of the guides read."""
    client = next(client for client in DEV["clients"] if client["handle"] == handle)
    os.environ["SVC_ISSUER"] = DEV["issuer"]
    os.environ["SVC_CLIENT_ID"] = client["client_id"]
    os.environ["SVC_CLIENT_SECRET"] = client["client_secret"]
