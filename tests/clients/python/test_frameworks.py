"""requests-oauthlib and mozilla-django-oidc with the settings of their guides in docs/frameworks (SVC_DEV)."""

import json
import os
import unittest
from urllib.parse import parse_qs, urlsplit

# The development server speaks plain http on the loopback interface.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import django
from django.conf import settings
from django.http import HttpResponse
from django.urls import include, path
from person import Person
from requests_oauthlib import OAuth2Session

DEV = json.loads(os.environ["SVC_DEV"])
CLIENTS = {client["handle"]: client for client in DEV["clients"]}
PYTHON, DJANGO = CLIENTS["requests-oauthlib"], CLIENTS["django"]


def ada() -> Person:
    return Person(DEV["user"]["username"], DEV["user"]["password"])


class RequestsOauthlib(unittest.TestCase):
    def test_a_person_signs_in_and_userinfo_says_who_it_is(self) -> None:
        callback = "http://localhost:3000/callback"
        scope = ["openid", "profile", "email"]
        with OAuth2Session(PYTHON["client_id"], redirect_uri=callback, scope=scope, pkce="S256") as session:
            url, _ = session.authorization_url(DEV["issuer"] + "/oauth/authorize")
            reached = ada().visit(url, callback)
            token = session.fetch_token(
                DEV["issuer"] + "/oauth/token", authorization_response=reached, client_secret=PYTHON["client_secret"]
            )
            self.assertEqual(token["token_type"], "Bearer")
            claims = session.get(DEV["issuer"] + "/userinfo").json()
        self.assertEqual(claims["email"], "ada@demo.example")


settings.configure(
    SECRET_KEY="a secret of the application",
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "mozilla_django_oidc"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    LOGIN_REDIRECT_URL="/",
    OIDC_RP_CLIENT_ID=DJANGO["client_id"],
    OIDC_RP_CLIENT_SECRET=DJANGO["client_secret"],
    OIDC_RP_SCOPES="openid email profile",
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_TOKEN_USE_BASIC_AUTH=True,
    OIDC_USE_PKCE=True,
    OIDC_OP_AUTHORIZATION_ENDPOINT=DEV["issuer"] + "/oauth/authorize",
    OIDC_OP_TOKEN_ENDPOINT=DEV["issuer"] + "/oauth/token",
    OIDC_OP_USER_ENDPOINT=DEV["issuer"] + "/userinfo",
    OIDC_OP_JWKS_ENDPOINT=DEV["issuer"] + "/.well-known/jwks.json",
)
django.setup()

urlpatterns = [
    path("oidc/", include("mozilla_django_oidc.urls")),
    path("", lambda request: HttpResponse(request.user.email)),
]


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
