"""Webhooks verified with the Python code of their guide alone: real deliveries, and its test vectors."""

import queue
import threading
import unittest
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from guide import DEV, blocks, program

GUIDE: dict = {}
exec(program("how-to/webhooks.md", blocks("how-to/webhooks.md")[0]), GUIDE)
verified_event = GUIDE["verified_event"]

WEBHOOKS = DEV["issuer"] + "/api/v1/webhooks"
SECRET = "svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
VECTOR = {
    "X-SVC-Signature-Suite": "svc-webhook-v1",
    "X-SVC-Signature-Max-Age": "300",
    "X-SVC-Timestamp": "1800000000",
    "X-SVC-Event": "webhook.test",
    "X-SVC-Delivery": "dlv_01jcqzv7y0e8kstk6yq6k3a4mf",
    "X-SVC-Signature-256": "sha256=631d5da8ee91e6d97863c23e138738f4600b158f2d303bf7791f18401ad21d06",
}


class Receiver:
    """A server that takes what is posted to it."""

    def __init__(self) -> None:
        received: queue.Queue[tuple[Message, bytes]] = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.put((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Tests print what fails, and nothing else."""

        self.received = received
        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def managed(method: str, address: str, body: dict | None = None) -> requests.Response:
    client = next(client for client in DEV["clients"] if client["handle"] == "admin-cli")
    answer = requests.post(
        DEV["issuer"] + "/oauth/token",
        auth=(client["client_id"], client["client_secret"]),
        data={"grant_type": "client_credentials", "scope": "webhooks:read webhooks:write"},
        timeout=30,
    )
    answer.raise_for_status()
    headers = {"Authorization": "Bearer " + answer.json()["access_token"]}
    return requests.request(method, address, json=body, headers=headers, timeout=30)


class Webhooks(unittest.TestCase):
    def test_the_vector_of_the_guide_is_verified_and_nothing_that_differs_from_it(self) -> None:
        body, now = '{"name":"Zoë"}'.encode(), 1_800_000_300
        self.assertEqual(verified_event(VECTOR, body, SECRET, now), {"name": "Zoë"})
        for name in VECTOR:
            with self.assertRaises(ValueError, msg=name):
                verified_event({**VECTOR, name: "x"}, body, SECRET, now)
        for changed in [(VECTOR, b"{}", SECRET, now), (VECTOR, body, SECRET + "x", now), (VECTOR, body, SECRET, now + 1)]:
            with self.assertRaises(ValueError):
                verified_event(*changed)

    def test_a_test_delivery_is_verified_with_the_secret_that_was_shown_once(self) -> None:
        receiver = Receiver()
        self.addCleanup(receiver.server.shutdown)
        made = managed("POST", WEBHOOKS, {"url": receiver.url, "event_types": ["org.created"]})
        self.assertEqual(made.status_code, 201, made.text)
        webhook = made.json()
        self.addCleanup(managed, "DELETE", f"{WEBHOOKS}/{webhook['id']}")
        self.assertEqual(managed("POST", f"{WEBHOOKS}/{webhook['id']}/test").status_code, 200)
        headers, body = receiver.received.get(timeout=30)
        event = verified_event(headers, body, webhook["secret"])
        self.assertEqual((event["type"], event["data"]), ("webhook.test", {"webhook_id": webhook["id"]}))
        with self.assertRaises(ValueError):
            verified_event(headers, body + b" ", webhook["secret"])
