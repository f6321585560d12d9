"""The PyPI package jwcrypto verifies what the server signs and signs what the server verifies (SVC_DEV).

Nothing here is shared with the server or with the other client libraries: claims are made and compared by hand.
"""

import base64
import hashlib
import json
import os
import secrets
import time
import unittest
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
from jwcrypto.common import base64url_encode, json_encode
from jwcrypto.jwk import JWK, JWKSet
from jwcrypto.jws import JWS, InvalidJWSSignature
from person import Person

DEV = json.loads(os.environ["SVC_DEV"])
CALLBACK = "http://localhost:8770/callback"
NOTES = "https://api.demo.example"
SCOPE = "openid profile email offline_access notes:read"
JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
# What `at_hash` is made with (OpenID Connect Core §3.1.3.6); Ed25519 hashes with SHA-512 itself.
HASHES = {"ES256": hashlib.sha256, "RS256": hashlib.sha256, "EdDSA": hashlib.sha512}
METADATA = requests.get(DEV["issuer"] + "/.well-known/openid-configuration", timeout=30).json()


def signed(header: dict, claims: dict, key: JWK) -> str:
    token = JWS(json_encode(claims))
    token.add_signature(key, alg=header["alg"], protected=json_encode(header))
    return token.serialize(compact=True)


def verified(token: str) -> tuple[dict, dict]:
    """Header and claims of a token of the server's, verified with the one key that the header names."""
    keys = JWKSet.from_json(requests.get(METADATA["jwks_uri"], timeout=30).text)
    unverified = JWS()
    unverified.deserialize(token)
    key = keys.get_key(unverified.jose_header["kid"])
    if key.export_public(as_dict=True)["alg"] != unverified.jose_header["alg"]:
        raise AssertionError("the key is for another algorithm than the header says")
    unverified.verify(key)
    return unverified.jose_header, json.loads(unverified.payload)


def tampered(token: str, **changes: object) -> str:
    """The same header and signature around other claims."""
    header, payload, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    return ".".join([header, base64url_encode(json_encode(claims | changes)), signature])


