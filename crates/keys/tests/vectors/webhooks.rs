//! Deliveries, signed by the server's own signature suite.

use serde_json::{Value, json};
use svc_keys::base64;
use svc_keys::webhook::{SUITE, Signed};

use crate::NOW;

const SECRET: &str = "svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
const FORMER: &str = "svc_whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA";
const BODY: &str = r#"{"name":"Zoë"}"#;

#[derive(Clone)]
struct Sent {
    number: u32,
    timestamp: i64,
    max_age: i64,
    body: Vec<u8>,
    signers: Vec<&'static str>,
}

impl Sent {
    fn id(&self) -> String {
        format!("dlv_01jcqzv7y0e8kstk6yq6k3a4{:02}", self.number)
    }

    fn headers(&self) -> Value {
        let delivery = self.id();
        let signed = Signed {
            timestamp: self.timestamp,
            max_age: self.max_age,
            event: "webhook.test",
            delivery: &delivery,
            body: &self.body,
        };
        json!({
            "content-type": "application/json",
            "x-svc-signature-suite": SUITE,
            "x-svc-signature-256": signed.signatures(self.signers.iter().copied()),
            "x-svc-signature-max-age": self.max_age.to_string(),
            "x-svc-timestamp": self.timestamp.to_string(),
            "x-svc-event": "webhook.test",
            "x-svc-delivery": delivery,
        })
    }
}

pub fn all() -> Value {
    let mut file = Cases(Vec::new());
    file.good();
    file.bad_headers();
    file.bad_signatures();
    file.bad_times();
    file.lists();
    json!({
        "description": "Deliveries of webhooks, judged in this order: suite, headers, signature, time, replay. One store of deliveries \
            for all cases, in their order",
        "now": NOW,
        "max_age_ceiling_secs": 300,
        "cases": file.0,
    })
}

struct Cases(Vec<Value>);

impl Cases {
    fn next(&self) -> Sent {
        let number = u32::try_from(self.0.len()).unwrap();
        Sent { number, timestamp: NOW, max_age: 300, body: BODY.into(), signers: vec![SECRET] }
    }

    fn push(&mut self, name: &str, secrets: &[&str], headers: Value, body: &[u8], outcome: Value) {
        self.0.push(json!({
            "name": name, "secrets": secrets, "headers": headers, "body_base64": base64(body), "outcome": outcome,
        }));
    }

    fn ok(&mut self, name: &str, secrets: &[&str], delivery: &Sent) {
        let outcome = json!({"ok": {"event": "webhook.test", "delivery_id": delivery.id()}});
        self.push(name, secrets, delivery.headers(), &delivery.body, outcome);
    }

    fn refused(&mut self, name: &str, why: &str, delivery: &Sent) {
        self.push(name, &[SECRET], delivery.headers(), &delivery.body, json!({"refused": why}));
    }

    /// The headers with one of them changed, or left out.
    fn changed(&mut self, name: &str, why: &str, (header, value): (&str, Option<&str>)) {
        let delivery = self.next();
        let mut headers = delivery.headers();
        match value {
            Some(value) => headers[header] = json!(value),
            None => drop(headers.as_object_mut().unwrap().remove(header)),
        }
        self.push(name, &[SECRET], headers, &delivery.body, json!({"refused": why}));
    }

    fn good(&mut self) {
        self.ok("a delivery", &[SECRET], &self.next());
        self.ok("an empty body", &[SECRET], &Sent { body: Vec::new(), ..self.next() });
        self.ok(
            "a body that is no text",
            &[SECRET],
            &Sent { body: vec![0, 0xff, b'\n', b'\r'], ..self.next() },
        );
        let both = Sent { signers: vec![SECRET, FORMER], ..self.next() };
        self.ok("two signatures, and the receiver knows the newer secret", &[SECRET], &both);
        let both = Sent { signers: vec![SECRET, FORMER], ..self.next() };
        self.ok("two signatures, and the receiver knows the former secret", &[FORMER], &both);
        self.ok("one signature, and the receiver knows two secrets", &[FORMER, SECRET], &self.next());
        self.ok("as old as it may be", &[SECRET], &Sent { timestamp: NOW - 300, ..self.next() });
        self.ok("a clock that is a little ahead", &[SECRET], &Sent { timestamp: NOW + 5, ..self.next() });
        let first = Sent { number: 0, ..self.next() };
        self.refused("the first delivery again", "replay", &first);
    }

