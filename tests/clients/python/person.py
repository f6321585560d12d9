"""A person with a browser, as far as plain HTML forms need one: cookies, redirects, and the pages of a sign-in."""

from html.parser import HTMLParser
from urllib.parse import urljoin

import requests


class Person:
    def __init__(self, username: str, password: str) -> None:
        self._filled = {"username": username, "password": password}
        self._browser = requests.Session()
        # `localhost` over http: the cookie jar must not wait for a dot or for TLS.
        self._browser.trust_env = False

    def visit(self, start: str, target: str) -> str:
        """Opens an address and answers pages until the browser would leave for `target`; gives that last address."""
        url, form = start, None
        for _ in range(12):
            reply = self._send(url, form)
            if "location" in reply.headers:
                url, form = urljoin(url, reply.headers["location"]), None
                if url.startswith(target):
                    return url
                continue
            if reply.status_code != 200:
                raise AssertionError(f"{url} answered {reply.status_code}: {reply.text[:500]}")
            page = Form.of(reply.text)
            url, form = urljoin(url, page.action), self._answer(page)
        raise AssertionError(f"never reached {target}")

    def _send(self, url: str, form: dict[str, str] | None) -> requests.Response:
        if form is None:
            return self._browser.get(url, allow_redirects=False, timeout=30)
        origin = "/".join(url.split("/")[:3])
        return self._browser.post(url, data=form, headers={"origin": origin}, allow_redirects=False, timeout=30)

    def _answer(self, page: "Form") -> dict[str, str]:
        pressed = next((button for button in page.buttons if button.get("id") == "consent-allow"), None)
        pressed = pressed or next(iter(page.buttons), {})
        pushed = {pressed["name"] or "": pressed.get("value") or ""} if "name" in pressed else {}
        return page.hidden | (self._filled if "password" in page.inputs else {}) | pushed


class Form(HTMLParser):
    """The first posted form of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.action: str | None = None
        self.hidden: dict[str, str] = {}
        self.inputs: set[str] = set()
        self.buttons: list[dict[str, str | None]] = []
        self._inside = False

    @classmethod
    def of(cls, page: str) -> "Form":
        form = cls()
        form.feed(page)
        if form.action is None:
            raise AssertionError(f"no form in {page[:500]}")
        return form

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form" and self.action is None and (attributes.get("method") or "").lower() == "post":
            self._inside, self.action = True, attributes.get("action") or ""
        elif self._inside and tag == "input":
            name = attributes.get("name") or ""
            self.inputs.add(name)
            if attributes.get("type") == "hidden":
                self.hidden[name] = attributes.get("value") or ""
        elif self._inside and tag == "button":
            self.buttons.append(attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
