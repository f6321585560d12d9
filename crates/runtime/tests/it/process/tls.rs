//! TLS of the running binary, as `openssl s_client` and `curl` see it: versions and suites, a certificate that changes while it
//! serves, and clients that have certificates themselves (RFC 8705).

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::{Place, Service, eventually, unused_port};
use crate::mtls::authority::{Authority, Certificate};

/// The tenant of these tests, whose clients `authority` vouches for.
fn seed(authority: &Authority) -> String {
    format!(
        r#"
[[tenant]]
slug = "main"
name = "Main"
settings = {{ tls_client_ca_pem = """
{}""" }}

[[tenant.application]]
client_id = "app_01m7yepz0rer5tmyyvy97e2x3j"
handle = "robot"
name = "Robot"
type = "machine"
grant_types = ["client_credentials"]
token_endpoint_auth_method = "tls_client_auth"
tls_client_auth_san_dns = "robot.example"
tls_client_certificate_bound_access_tokens = true
scope = "notes:read"

[[tenant.api]]
identifier = "https://notes.example"
name = "Notes"
scopes = [{{ name = "notes:read", description = "Read notes" }}]
"#,
        authority.pem
    )
}

const ROBOT: &str = "app_01m7yepz0rer5tmyyvy97e2x3j";

impl Place {
    /// A place that serves by TLS with a certificate for `localhost`.
    pub async fn with_tls() -> Self {
        let mut place = Self::migrated().await;
        place.show(&Certificate::self_signed("localhost"));
        place.set("SVC_SERVER__TRANSPORT", "tls");
        place.set("SVC_SERVER__TLS__CERT_PEM_PATH", "tls.crt");
        place.set("SVC_SERVER__TLS__KEY_PEM_PATH", "tls.key");
        place.set("SVC_OIDC__ISSUER_URL", &format!("https://localhost:{}", place.port));
        place
    }

    /// Puts a certificate where the service reads it.
    fn show(&self, certificate: &Certificate) {
        self.write("tls.key", &certificate.key_pem);
        self.write("tls.crt", &certificate.pem);
    }

    pub async fn serve_tls(&self) -> Service {
        let process = self.start(&[], "serve");
        let address = ([127, 0, 0, 1], self.port).into();
        let service = Service { process, address, log: self.folder.path().join("serve.err") };
        eventually("it serves", async || self.curl(self.port, "/health/live", &[]).status.success()).await;
        service
    }

    /// `curl`, which trusts the certificate in the folder.
    fn curl(&self, port: u16, path: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new("curl");
        command.current_dir(self.folder.path()).args(["-sS", "--fail-with-body", "--cacert", "tls.crt"]);
        command.args(arguments).arg(format!("https://localhost:{port}{path}"));
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// `openssl s_client`; whether the handshake succeeded, and what it said.
    fn handshake(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new("openssl");
        command.current_dir(self.folder.path()).args(["s_client", "-connect"]);
        command.arg(format!("localhost:{}", self.port)).args([
            "-servername",
            "localhost",
            "-CAfile",
            "tls.crt",
        ]);
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success() && said.contains("Verify return code: 0 (ok)"), said)
    }
}

#[track_caller]
fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[tokio::test]
async fn tls_1_3_and_forward_secret_suites_of_1_2_are_spoken_and_nothing_older() {
    let place = Place::with_tls().await;
    let _service = place.serve_tls().await;
    let (is_done, said) = place.handshake(&["-tls1_3"]);
    assert!(is_done && said.contains("TLSv1.3"), "{said}");
    for suite in
        ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"]
    {
        let (is_done, said) = place.handshake(&["-tls1_2", "-cipher", suite]);
        assert!(is_done && said.contains(suite), "{suite}: {said}");
    }
    // Everything else that this client has of 1.2, then the versions before it.
    let others = "ALL:@SECLEVEL=0:!ECDHE-ECDSA-AES128-GCM-SHA256:!ECDHE-ECDSA-AES256-GCM-SHA384:!ECDHE-ECDSA-CHACHA20-POLY1305";
    assert!(!place.handshake(&["-tls1_2", "-cipher", others]).0);
    for version in ["-tls1_1", "-tls1"] {
        assert!(!place.handshake(&[version, "-cipher", "ALL:@SECLEVEL=0"]).0, "{version}");
    }
}

