"""The PyPI package Authlib, as an application would use it, against a running development server (SVC_DEV)."""

import json
import os
import unittest
from urllib.parse import parse_qs, urlsplit

# The development server speaks plain http on the loopback interface.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwt
from joserfc.jwk import KeySet
from person import Person

DEV = json.loads(os.environ["SVC_DEV"])
SCOPE = "openid profile email offline_access"


class Flows:
    """Every flow once; the subclasses say with which client."""

    method: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.registered = next(client for client in DEV["clients"] if cls.fits(client))
        cls.metadata = requests.get(DEV["issuer"] + "/.well-known/openid-configuration", timeout=30).json()
        cls.keys = KeySet.import_key_set(requests.get(cls.metadata["jwks_uri"], timeout=30).json())
        cls.person = Person(DEV["user"]["username"], DEV["user"]["password"])
        cls.session = OAuth2Session(
            cls.registered["client_id"],
            cls.registered.get("client_secret"),
            token_endpoint_auth_method=cls.method,
            revocation_endpoint_auth_method=cls.method,
            scope=SCOPE,
            redirect_uri=cls.registered["redirect_uris"][0],
            code_challenge_method="S256",
        )
        cls.id_token = cls.sign_in()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.session.close()

    @classmethod
    def fits(cls, client: dict) -> bool:
        is_third_party = "Third-party" in client.get("name", "")
        return client["token_endpoint_auth_method"] == cls.method and not is_third_party

    @classmethod
    def sign_in(cls, **extra: str) -> CodeIDToken:
        verifier, nonce = generate_token(48), generate_token(24)
        endpoint = cls.metadata["authorization_endpoint"]
        url, state = cls.session.create_authorization_url(endpoint, code_verifier=verifier, nonce=nonce, **extra)
        reached = cls.person.visit(url, cls.session.redirect_uri)
        answer = parse_qs(urlsplit(reached).query)
        if "error" in answer:
            # Without a code Authlib would ask for a token of the application's own instead.
            raise OAuthError(answer["error"][0], answer.get("error_description", [""])[0])
        token = cls.session.fetch_token(
            cls.metadata["token_endpoint"], authorization_response=reached, code_verifier=verifier, state=state
        )
        decoded = jwt.decode(token["id_token"], cls.keys, algorithms=["ES256", "EdDSA", "RS256"])
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            options={
                "iss": {"essential": True, "value": DEV["issuer"]},
                "aud": {"essential": True, "value": cls.registered["client_id"]},
            },
            params={"nonce": nonce, "client_id": cls.registered["client_id"], "access_token": token["access_token"]},
        )
        claims.validate()
        return claims

    def test_1_the_metadata_is_valid(self) -> None:
        OpenIDProviderMetadata(self.metadata).validate()
        url = DEV["issuer"] + "/.well-known/oauth-authorization-server"
        AuthorizationServerMetadata(requests.get(url, timeout=30).json()).validate()

    def test_2_userinfo_tells_the_subject_of_the_id_token(self) -> None:
        claims = self.session.get(self.metadata["userinfo_endpoint"]).json()
        self.assertEqual(claims["sub"], self.id_token["sub"])
        self.assertIsInstance(claims["email"], str)
        self.assertIsInstance(claims["email_verified"], bool)

    def test_3_a_silent_second_sign_in_keeps_the_subject(self) -> None:
        self.assertEqual(self.sign_in(prompt="none")["sub"], self.id_token["sub"])

    def test_4_a_refresh_gives_a_new_access_token(self) -> None:
        before = dict(self.session.token)
        after = self.session.refresh_token(self.metadata["token_endpoint"])
        self.assertNotEqual(after["access_token"], before["access_token"])
        self.assertEqual(after["token_type"].lower(), "bearer")

    def test_5_introspection_tells_an_active_token(self) -> None:
        if self.method == "none":
            self.skipTest("needs a secret")
        reply = self.session.introspect_token(
            self.metadata["introspection_endpoint"], self.session.token["access_token"], "access_token"
        )
        self.assertEqual(reply.status_code, 200)
        self.assertIs(reply.json()["active"], True)

    def test_6_a_revoked_refresh_token_is_refused(self) -> None:
        token = self.session.token["refresh_token"]
        reply = self.session.revoke_token(self.metadata["revocation_endpoint"], token, "refresh_token")
        self.assertEqual(reply.status_code, 200)
        with self.assertRaises(OAuthError) as refused:
            self.session.refresh_token(self.metadata["token_endpoint"], token)
        self.assertEqual(refused.exception.error, "invalid_grant")

    def test_7_a_logout_returns_to_the_application_and_ends_the_session(self) -> None:
        self.sign_in()
        target = self.registered["post_logout_redirect_uris"][0]
        query = {"id_token_hint": self.session.token["id_token"], "post_logout_redirect_uri": target, "state": "bye"}
        url = requests.Request("GET", self.metadata["end_session_endpoint"], params=query).prepare().url
        reached = self.person.visit(url, target)
        self.assertEqual(parse_qs(urlsplit(reached).query)["state"], ["bye"])
        with self.assertRaises(OAuthError) as refused:
            self.sign_in(prompt="none")
        self.assertEqual(refused.exception.error, "login_required")


class PublicClient(Flows, unittest.TestCase):
    method = "none"


class ConfidentialClient(Flows, unittest.TestCase):
    method = "client_secret_basic"


if __name__ == "__main__":
    unittest.main()
