"""The Python SDK of MCP calls the FastMCP server of docs/frameworks/mcp.md, and knows nothing but its address (SVC_DEV)."""

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
import unittest
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import requests
from fastmcp import Client
from guide import DEV, blocks
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from person import Person

PAGE = "frameworks/mcp.md"
RESOURCE = "http://localhost:9000/mcp"
CALLBACK = "http://localhost:8771/callback"


class Kept:
    """What a client keeps of one authorization."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    def claims(self) -> dict[str, Any]:
        payload = self.tokens.access_token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "=="))


class FastMcp(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        quiet = {"FASTMCP_CHECK_FOR_UPDATES": "off", "FASTMCP_SHOW_SERVER_BANNER": "false"}
        environment = os.environ | quiet | {"SVC_ISSUER": DEV["issuer"]}
        cls.server = subprocess.Popen([sys.executable, "-c", "".join(blocks(PAGE))], env=environment)
        cls.addClassCleanup(cls.stop)
        deadline = time.monotonic() + 60
        while cls.server.poll() is None and time.monotonic() < deadline:
            try:
                cls.challenge = requests.post(RESOURCE, timeout=30).headers["www-authenticate"]
                return
            except requests.ConnectionError:
                time.sleep(0.05)
        raise AssertionError("the server of the guide does not answer")

    @classmethod
    def stop(cls) -> None:
        cls.server.terminate()
        cls.server.wait()

    async def whoami(self, auth: httpx2.Auth) -> str:
        async with Client(RESOURCE, auth=auth) as client:
            return (await client.call_tool("whoami")).data

    async def test_an_unknown_client_registers_signs_its_person_in_and_calls_a_tool(self) -> None:
        kept, back = Kept(), []

        async def sign_in(address: str) -> None:
            person = Person(DEV["user"]["username"], DEV["user"]["password"])
            back.append(parse_qs(urlsplit(await asyncio.to_thread(person.visit, address, CALLBACK)).query))

        async def returned() -> AuthorizationCodeResult:
            answer = back.pop()
            return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0], iss=answer["iss"][0])

        metadata = OAuthClientMetadata(client_name="MCP test client", redirect_uris=[CALLBACK])
        provider = OAuthClientProvider(RESOURCE, metadata, kept, sign_in, returned)
        self.assertEqual(await self.whoami(provider), kept.claims()["sub"])
        self.assertEqual((kept.claims()["aud"], kept.client.client_id), (RESOURCE, kept.claims()["client_id"]))

    async def test_a_program_calls_a_tool_for_itself(self) -> None:
        kept, machine = Kept(), machine_application()
        provider = ClientCredentialsOAuthProvider(
            RESOURCE, kept, machine["id"], machine["client_secret"], issuer=DEV["issuer"]
        )
        self.assertEqual(await self.whoami(provider), machine["id"])

    def test_the_challenge_names_metadata_with_the_very_issuer(self) -> None:
        address = self.challenge.split("resource_metadata=")[1].split('"')[1]
        told = requests.get(address, timeout=30).json()
        self.assertEqual((told["resource"], told["authorization_servers"]), (RESOURCE, [DEV["issuer"]]))


def machine_application() -> dict[str, str]:
    """An application of type `machine` that may use the tools."""
    admin = next(client for client in DEV["clients"] if client["handle"] == "admin-cli")
    form = {"grant_type": "client_credentials", "scope": "applications:write privileges:grant"}
    credentials = (admin["client_id"], admin["client_secret"])
    token = requests.post(DEV["issuer"] + "/oauth/token", data=form, auth=credentials, timeout=30).json()
    new = {"name": "MCP program", "type": "machine", "grant_types": ["client_credentials"], "scope": "tools:use"}
    created = requests.post(
        DEV["issuer"] + "/api/v1/applications",
        headers={"authorization": f"Bearer {token['access_token']}"},
        json=new,
        timeout=30,
    )
    created.raise_for_status()
    return created.json()


if __name__ == "__main__":
    unittest.main()
