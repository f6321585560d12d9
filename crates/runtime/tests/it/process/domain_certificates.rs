//! Certificates of custom domains, as `openssl s_client` sees them: from a folder of files, and ordered from Pebble.

use std::process::{Command, Stdio};

use super::acme::Pebble;
use super::{Place, eventually};
use crate::mtls::authority::Certificate;

const DOMAIN: &str = "login.acme.localhost";

/// What `openssl x509` says of the certificate that is shown for a name.
fn shown(place: &Place, name: &str, what: &str) -> String {
    let address = format!("127.0.0.1:{}", place.port);
    let script = format!(
        "openssl s_client -connect {address} -servername {name} </dev/null 2>/dev/null | openssl x509 -noout -{what} 2>/dev/null"
    );
    let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Place {
    /// Puts the certificate of a custom domain where ACME clients put it.
    fn show_for(&self, domain: &str, certificate: &Certificate) {
        let folder = self.folder.path().join("domains").join(domain);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("privkey.pem"), &certificate.key_pem).unwrap();
        std::fs::write(folder.join("fullchain.pem"), &certificate.pem).unwrap();
    }
}

#[tokio::test]
async fn a_folder_has_a_certificate_for_each_domain_and_changes_show_without_a_restart() {
    let mut place = Place::with_tls().await;
    place.show_for(DOMAIN, &Certificate::self_signed(DOMAIN));
    place.set("SVC_SERVER__TLS__DOMAINS_FOLDER", "domains");
    let service = place.serve_tls().await;
    let first = shown(&place, DOMAIN, "fingerprint");
    let usual = shown(&place, "localhost", "fingerprint");
    assert!(!first.is_empty() && first != usual, "{first} {usual}");
    assert_eq!(shown(&place, "LOGIN.acme.localhost", "fingerprint"), first);
    for other in ["other.acme.localhost", "evil.example", "acme.localhost"] {
        assert_eq!(shown(&place, other, "fingerprint"), usual, "{other}");
    }
    place.show_for(DOMAIN, &Certificate::self_signed(DOMAIN));
    place.show_for("late.acme.localhost", &Certificate::self_signed("late.acme.localhost"));
    eventually("the renewed one is shown", async || shown(&place, DOMAIN, "fingerprint") != first).await;
    let is_there = async || shown(&place, "late.acme.localhost", "fingerprint") != usual;
    eventually("the new one is shown", is_there).await;

    let renewed = shown(&place, DOMAIN, "fingerprint");
    std::fs::write(place.folder.path().join("domains").join(DOMAIN).join("fullchain.pem"), "broken").unwrap();
    let pid = service.process.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    eventually("it is told", async || service.log().contains("the certificate of a custom domain")).await;
    assert_eq!(shown(&place, DOMAIN, "fingerprint"), renewed, "what cannot be read changes nothing");
    std::fs::remove_dir_all(place.folder.path().join("domains").join(DOMAIN)).unwrap();
    eventually("it is forgotten", async || shown(&place, DOMAIN, "fingerprint") == usual).await;
}

#[tokio::test]
async fn certificates_are_ordered_for_domains_that_are_proven_and_for_no_other_name() {
    let mut place = Place::with_tls().await;
    place
        .sql(
            "INSERT INTO tenants (id, slug, name, custom_domain, status, settings, created_at, updated_at, version) \
             VALUES ('tnt_01m7yepz0rer5tmyyvy97e2x3j', 'acme', 'Acme', 'login.acme.localhost', 'active', '{}', 0, 0, 1)",
        )
        .await;
    place
        .sql(
            "INSERT INTO custom_domains (tenant_id, id, domain, challenge, status, created_at, checked_at, failures, version) \
             VALUES ('tnt_01m7yepz0rer5tmyyvy97e2x3j', 'cdm_01m7yepz0rer5tmyyvy97e2x3j', 'merely.asked.localhost', 'x', \
             'pending', 0, 0, 0, 1)",
        )
        .await;
    let pebble = Pebble::start(&place, place.port);
    pebble.ready().await;
    for (name, value) in [
        ("SVC_SERVER__TLS__CA_PEM_PATH", "pebble.crt"),
        ("SVC_SERVER__ACME__CUSTOM_DOMAINS", "true"),
        ("SVC_SERVER__ACME__FOLDER", "acme"),
        ("SVC_SERVER__ACME__DIRECTORY_URL", pebble.directory()),
    ] {
        place.set(name, value);
    }
    let mut service = place.serve_tls().await;
    let is_ordered = async || shown(&place, DOMAIN, "issuer").contains("Pebble Intermediate CA");
    eventually("the certificate is there", is_ordered).await;
    for other in ["merely.asked.localhost", "localhost", "evil.example"] {
        assert!(!shown(&place, other, "issuer").contains("Pebble"), "{other}");
    }
    let log = service.log();
    assert!(!log.contains("merely.asked") && !log.contains("evil.example"), "{log}");
    // It is shown before it is kept.
    service.line(&["CertCacheStore"]).await;
    service.kill().await;
    drop(pebble);

    let _again = place.serve_tls().await;
    eventually("the kept one is shown", is_ordered).await;
}
