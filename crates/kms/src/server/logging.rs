//! Log lines on standard error: text for people or JSON for machines, filtered by `RUST_LOG`.

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

/// What a line of the log is.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LogFormat {
    /// Text, for people.
    Text,
    /// A JSON object, as `svc-runtime` writes it in production.
    Json,
}

/// Starts logging.
pub fn start(format: LogFormat) {
    // Tools leave the variable behind empty, and an empty filter would hide all but errors.
    let named = std::env::var(EnvFilter::DEFAULT_ENV).ok().filter(|text| !text.trim().is_empty());
    let filter = named.and_then(|text| EnvFilter::try_new(text).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt()
        // Its own remark on a line that cannot be written, where the disk of the log is full, would be a panic.
        .log_internal_errors(false)
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false);
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
