"""The client that the PyPI package openapi-python-client makes of the OpenAPI document: it compiles, and lists and makes applications."""

import compileall
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import requests

DEV = json.loads(os.environ["SVC_DEV"])
DOCUMENT = Path(__file__).parents[3] / "docs/openapi.json"
# What the package cannot make: a body of lines.
LEFT_OUT = ["PUT /api/v1/imports/{id}/chunks/{number}"]
# Where mypy finds faults that are the package's own: how it leaves a client, and a member that is called like the record.
ITS_OWN = {"client.py", "profile.py"}
PROGRAM = """
from svc_generated import AuthenticatedClient
from svc_generated.api.applications import get_applications, post_applications
from svc_generated.models import ApplicationList, CreatedApplication, NewApplication, Problem


def names(client: AuthenticatedClient) -> list[str]:
    page = get_applications.sync(client=client, limit=2)
    assert isinstance(page, ApplicationList), page
    return [application.name for application in page.data]


def made(client: AuthenticatedClient) -> str:
    application = post_applications.sync(client=client, body=NewApplication(name="Generated"))
    assert isinstance(application, CreatedApplication), application
    return application.id


def refused(client: AuthenticatedClient) -> str:
    problem = post_applications.sync(client=client, body=NewApplication(name=""))
    assert isinstance(problem, Problem), problem
    return problem.request_id
"""
FAULTY = """
from svc_generated.models import NewApplication

NewApplication(name="Shop", colour="red")
"""


def token() -> str:
    client = next(client for client in DEV["clients"] if client["handle"] == "admin-cli")
    answer = requests.post(
        DEV["issuer"] + "/oauth/token",
        auth=(client["client_id"], client["client_secret"]),
        data={"grant_type": "client_credentials"},
        timeout=30,
    )
    answer.raise_for_status()
    return answer.json()["access_token"]


def tool(folder: str, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


class Generated(unittest.TestCase):
    """A client, made anew."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.making = tool(
            cls.folder, "openapi_python_client", "generate", "--path", str(DOCUMENT), "--output-path", "svc_generated", "--meta", "none"
        )
        Path(cls.folder, "program.py").write_text(PROGRAM)
        Path(cls.folder, "faulty.py").write_text(FAULTY)
        sys.path.insert(0, cls.folder)
        cls.addClassCleanup(sys.path.remove, cls.folder)

    def test_it_has_every_operation(self) -> None:
        told = self.making.stdout + self.making.stderr
        self.assertEqual(self.making.returncode, 0, told)
        left_out = [line for line in told.splitlines() if line.startswith("WARNING parsing")]
        self.assertEqual(left_out, [f"WARNING parsing {each} within imports. Endpoint will not be generated." for each in LEFT_OUT])
        self.assertNotIn("Unable to process", told)

    def test_it_compiles_and_its_types_hold(self) -> None:
        self.assertTrue(compileall.compile_dir(self.folder, quiet=1))
        checked = tool(self.folder, "mypy", "--strict", "-p", "svc_generated", "-m", "program")
        faults = [line for line in checked.stdout.splitlines() if ": error: " in line]
        foreign = [line for line in faults if Path(line.split(":")[0]).name not in ITS_OWN]
        self.assertEqual(foreign, [], checked.stderr)
        self.assertIn("checked", checked.stdout)
        faulty = tool(self.folder, "mypy", "faulty.py", "--follow-imports=silent")
        self.assertIn('Unexpected keyword argument "colour"', faulty.stdout)

    def test_it_lists_and_makes_applications_and_reads_problems(self) -> None:
        import program
        from svc_generated import AuthenticatedClient
        from svc_generated.api.applications import delete_applications_id

        with AuthenticatedClient(base_url=DEV["issuer"], token=token()) as client:
            self.assertEqual(len(program.names(client)), 2)
            gone = delete_applications_id.sync_detailed(program.made(client), client=client)
            self.assertEqual(gone.status_code, 204)
            self.assertTrue(program.refused(client).startswith("req_"))


if __name__ == "__main__":
    unittest.main()