class Application:
    """An application of our own with a key for its assertions and one for its proofs."""

    def __init__(self, **metadata: object) -> None:
        self.key = JWK.generate(kty="EC", crv="P-256", kid="mine", alg="ES256", use="sig")
        self.proof_key = JWK.generate(kty="OKP", crv="Ed25519")
        body = {
            "client_name": "Speaks jwcrypto",
            "redirect_uris": [CALLBACK],
            "grant_types": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_method": "private_key_jwt",
            "jwks": {"keys": [self.key.export_public(as_dict=True)]},
            "scope": SCOPE,
        }
        reply = requests.post(METADATA["registration_endpoint"], json=body | metadata, timeout=30)
        if reply.status_code != 201:
            raise AssertionError(reply.text)
        self.client_id = reply.json()["client_id"]

    def assertion(self, **changes: object) -> str:
        now = int(time.time())
        claims = {
            "iss": self.client_id,
            "sub": self.client_id,
            "aud": DEV["issuer"],
            "jti": secrets.token_urlsafe(16),
            "iat": now,
            "exp": now + 60,
        }
        return signed({"alg": "ES256", "kid": "mine", "typ": "JWT"}, claims | changes, self.key)

    def proof(self, method: str, url: str, **extra: object) -> str:
        header = {"typ": "dpop+jwt", "alg": "EdDSA", "jwk": self.proof_key.export_public(as_dict=True)}
        claims = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url, "iat": int(time.time())}
        return signed(header, claims | extra, self.proof_key)

    def sign_in(self, nonce: str = "a-nonce", **changes: str) -> dict[str, str]:
        """The form that exchanges a fresh code; `changes` are to the authorization request."""
        verifier = secrets.token_urlsafe(48)
        query = {
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "response_type": "code",
            "scope": SCOPE,
            "resource": NOTES,
            "nonce": nonce,
            "code_challenge": base64url_encode(hashlib.sha256(verifier.encode()).digest()),
            "code_challenge_method": "S256",
        } | changes
        person = Person(DEV["user"]["username"], DEV["user"]["password"])
        start = METADATA["authorization_endpoint"] + "?" + urlencode(query)
        answer = dict(parse_qsl(urlsplit(person.visit(start, CALLBACK)).query))
        if "error" in answer:
            raise AssertionError(answer)
        code = answer["code"]
        return {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": verifier}

    def token(self, form: dict[str, str], assertion: str, proof: str | None = None) -> requests.Response:
        credentials = {"client_assertion_type": JWT_BEARER, "client_assertion": assertion}
        headers = {"dpop": proof} if proof else {}
        return requests.post(METADATA["token_endpoint"], data=form | credentials, headers=headers, timeout=30)


class Tokens(unittest.TestCase):
    def test_id_tokens_of_every_algorithm_verify_and_bind_their_access_token(self) -> None:
        for algorithm, digest in HASHES.items():
            with self.subTest(algorithm):
                app = Application(id_token_signed_response_alg=algorithm)
                reply = app.token(app.sign_in(nonce="of-" + algorithm), app.assertion())
                self.assertEqual(reply.status_code, 200, reply.text)
                tokens = reply.json()
                header, claims = verified(tokens["id_token"])
                self.assertEqual(header["alg"], algorithm)
                self.assertEqual(claims["iss"], DEV["issuer"])
                self.assertEqual(claims["aud"], app.client_id)
                self.assertEqual(claims["nonce"], "of-" + algorithm)
                self.assertLessEqual(claims["iat"], time.time() + 1)
                self.assertGreater(claims["exp"], time.time())
                hashed = digest(tokens["access_token"].encode()).digest()
                self.assertEqual(claims["at_hash"], base64url_encode(hashed[: len(hashed) // 2]))
                with self.assertRaises(InvalidJWSSignature):
                    verified(tampered(tokens["id_token"], sub="another"))

    def test_access_tokens_verify_and_are_no_id_tokens(self) -> None:
        app = Application()
        tokens = app.token(app.sign_in(), app.assertion()).json()
        header, claims = verified(tokens["access_token"])
        self.assertEqual(header["typ"], "at+jwt")
        self.assertEqual(header["alg"], "ES256")
        self.assertEqual((claims["iss"], claims["aud"]), (DEV["issuer"], NOTES))
        self.assertEqual(claims["client_id"], app.client_id)
        self.assertEqual(claims["sub"], verified(tokens["id_token"])[1]["sub"])
        self.assertEqual(set(claims["scope"].split()), set(SCOPE.split()))
        self.assertEqual(claims["exp"] - claims["iat"], tokens["expires_in"])
        with self.assertRaises(InvalidJWSSignature):
            verified(tampered(tokens["access_token"], scope="admin"))

    def test_the_key_set_holds_public_halves_only(self) -> None:
        keys = requests.get(METADATA["jwks_uri"], timeout=30).json()["keys"]
        self.assertEqual(len({key["kid"] for key in keys}), len(keys))
        for key in keys:
            self.assertFalse(JWK(**key).has_private)
            self.assertEqual(key["use"], "sig")


class Assertions(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.app = Application()

    def refused(self, assertion: str) -> None:
        reply = self.app.token({"grant_type": "refresh_token", "refresh_token": "unknown"}, assertion)
        self.assertEqual((reply.status_code, reply.json()["error"]), (401, "invalid_client"), reply.text)

    def test_an_assertion_is_accepted_once(self) -> None:
        assertion = self.app.assertion()
        reply = self.app.token({"grant_type": "refresh_token", "refresh_token": "unknown"}, assertion)
        # The application is known; it is the refresh token that is not.
        self.assertEqual((reply.status_code, reply.json()["error"]), (400, "invalid_grant"), reply.text)
        self.refused(assertion)

    def test_a_tampered_assertion_is_refused(self) -> None:
        self.refused(tampered(self.app.assertion(), jti="another"))
        self.refused(self.app.assertion()[:-4] + "AAAA")

    def test_an_assertion_of_another_key_or_without_one_is_refused(self) -> None:
        own = self.app.key
        try:
            self.app.key = JWK.generate(kty="EC", crv="P-256", kid="mine", alg="ES256", use="sig")
            self.refused(self.app.assertion())
        finally:
            self.app.key = own
        unsigned = base64url_encode(json_encode({"alg": "none", "typ": "JWT"}))
        self.refused(unsigned + "." + self.app.assertion().split(".")[1] + ".")

    def test_an_assertion_that_is_meant_for_others_or_has_ended_is_refused(self) -> None:
        now = int(time.time())
        self.refused(self.app.assertion(aud="https://other.example"))
        self.refused(self.app.assertion(iat=now - 900, exp=now - 600))
        self.refused(self.app.assertion(sub="another"))


class Proofs(unittest.TestCase):
    def test_a_proof_binds_the_tokens_to_its_key(self) -> None:
        app = Application(dpop_bound_access_tokens=True)
        # UserInfo takes tokens for the service itself; an empty parameter counts as absent.
        form, endpoint = app.sign_in(scope="openid email", resource=""), METADATA["token_endpoint"]
        reply = app.token(form, app.assertion(), tampered(app.proof("POST", endpoint), htm="GET"))
        self.assertEqual((reply.status_code, reply.json()["error"]), (400, "invalid_dpop_proof"), reply.text)
        reply = app.token(form, app.assertion(), app.proof("POST", endpoint))
        self.assertEqual(reply.status_code, 200, reply.text)
        tokens = reply.json()
        self.assertEqual(tokens["token_type"], "DPoP")
        _, claims = verified(tokens["access_token"])
        self.assertEqual(claims["cnf"], {"jkt": app.proof_key.thumbprint()})

        url, access_token = METADATA["userinfo_endpoint"], tokens["access_token"]
        ath = base64url_encode(hashlib.sha256(access_token.encode()).digest())
        for proof, status in [(app.proof("GET", url, ath=ath), 200), (app.proof("GET", url, ath="another"), 401)]:
            headers = {"authorization": "DPoP " + access_token, "dpop": proof}
            self.assertEqual(requests.get(url, headers=headers, timeout=30).status_code, status)


if __name__ == "__main__":
    unittest.main()
