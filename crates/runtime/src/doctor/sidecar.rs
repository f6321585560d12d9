//! `svc-kms`, or the keyring in its place.

use svc_keys::kms::Sidecar;
use svc_keys::owner_only;

use super::Patient;
use super::finding::Finding;
use crate::{keyring, kms};

const CHECK: &str = "keys";

/// Whether the keys of the deployment can be used.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let place = keyring::place(config);
    let Some(settings) = kms::settings(&config.kms) else { return vec![keyring(patient, &place)] };
    if let Some(fault) = kms::fault(&config.kms).await {
        return vec![Finding::fault(CHECK, fault.what, fault.fix)];
    }
    let look = match Sidecar::connect(settings).await {
        Ok(sidecar) => sidecar.look().await.map(drop),
        Err(trouble) => Err(trouble),
    };
    vec![match look {
        Ok(()) => Finding::ok(CHECK, place),
        Err(trouble) => {
            Finding::fault(CHECK, trouble.to_string(), "look at the log of svc-kms, and restart it")
        }
    }]
}

fn keyring(patient: &Patient, place: &str) -> Finding {
    let Some(path) = patient.config.keyring_path() else { return Finding::ok(CHECK, place) };
    let shown = path.display();
    match owner_only::read(&path) {
        Ok(Some(_)) => Finding::ok(CHECK, place),
        Ok(None) => Finding::fault(
            CHECK,
            format!("{place} is not there"),
            format!(
                "restore it from the backup that belongs to the database; for a new deployment, `svc-runtime keyring init \
                 --path {shown}`"
            ),
        ),
        Err(error) => {
            Finding::fault(CHECK, format!("{place} cannot be used: {error}"), format!("chmod 600 {shown}"))
        }
    }
}
