"""requests-oauthlib and mozilla-django-oidc, with the code of their guides in docs/frameworks as it stands (SVC_DEV)."""

import os
import unittest
from typing import Any
from urllib.parse import parse_qs, urlsplit

# The development server speaks plain http on the loopback interface.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import django
from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from guide import DEV, blocks, name_application, program
from person import Person


def ada() -> Person:
    return Person(DEV["user"]["username"], DEV["user"]["password"])


class RequestsOauthlib(unittest.TestCase):
    def test_a_person_signs_in_and_userinfo_says_who_it_is(self) -> None:
        page = "frameworks/requests-oauthlib.md"
        name_application("requests-oauthlib")
        # Between the two halves the person is away at the service.
        leaving, returning = blocks(page)[0].split("# Send the person")
        scope: dict[str, Any] = {}
        exec(program(page, leaving), scope)
        with scope["session"]:
            scope["reached"] = ada().visit(scope["url"], "http://localhost:3000/callback")
            exec(program(page, "# Send the person" + returning), scope)
        self.assertEqual(scope["person"]["email"], "ada@demo.example")


def django_settings() -> dict[str, Any]:
    """A project with the lines of the guide's `settings.py`."""
    page = "frameworks/django.md"
    name_application("django")
    project: dict[str, Any] = {
        "os": os,
        "SECRET_KEY": "a secret of the application",
        "ALLOWED_HOSTS": ["localhost"],
        "ROOT_URLCONF": __name__,
        "INSTALLED_APPS": ["django.contrib.auth", "django.contrib.contenttypes"],
        "MIDDLEWARE": [
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        "SESSION_ENGINE": "django.contrib.sessions.backends.signed_cookies",
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    }
    exec(program(page, blocks(page)[0]), project)
    return {name: value for name, value in project.items() if name.isupper()}


settings.configure(**django_settings())
django.setup()

urlpatterns = [path("", lambda request: HttpResponse(request.user.email))]
exec(program("frameworks/django.md", blocks("frameworks/django.md")[1]))


class MozillaDjangoOidc(unittest.TestCase):
    def test_a_person_signs_in_and_django_has_the_user(self) -> None:
        from django.core.management import call_command
        from django.test import Client

        call_command("migrate", verbosity=0, run_syncdb=True)
        browser = Client(SERVER_NAME="localhost", SERVER_PORT="8000", HTTP_HOST="localhost:8000")
        started = browser.get("/oidc/authenticate/")
        self.assertEqual(started.status_code, 302)
        callback = "http://localhost:8000/oidc/callback/"
        self.assertEqual(parse_qs(urlsplit(started["location"]).query)["redirect_uri"], [callback])
        reached = ada().visit(started["location"], callback)
        finished = browser.get("/oidc/callback/?" + urlsplit(reached).query)
        self.assertEqual((finished.status_code, finished["location"]), (302, "/"))
        self.assertEqual(browser.get("/").content, b"ada@demo.example")


if __name__ == "__main__":
    unittest.main()
