//! Log lines on standard error: text for people or JSON for machines, filtered by `RUST_LOG` or `[telemetry]`.

use std::io::{self, IsTerminal as _};

use svc_config::{LogFormat, Telemetry};
use tracing_subscriber::EnvFilter;

/// Starts logging; `filter` stands in for the configured one. A second call changes nothing.
pub fn start(telemetry: &Telemetry, filter: Option<&str>) {
    let configured = filter.unwrap_or(&telemetry.log_filter);
    let filter = EnvFilter::try_from_default_env()
        .or_else(|_| EnvFilter::try_new(configured))
        .unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let _ = match telemetry.log_format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
