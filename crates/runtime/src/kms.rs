//! `svc-kms` as `[kms]` names it, and what to do when it cannot be used.

use std::path::Path;
use std::time::Duration;

use svc_config::{Config, Fault, Kms};
use svc_core::Secret;
use svc_keys::kms::{Settings, Sidecar, Trouble};

use crate::database;

/// How long a starting process waits between two looks for the socket.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How to reach it, where it is configured.
pub fn settings(kms: &Kms) -> Option<Settings> {
    Some(Settings {
        socket: kms.socket_path.clone()?,
        server_public_key: kms.server_public_key_path.clone()?,
        client_private_key: kms.client_private_key_path.clone()?,
    })
}

/// Waits until it can be reached, for as long as `kms.start_timeout_secs` says: both processes may be started at once.
pub async fn awaited(config: &Config) {
    let Some(settings) = settings(&config.kms) else { return };
    let reached = async {
        while let Err(Trouble::Unreachable(..)) = Sidecar::connect(settings.clone()).await {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    // What is wrong after that, the checks of the start report.
    let _ = tokio::time::timeout(database::span(config.kms.start_timeout_secs), reached).await;
}

/// What keeps it from being used now.
pub async fn fault(kms: &Kms) -> Option<Fault> {
    let settings = settings(kms)?;
    let trouble = Sidecar::connect(settings.clone()).await.err()?;
    let (key, fix) = remedy(&trouble, &settings);
    Some(Fault::new(key, trouble.to_string(), fix))
}

/// The secrets of the configuration that it holds; none where it cannot be asked, which the checks of the start report.
pub async fn provisioned(config: &Config) -> Vec<(String, Secret)> {
    let Some(settings) = settings(&config.kms) else { return Vec::new() };
    let Ok(sidecar) = Sidecar::connect(settings).await else { return Vec::new() };
    let mut held = Vec::new();
    for key in config.absent_secrets() {
        if let Ok(Some(secret)) = sidecar.secret(key).await {
            held.push((key.to_owned(), secret));
        }
    }
    held
}

/// The key to mend, and how.
fn remedy(trouble: &Trouble, settings: &Settings) -> (&'static str, String) {
    let is_server_key = |path: &Path| path == settings.server_public_key;
    match trouble {
        Trouble::Unreachable(path, _) => {
            ("kms", format!("start it before svc-runtime: `svc-kms serve --socket {}`", path.display()))
        }
        Trouble::KeyFile(path, _) if is_server_key(path) => {
            ("kms.server_public_key_path", "name the server.pub that `svc-kms init` wrote".to_owned())
        }
        Trouble::KeyFile(..) => {
            ("kms.client_private_key_path", "name the client.key that `svc-kms init` wrote".to_owned())
        }
        Trouble::ServerKey(_) => (
            "kms.server_public_key_path",
            "name the server.pub that belongs to the keys.sealed of the running svc-kms".to_owned(),
        ),
        Trouble::ClientKey(_) => (
            "kms.client_private_key_path",
            "name the client.key that belongs to the keys.sealed of the running svc-kms".to_owned(),
        ),
        Trouble::Refused(_) => ("kms", "run svc-kms and svc-runtime of the same version".to_owned()),
    }
}
