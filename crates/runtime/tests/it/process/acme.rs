//! A certificate that the running binary orders itself (RFC 8555), from Pebble, the ACME server of Let's Encrypt for tests.

use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::{Place, Service, eventually, mortal, unused_port};
use crate::mtls::authority::Certificate;

const DOMAIN: &str = "id.acme-test.example";

/// Pebble, and the name server that it asks.
pub(super) struct Pebble {
    processes: [Child; 2],
    directory: String,
    /// Where the one listens, and the other.
    ports: [u16; 2],
}

impl Pebble {
    /// Looks for challenges at `port`, whatever the name.
    pub(super) fn start(place: &Place, port: u16) -> Self {
        let [listen, manage, names, names_manage] = [(); 4].map(|()| unused_port());
        let own = Certificate::self_signed("localhost");
        place.write("pebble.crt", &own.pem);
        place.write("pebble.key", &own.key_pem);
        let config = json!({ "pebble": {
            "listenAddress": format!(":{listen}"),
            "managementListenAddress": format!("127.0.0.1:{manage}"),
            "certificate": "pebble.crt",
            "privateKey": "pebble.key",
            "httpPort": 1,
            "tlsPort": port,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
        } });
        place.write("pebble.json", &config.to_string());
        let start = |program: &str, arguments: &[&str]| {
            let mut command = mortal(program);
            command.current_dir(place.folder.path()).args(arguments).stdin(Stdio::null());
            // Otherwise it waits for seconds before it validates, and refuses good nonces at random.
            command.env("PEBBLE_VA_NOSLEEP", "1").env("PEBBLE_WFE_NONCEREJECT", "0");
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let ports = [listen, names];
        let (names, names_manage) = (format!("127.0.0.1:{names}"), format!("127.0.0.1:{names_manage}"));
        let servers =
            ["-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-dns01", &names, "-management", &names_manage];
        let others = ["-http01", "", "-https01", "", "-tlsalpn01", ""];
        let resolver = start("pebble-challtestsrv", &[&servers[..], &others].concat());
        let pebble = start("pebble", &["-config", "pebble.json", "-dnsserver", &names]);
        let directory = format!("https://localhost:{listen}/dir");
        Self { processes: [resolver, pebble], directory, ports }
    }
}

impl Pebble {
    /// Waits until both listen: after an order that failed, the service pauses for a minute.
    pub(super) async fn ready(&self) {
        for port in self.ports {
            let listens = async || tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok();
            eventually("Pebble and its name server listen", listens).await;
        }
    }

    /// Its directory (RFC 8555 §7.1.1).
    pub(super) fn directory(&self) -> &str {
        &self.directory
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Who has issued the certificate that the service shows, as `openssl` tells it.
fn issuer(place: &Place) -> String {
    let address = format!("127.0.0.1:{}", place.port);
    let mut command = Command::new("openssl");
    command.args(["s_client", "-connect", &address, "-servername", DOMAIN]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.lines().find(|line| line.starts_with("issuer=")).unwrap_or_default().to_owned()
}

fn serve(place: &Place, name: &str) -> Service {
    let process = place.start(&[], name);
    let address = ([127, 0, 0, 1], place.port).into();
    Service { process, address, log: place.folder.path().join(format!("{name}.err")) }
}

#[tokio::test]
async fn a_certificate_is_ordered_by_acme_and_kept_for_the_next_start() {
    let mut place = Place::migrated().await;
    let pebble = Pebble::start(&place, place.port);
    pebble.ready().await;
    for (name, value) in [
        ("SVC_SERVER__TRANSPORT", "tls"),
        ("SVC_SERVER__TLS__CA_PEM_PATH", "pebble.crt"),
        ("SVC_SERVER__ACME__DOMAINS", &format!("[\"{DOMAIN}\"]")),
        ("SVC_SERVER__ACME__FOLDER", "acme"),
        ("SVC_SERVER__ACME__CONTACT", "ops@acme-test.example"),
        ("SVC_SERVER__ACME__DIRECTORY_URL", &pebble.directory),
    ] {
        place.set(name, value);
    }
    let mut service = serve(&place, "first");
    eventually("a certificate is there", async || issuer(&place).contains("Pebble Intermediate CA")).await;
    // The certificate is shown before the log says so, and before it is kept.
    service.line(&["DeployedNewCert"]).await;
    service.line(&["CertCacheStore"]).await;
    let kept = std::fs::metadata(place.folder.path().join("acme")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&kept.permissions()) & 0o777, 0o700);
    service.kill().await;
    drop(pebble);

    let again = serve(&place, "second");
    eventually("the kept one is shown", async || issuer(&place).contains("Pebble Intermediate CA")).await;
    again.line(&["DeployedCachedCert"]).await;
}
