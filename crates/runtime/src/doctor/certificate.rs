//! The certificate of `[server.tls]`, or the one that `[server.acme]` has ordered: when it ends, and for whom it is.

use svc_core::Seconds;
use svc_http::{Identity, ordered_certificate_end};

use super::Patient;
use super::finding::Finding;

const CHECK: &str = "certificate";
/// Time to renew it by hand.
const NOTICE: Seconds = Seconds(30 * 86_400);
const RENEW: &str = "write a new chain and key to the files of [server.tls]; they are shown within seconds";

/// An authority renews it long before that.
const LATE: Seconds = Seconds(86_400);
const ASK: &str = "the log of the service has what the authority answered (`the certificate of server.acme`)";

/// Looks at the files. One that cannot be used is a fault of the configuration, and told there.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let (config, now) = (&patient.config, patient.now);
    if !config.server.transport.is_tls() {
        return vec![Finding::ok(CHECK, "TLS does not end in this process")];
    }
    if config.server.has_acme() {
        return vec![ordered(patient).await];
    }
    let Ok(identity) = Identity::from_config(config, now) else { return Vec::new() };
    let host = config.oidc.issuer_url.host();
    if !identity.is_for(&host) {
        return vec![Finding::fault(CHECK, format!("it is not for {host}, the issuer's host"), RENEW)];
    }
    let ends_at = identity.ends_at().unwrap_or(now);
    if ends_at < now + NOTICE {
        return vec![Finding::warning(CHECK, format!("it ends at {ends_at}"), RENEW)];
    }
    let mut findings = vec![Finding::ok(CHECK, format!("for {host}, until {ends_at}"))];
    if let Some(base) =
        config.server.base_domain.as_deref().filter(|base| !identity.is_for(&format!("tenant.{base}")))
    {
        let what = format!("it is not for tenants' hosts below {base}");
        // Clients take no wildcard right below a name of one label.
        let names =
            if base.contains('.') { format!("*.{base}") } else { "the host of each tenant".to_owned() };
        let fix = format!("name {names} in it, or give tenants domains of their own");
        findings.push(Finding::warning(CHECK, what, fix));
    }
    findings
}

/// What was ordered by ACME.
async fn ordered(patient: &Patient) -> Finding {
    let (domains, host) = (&patient.config.server.acme.domains, patient.config.oidc.issuer_url.host());
    if !domains.contains(&host) {
        let what = format!("server.acme.domains has no {host}, the issuer's host: none is ordered for it");
        return Finding::fault(CHECK, what, "add it to server.acme.domains");
    }
    let names = domains.join(", ");
    match ordered_certificate_end(&patient.config).await {
        Err(error) => Finding::fault(CHECK, error.detail(), "run the doctor as the user of the service"),
        Ok(None) => {
            Finding::warning(CHECK, format!("none was ordered yet for {names}: handshakes fail"), ASK)
        }
        Ok(Some(end)) if end < patient.now => {
            Finding::fault(CHECK, format!("the one for {names} has ended at {end}"), ASK)
        }
        Ok(Some(end)) if end < patient.now + LATE => {
            Finding::warning(CHECK, format!("the one for {names} ends at {end}, and was not renewed"), ASK)
        }
        Ok(Some(end)) => Finding::ok(CHECK, format!("ordered by ACME for {names}, until {end}")),
    }
}
