//! `verify` and `health`: what is in the file, and whether a running process is well.

use svc_core::{Clock as _, SystemClock, Timestamp};
use svc_keys::Versions;
use svc_keys::keyring::Fingerprint;
use svc_keys::kms::{Settings, Sidecar};

use crate::cli::Place;
use crate::failure::{Failure, say};
use crate::sealed_file::SealedFile;

/// Shows what may be known of a file.
pub fn verify(place: &Place) -> Result<(), Failure> {
    let file = SealedFile::of(&place.dir);
    let content = file.open(&place.opening.opener()?)?;
    content.server()?;
    content.client()?;
    let names: Vec<_> = content.secrets.keys().map(String::as_str).collect();
    let secrets = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    say(&format!(
        "{} opens.\n{}\n  secrets: {secrets}",
        file.path().display(),
        shown(&content.root()?, SystemClock.now())
    ));
    Ok(())
}

/// Asks a running process.
pub async fn health(settings: Settings) -> Result<(), Failure> {
    let socket = settings.socket.clone();
    let sidecar = Sidecar::connect(settings).await.map_err(|trouble| Failure::new(trouble.to_string()))?;
    sidecar.look().await.map_err(|trouble| Failure::new(trouble.to_string()))?;
    let versions = sidecar.keyring().versions();
    say(&format!("svc-kms at {} is well.\n{}", socket.display(), shown(&versions, SystemClock.now())));
    Ok(())
}

/// Versions and fingerprints, a line each.
pub fn shown(versions: &Versions, now: Timestamp) -> String {
    let prints = versions.fingerprints();
    let seals = prints.iter().rev().find(|print| print.seals_from <= now).map(|print| print.id);
    let line = |print: &Fingerprint| {
        let mark = if Some(print.id) == seals { "  (seals)" } else { "" };
        format!("  version {}  {}  from {}{mark}", print.id, print.digest, print.seals_from)
    };
    prints.iter().map(line).collect::<Vec<_>>().join("\n")
}
