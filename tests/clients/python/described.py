"""The PyPI package Schemathesis: made-up requests after the OpenAPI document, and the answers held against it."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import requests

DEV = json.loads(os.environ["SVC_DEV"])
DOCUMENT = DEV["issuer"] + "/openapi.json"
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
# Its lines are judged one by one, and the package makes no bodies of lines.
CHUNKS = "/api/v1/imports/{id}/chunks/{number}"
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
]


def token() -> str:
    """A token of the application that administers, with every scope of the management API that it may have."""
    client = next(client for client in DEV["clients"] if client["handle"] == "admin-cli")
    answer = requests.post(
        DEV["issuer"] + "/oauth/token",
        auth=(client["client_id"], client["client_secret"]),
        data={"grant_type": "client_credentials"},
        timeout=30,
    )
    answer.raise_for_status()
    return answer.json()["access_token"]


class Described(unittest.TestCase):
    """Every operation, each with the same few requests in each run."""

    def test_answers_are_those_of_the_document(self) -> None:
        run = subprocess.run(
            [
                SCHEMATHESIS,
                "--no-color",
                "--config-file",
                CONFIGURATION,
                "run",
                DOCUMENT,
                "--phases=examples,fuzzing",
                "--exclude-path=" + CHUNKS,
                "--checks=" + ",".join(CHECKS),
                "--max-examples=5",
                "--seed=1",
                "--generation-database=none",
                "--continue-on-failure",
                "--warnings=off",
                "--request-timeout=60",
                "--suppress-health-check=all",
                "--header=Authorization: Bearer " + token(),
            ],
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        self.assertEqual(run.returncode, 0, run.stdout[-20000:] + run.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
