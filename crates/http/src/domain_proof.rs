//! What proves that a domain is an organization's or a tenant's: a TXT record below it, and for an organization also a file at its
//! well-known address (RFC 8615).

use svc_config::Config;
use svc_core::Seconds;
use svc_domain::organizations::domains::Domain;
use svc_domain::proofs::Found;

use crate::app::App;
use crate::outbound::Limits;

/// Where the file is (RFC 8615).
const WELL_KNOWN: &str = "/.well-known/svc-domain-verification";
/// A file has a few lines.
const LIMITS: Limits = Limits { time: Seconds(5), bytes: 4096 };

/// The name of the TXT record.
pub fn record_name(config: &Config, domain: &str) -> String {
    format!("{}.{domain}", config.verified_domains.record_label)
}

/// The address of the file.
pub fn file_uri(domain: &str) -> String {
    format!("https://{domain}{WELL_KNOWN}")
}

/// Looks for the proof, in the record first. Redirects are not followed: another site would prove the domain.
pub async fn look(app: &App, domain: &Domain) -> Found {
    let record = app.names.texts(&record_name(&app.config, &domain.domain)).await;
    if record.as_ref().is_ok_and(|texts| texts.contains(&domain.record_value)) {
        return Found::Proof;
    }
    let file = app.outbound.get(&file_uri(&domain.domain), LIMITS).await;
    let is_proof =
        file.is_ok_and(|file| file.status.is_success() && has_line(&file.body, &domain.record_value));
    match (is_proof, record) {
        (true, _) => Found::Proof,
        (false, Ok(_)) => Found::Nothing,
        (false, Err(_)) => Found::NoAnswer,
    }
}

/// Looks for the record alone: a file at a domain that leads to this service would be this service's own.
pub async fn look_for_record(app: &App, domain: &str, value: &str) -> Found {
    match app.names.texts(&record_name(&app.config, domain)).await {
        Ok(texts) if texts.iter().any(|text| text == value) => Found::Proof,
        Ok(_) => Found::Nothing,
        Err(_) => Found::NoAnswer,
    }
}

fn has_line(body: &[u8], value: &str) -> bool {
    body.split(|byte| *byte == b'\n').any(|line| line.trim_ascii() == value.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_proves_by_a_whole_line() {
        let value = "svc-domain-verification=abc";
        for good in [
            "svc-domain-verification=abc",
            "other\r\nsvc-domain-verification=abc\r\n",
            " svc-domain-verification=abc ",
        ] {
            assert!(has_line(good.as_bytes(), value), "{good:?}");
        }
        for bad in
            ["", "svc-domain-verification=abcd", "xsvc-domain-verification=abc", "svc-domain-verification=ab"]
        {
            assert!(!has_line(bad.as_bytes(), value), "{bad:?}");
        }
    }

    #[test]
    fn record_and_file_have_names_below_the_domain() {
        assert_eq!(record_name(&Config::default(), "acme.example"), "_svc-challenge.acme.example");
        assert_eq!(file_uri("acme.example"), "https://acme.example/.well-known/svc-domain-verification");
    }
}
