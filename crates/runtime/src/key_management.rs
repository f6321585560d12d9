//! The rule of `[kms]`: where key management is configured, keys never live in this process without it.

use std::path::Path;

use svc_config::Config;
use tokio::net::UnixStream;

use crate::failure::Failure;

/// Refuses to start unless the configured key-management process can be used.
///
/// This version speaks no protocol to it, so that a configured one always refuses: falling back to keys in memory would
/// silently undo what the operator asked for.
pub async fn check(config: &Config) -> Result<(), Failure> {
    match &config.kms.socket_path {
        Some(socket) if config.kms.is_configured() => Err(refusal(socket).await),
        _ => Ok(()),
    }
}

async fn refusal(socket: &Path) -> Failure {
    let path = socket.display();
    Failure::new(match UnixStream::connect(socket).await {
        Err(error) => {
            format!("kms: svc-kms is not reachable at {path}: {error}; start it before svc-runtime")
        }
        Ok(_) => format!(
            "kms: what listens at {path} cannot be used, because this version of svc-runtime has no client for svc-kms; \
             remove [kms] outside production"
        ),
    })
}
