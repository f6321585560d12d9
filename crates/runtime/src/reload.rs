//! SIGHUP: takes over what a changed configuration says of limits and logs, and shows what is in the certificate's files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_core::Clock;
use svc_http::{App, Certificates};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;
use crate::{config_file, logging, preflight};

/// What is read again.
pub struct Reloads {
    /// The application, unless its configuration comes from somewhere else than file and environment.
    pub configured: Option<Configured>,
    /// What clients are shown, as far as it comes from files.
    pub certificates: Certificates,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

/// An application, and where its configuration is.
pub struct Configured {
    /// The application.
    pub app: App,
    /// The file that the command named; without one it is looked for as at the start.
    pub file: Option<PathBuf>,
}

/// Begins to listen for the signal.
pub fn hangup() -> Result<Signal, Failure> {
    let hangup = signal(SignalKind::hangup());
    hangup.map_err(|error| Failure::new(format!("signals cannot be received: {error}")))
}

/// Reads again whenever SIGHUP asks for it.
pub async fn on_hangup(mut hangup: Signal, reloads: Reloads) {
    while hangup.recv().await.is_some() {
        reloads.certificates.reload(reloads.clock.now());
        if let Some(Configured { app, file }) = &reloads.configured {
            app.places.reload();
            configuration(app, file.as_deref()).await;
        }
    }
}

/// A configuration that the process would not start with changes nothing.
async fn configuration(app: &App, file: Option<&Path>) {
    let new = match config_file::sources(file) {
        Ok(sources) => preflight::admit_to_serve(&sources.with_provisioned().await).await,
        Err(failure) => Err(failure),
    };
    let new = match new {
        Ok(new) => new,
        Err(failure) => {
            let why = failure.to_string().replace('\n', "; ");
            return tracing::error!("SIGHUP: nothing was taken over: {why}");
        }
    };
    let reload = app.live().reload(&new);
    if reload.taken.iter().any(|key| key == "telemetry.log_filter") {
        logging::refilter(&reload.config.telemetry.log_filter);
    }
    // First: a request that follows the line finds it so.
    app.go_on_with(reload.config);
    tracing::info!(
        taken = reload.taken.join(", "),
        needs_restart = reload.waiting.join(", "),
        "SIGHUP: the configuration was read again"
    );
}
