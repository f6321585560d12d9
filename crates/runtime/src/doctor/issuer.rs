//! The service as its clients see it: whether the issuer's address leads to it, and it is ready.

use serde_json::Value;
use svc_config::Config;
use svc_core::Seconds;
use svc_http::{Fetched, Limits, Outbound, StatusCode};

use super::Patient;
use super::finding::Finding;
use crate::failure::Failure;
use crate::listening;

const CHECK: &str = "issuer";
const READY: &str = "readiness";
const LIMITS: Limits = Limits { time: Seconds(10), bytes: 256 * 1024 };

/// Fetches the discovery document (`OpenID` Connect Discovery §4), and asks for readiness.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let issuer = config.oidc.issuer_url.as_str().trim_end_matches('/');
    let Ok(client) = Outbound::to_this_service(config) else { return Vec::new() };
    let url = format!("{issuer}/.well-known/openid-configuration");
    let found = match client.get(&url, LIMITS).await {
        Ok(found) => discovered(issuer, &found),
        Err(error) => return vec![unreachable(config, &url, &Failure::from(error)).await],
    };
    let ready = client.get(&format!("{issuer}/health/ready"), LIMITS).await;
    let ready = match ready {
        Ok(answer) if answer.status == StatusCode::OK => Finding::ok(READY, "it is ready"),
        _ => Finding::fault(READY, "it is not ready", "look at its log; mend what else is at fault here"),
    };
    vec![found, ready]
}

fn discovered(issuer: &str, found: &Fetched) -> Finding {
    let document: Value = serde_json::from_slice(&found.body).unwrap_or_default();
    match (found.status, document.get("issuer").and_then(Value::as_str)) {
        (StatusCode::OK, Some(own)) if own == issuer => Finding::ok(CHECK, format!("{issuer} answers")),
        (StatusCode::OK, Some(other)) => Finding::fault(
            CHECK,
            format!("the document at {issuer} names the issuer {other}"),
            "another deployment answers there, or the service runs with another oidc.issuer_url: restart it",
        ),
        (StatusCode::MISDIRECTED_REQUEST, _) => Finding::fault(
            CHECK,
            format!("{issuer} answers 421"),
            "add its host to server.allowed_hosts, and pass Host on",
        ),
        (StatusCode::NOT_FOUND, _) => Finding::fault(
            CHECK,
            format!("{issuer} answers 404"),
            "name an active tenant in tenant.default_tenant_slug",
        ),
        (status, _) => {
            Finding::fault(CHECK, format!("{issuer} answers {status}"), "look at what answers there")
        }
    }
}

async fn unreachable(config: &Config, url: &str, failure: &Failure) -> Finding {
    let here = listener(config).await;
    if here.state != super::State::Ok {
        return here;
    }
    Finding::fault(
        CHECK,
        format!("{url} cannot be fetched, although the service listens: {failure}"),
        "look at DNS, firewall and proxy, and whether server.tls.ca_pem_path names the authority of the certificate",
    )
}

/// Whether a process listens where the configuration says.
async fn listener(config: &Config) -> Finding {
    let address = listening::address(config);
    if listening::is_open(address).await {
        return Finding::ok(CHECK, format!("the service listens on {address}"));
    }
    Finding::fault(
        CHECK,
        format!("the service does not listen on {address}"),
        "start it (systemctl start svc-kms svc), and look at its log",
    )
}
