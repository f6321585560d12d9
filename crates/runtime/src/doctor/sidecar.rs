//! `svc-kms`, or the keyring in its place.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::Path;

use svc_keys::keyring::Versions;
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
    let Some(settings) = kms::settings(&config.kms) else {
        let held = config.keyring_path().map(|path| keyring(&path, &place));
        return vec![held.unwrap_or_else(|| Finding::ok(CHECK, place))];
    };
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

/// A file that is there, is for its owner, and holds a keyring.
fn keyring(path: &Path, place: &str) -> Finding {
    let shown = path.display();
    let unusable =
        |why: &dyn Display, fix: String| Finding::fault(CHECK, format!("{place} cannot be used: {why}"), fix);
    let restore = "restore it from the backup that belongs to the database";
    match owner_only::read(path).map(|text| text.map(|text| Versions::from_text(&text))) {
        Ok(Some(Ok(_))) => Finding::ok(CHECK, place),
        Ok(Some(Err(error))) => unusable(&error.detail(), restore.to_owned()),
        Ok(None) => Finding::fault(
            CHECK,
            format!("{place} is not there"),
            format!("{restore}; for a new deployment, `svc-runtime keyring init --path {shown}`"),
        ),
        Err(error) => {
            let fix = match error.kind() {
                ErrorKind::Other => format!("chmod 600 {shown}"),
                ErrorKind::PermissionDenied => {
                    format!("let the user of the service own {shown}, and be that user here")
                }
                _ => restore.to_owned(),
            };
            unusable(&error, fix)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt as _;

    use svc_core::Timestamp;
    use svc_keys::SystemEntropy;
    use svc_keys::keyring::file;

    use super::super::finding::State;
    use super::*;

    #[test]
    fn a_keyring_is_well_only_where_the_service_would_start_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keyring.json");
        let told = || keyring(&path, "the keyring").to_string();
        assert!(told().contains("is not there") && told().contains("keyring init --path"), "{}", told());
        file::create(&path, &Versions::first(&SystemEntropy, Timestamp::from_secs(1_800_000_000))).unwrap();
        assert_eq!(keyring(&path, "the keyring").state, State::Ok);
        set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert!(told().contains("other users may read it") && told().contains("chmod 600 "), "{}", told());
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        write(&path, "{}").unwrap();
        assert!(told().contains("is not a keyring") && told().contains("restore it from"), "{}", told());
    }
}