#[tokio::test]
async fn a_new_certificate_is_shown_after_sighup_or_by_itself_and_a_broken_one_never() {
    let place = Place::with_tls().await;
    let service = place.serve_tls().await;
    let is_shown = async || place.curl(place.port, "/health/live", &[]).status.success();
    place.show(&Certificate::self_signed("localhost"));
    eventually("the files are looked at again", is_shown).await;

    let pid = service.process.id().to_string();
    place.show(&Certificate::self_signed("localhost"));
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    eventually("SIGHUP is obeyed", is_shown).await;

    let shown = std::fs::read(place.folder.path().join("tls.crt")).unwrap();
    // The files are looked at meanwhile too: at no time do they work together.
    place.write("tls.key", &Certificate::self_signed("localhost").key_pem);
    place.write("tls.crt", &Certificate::self_signed("localhost").pem);
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    eventually("the fault is logged", async || service.log().contains("do not work together")).await;
    std::fs::write(place.folder.path().join("tls.crt"), shown).unwrap();
    assert!(is_shown().await);
}

#[tokio::test]
async fn a_certificate_that_has_expired_or_belongs_to_another_key_keeps_the_service_from_starting() {
    let place = Place::with_tls().await;
    let authority = Authority::new("a");
    let expired =
        authority.issue_with("localhost", |params| params.not_after = rcgen::date_time_ymd(2021, 1, 1));
    place.show(&expired);
    let ended = place.refuses(&[], "expired at 2021-01-01T00:00:00").await;
    assert!(ended.stderr.contains("server.tls: the certificate in tls.crt"), "{ended:?}");
    place.write("tls.crt", &Certificate::self_signed("localhost").pem);
    place.refuses(&[], "the TLS certificate and key do not work together").await;
}

#[tokio::test]
async fn a_client_authenticates_with_its_certificate_at_the_port_that_asks_for_one() {
    let mut place = Place::with_tls().await;
    let (authority, port) = (Authority::new("acme"), unused_port());
    place.set("SVC_SERVER__MTLS__PORT", &port.to_string());
    place.write("seed.toml", &seed(&authority));
    let applied = place.run(&["apply", "seed.toml"]).await;
    assert!(applied.is_success, "{applied:?}");
    for (name, certificate) in [
        ("robot", authority.issue("robot.example")),
        ("other", authority.issue("other.example")),
        ("stranger", Certificate::self_signed("robot.example")),
    ] {
        place.write(&format!("{name}.crt"), &certificate.pem);
        place.write(&format!("{name}.key"), &certificate.key_pem);
    }
    let thumbprint = Command::new("openssl")
        .current_dir(place.folder.path())
        .args(["x509", "-in", "robot.crt", "-noout", "-fingerprint", "-sha256"])
        .output()
        .unwrap();
    let _service = place.serve_tls().await;

    let document = parsed(&place.curl(place.port, "/.well-known/openid-configuration", &[]));
    let endpoint = document["mtls_endpoint_aliases"]["token_endpoint"].as_str().unwrap();
    assert_eq!(endpoint, format!("https://localhost:{port}/oauth/token"));

    let form = format!("grant_type=client_credentials&client_id={ROBOT}&resource=https://notes.example");
    let ask = |port: u16, version: &str, name: &str| {
        let (certificate, key) = (format!("{name}.crt"), format!("{name}.key"));
        let mut arguments = vec![version, "--data", &form];
        if Path::new(&place.folder.path().join(&certificate)).exists() {
            arguments.extend(["--cert", &certificate, "--key", &key]);
        }
        place.curl(port, "/oauth/token", &arguments)
    };
    for version in ["--http1.1", "--http2"] {
        let answer = parsed(&ask(port, version, "robot"));
        let token = answer["access_token"].as_str().unwrap_or_else(|| panic!("{version}: {answer}"));
        let bound_to = &crate::harness::client::claims(token)["cnf"]["x5t#S256"];
        assert_eq!(*bound_to, json!(base64url_of(&thumbprint)), "{version}");
    }
    for (port, name) in [(port, "none"), (port, "other"), (port, "stranger"), (place.port, "robot")] {
        let refused = ask(port, "--http2", name);
        assert!(!refused.status.success(), "{name}: {refused:?}");
        assert_eq!(parsed(&refused)["error"], "invalid_client", "{name}");
    }
}

/// The fingerprint that `openssl` prints, as the claim has it.
fn base64url_of(printed: &Output) -> String {
    let text = String::from_utf8_lossy(&printed.stdout);
    let (_, hex) = text.trim().split_once('=').unwrap();
    let bytes: Vec<_> = hex.split(':').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    svc_keys::base64url(bytes)
}