    fn bad_headers(&mut self) {
        self.changed("no suite", "suite", ("x-svc-signature-suite", None));
        self.changed("another suite", "suite", ("x-svc-signature-suite", Some("svc-webhook-v2")));
        self.changed("an empty suite", "suite", ("x-svc-signature-suite", Some("")));
        for header in ["signature-256", "signature-max-age", "timestamp", "event", "delivery"] {
            self.changed(&format!("no {header}"), "header", (&format!("x-svc-{header}"), None));
        }
        self.changed("a timestamp that is no number", "header", ("x-svc-timestamp", Some("now")));
        self.changed("a timestamp with a fraction", "header", ("x-svc-timestamp", Some("1800000000.5")));
        self.changed("a max-age that is no number", "header", ("x-svc-signature-max-age", Some("5m")));
        self.changed("a max-age below zero", "header", ("x-svc-signature-max-age", Some("-300")));
    }

    fn bad_signatures(&mut self) {
        let zeros = format!("sha256={}", "0".repeat(64));
        self.changed("a signature of zeros", "signature", ("x-svc-signature-256", Some(&zeros)));
        self.changed(
            "a signature that is no hexadecimal",
            "signature",
            ("x-svc-signature-256", Some("sha256=zz")),
        );
        self.changed(
            "a signature by another algorithm",
            "signature",
            ("x-svc-signature-256", Some("sha1=00")),
        );
        self.changed("another event", "signature", ("x-svc-event", Some("tenant_user.suspended")));
        self.changed("another delivery", "signature", ("x-svc-delivery", Some("dlv_other")));
        self.changed("another timestamp", "signature", ("x-svc-timestamp", Some("1799999999")));
        self.changed("a longer max-age", "signature", ("x-svc-signature-max-age", Some("3000")));
        self.refused("another secret", "signature", &Sent { signers: vec![FORMER], ..self.next() });
        let delivery = self.next();
        let (outcome, reformatted) = (json!({"refused": "signature"}), br#"{ "name": "Zo\u00eb" }"#);
        self.push("a body written again", &[SECRET], delivery.headers(), reformatted, outcome);
        let mut headers = self.next().headers();
        let short: String = headers["x-svc-signature-256"].as_str().unwrap().chars().take(39).collect();
        headers["x-svc-signature-256"] = json!(short);
        self.push(
            "the first half of a signature",
            &[SECRET],
            headers,
            BODY.as_bytes(),
            json!({"refused": "signature"}),
        );
    }

    /// Four signatures are looked at; a time has at most 12 digits, and an age 9.
    fn lists(&mut self) {
        let four = Sent { signers: vec![FORMER, FORMER, FORMER, SECRET], ..self.next() };
        self.ok("four signatures, and the receiver knows the secret of the last", &[SECRET], &four);
        let five = Sent { signers: vec![FORMER, FORMER, FORMER, FORMER, SECRET], ..self.next() };
        self.refused("a fifth signature", "signature", &five);
        let delivery = self.next();
        let mut headers = delivery.headers();
        let capitals = headers["x-svc-signature-256"].as_str().unwrap().to_uppercase();
        headers["x-svc-signature-256"] = json!(capitals.replace("SHA256", "sha256"));
        let outcome = json!({"refused": "signature"});
        self.push("a signature in capitals", &[SECRET], headers, &delivery.body, outcome);
        self.changed("a timestamp of 13 digits", "header", ("x-svc-timestamp", Some("0001800000000")));
        self.changed("a max-age of 10 digits", "header", ("x-svc-signature-max-age", Some("0000000300")));
    }

    fn bad_times(&mut self) {
        self.refused("too old", "timestamp", &Sent { timestamp: NOW - 301, ..self.next() });
        self.refused("from the future", "timestamp", &Sent { timestamp: NOW + 301, ..self.next() });
        let short = Sent { timestamp: NOW - 61, max_age: 60, ..self.next() };
        self.refused("older than its own max-age", "timestamp", &short);
        let long = Sent { timestamp: NOW - 3_000, max_age: 86_400, ..self.next() };
        self.refused("a max-age beyond the receiver's limit does not count", "timestamp", &long);
    }
}
