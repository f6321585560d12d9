"""The PyPI packages scim2-client and scim2-tester: what a directory asks of a provisioning API, held against the RFCs."""

import json
import os
import unittest
import uuid

import requests
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

DEV = json.loads(os.environ["SVC_DEV"])
SCOPES = (
    "tenant-users:read tenant-users:write organizations:read organizations:write "
    "groups:read groups:write scim-tokens:read scim-tokens:write"
)


def administer(method: str, path: str, token: str, **kwargs: object) -> dict:
    headers = {"Authorization": f"Bearer {token}"}
    answer = requests.request(method, DEV["issuer"] + path, headers=headers, timeout=30, **kwargs)
    answer.raise_for_status()
    return answer.json()


def provisioning() -> SyncSCIMClient:
    """A client with a token of the directory of an organization of its own."""
    client = next(client for client in DEV["clients"] if client["handle"] == "admin-cli")
    answer = requests.post(
        DEV["issuer"] + "/oauth/token",
        auth=(client["client_id"], client["client_secret"]),
        data={"grant_type": "client_credentials", "scope": SCOPES},
        timeout=30,
    )
    answer.raise_for_status()
    token = answer.json()["access_token"]
    owner = administer("GET", "/api/v1/tenant-users?limit=1", token)["data"][0]["id"]
    slug = f"scim-{uuid.uuid4().hex[:12]}"
    new = {"name": "Initech", "slug": slug, "owner_id": owner}
    organization = administer("POST", "/api/v1/organizations", token, json=new)
    new = {"organization_id": organization["id"], "name": "tester"}
    made = administer("POST", "/api/v1/scim-tokens", token, json=new)
    headers = {"Authorization": f"Bearer {made['token']}"}
    return SyncSCIMClient(Client(base_url=DEV["issuer"] + "/scim/v2", headers=headers, timeout=30))


class Provisioning(unittest.TestCase):
    """Every check of the tester."""

    def test_every_check_of_the_tester_passes(self) -> None:
        client = provisioning()
        client.discover()
        results = check_server(client)
        wrong = [f"{one.title}: {one.reason}" for one in results if one.status in (Status.ERROR, Status.CRITICAL)]
        self.assertEqual(wrong, [])
        self.assertGreater(len(results), 100)


if __name__ == "__main__":
    unittest.main()
