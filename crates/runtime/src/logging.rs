//! Log lines on standard error: text for people or JSON for machines, filtered by `RUST_LOG` or `[telemetry]`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;

use svc_config::{Config, LogFormat};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::reload::Error;

/// What development shows: each request, each mail, each sign-in.
pub const DEVELOPMENT: &str = "info,svc::request=debug,tokio_postgres=error";

/// Libraries whose own remarks are for those who work on them.
const CHATTY: &[&str] = &["h2", "hyper", "hyper_util", "reqwest", "rustls", "tokio_postgres"];

/// Puts another filter in the place of the present one.
type Refilter = Box<dyn Fn(EnvFilter) -> Result<(), Error> + Send + Sync>;

static REFILTER: OnceLock<Refilter> = OnceLock::new();

/// Whether a text is a filter.
pub fn is_filter(text: &str) -> bool {
    EnvFilter::try_new(text).is_ok()
}

/// Starts logging; `filter` stands in for the configured one. A second call changes nothing.
pub fn start(config: &Config, filter: Option<&str>) {
    let telemetry = &config.telemetry;
    let configured = quieted(filter.unwrap_or(&telemetry.log_filter));
    let filter = EnvFilter::try_from_default_env()
        .or_else(|_| EnvFilter::try_new(configured))
        .unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let _ = if is_json(telemetry.log_format, config.security.production) {
        let lines = lines.json().flatten_event(true).with_filter_reloading();
        let handle = lines.reload_handle();
        let _ = REFILTER.set(Box::new(move |filter| handle.reload(filter)));
        lines.try_init()
    } else {
        let lines = lines.with_ansi(io::stderr().is_terminal()).with_filter_reloading();
        let handle = lines.reload_handle();
        let _ = REFILTER.set(Box::new(move |filter| handle.reload(filter)));
        lines.try_init()
    };
}

fn is_json(format: LogFormat, is_production: bool) -> bool {
    match format {
        LogFormat::Auto => is_production,
        LogFormat::Text => false,
        LogFormat::Json => true,
    }
}

/// Filters by another text from now on; `RUST_LOG`, where it is set, stays above it.
pub fn refilter(filter: &str) {
    if std::env::var_os(EnvFilter::DEFAULT_ENV).is_some() {
        return tracing::warn!("telemetry.log_filter has no effect, because RUST_LOG is set");
    }
    let outcome = REFILTER.get().zip(EnvFilter::try_new(quieted(filter)).ok());
    if let Some(Err(error)) = outcome.map(|(refilter, filter)| refilter(filter)) {
        tracing::error!(error = %error, "the filter of the log stays as it is");
    }
}

/// The filter, with warnings only of libraries that it does not mention.
fn quieted(filter: &str) -> String {
    let mut quieted = filter.to_owned();
    for library in CHATTY.iter().filter(|library| !filter.contains(**library)) {
        let _ = write!(quieted, ",{library}=warn");
    }
    quieted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_json_in_production_unless_the_configuration_says_otherwise() {
        assert!(is_json(LogFormat::Auto, true) && !is_json(LogFormat::Auto, false));
        assert!(is_json(LogFormat::Json, false) && !is_json(LogFormat::Text, true));
    }

    #[test]
    fn a_filter_that_mentions_a_library_decides_for_it() {
        assert!(quieted("info").contains(",tokio_postgres=warn") && is_filter(&quieted("info")));
        assert!(!quieted("info,tokio_postgres=debug").contains("tokio_postgres=warn"));
        assert!(is_filter(&quieted(DEVELOPMENT)) && !is_filter("info,="));
    }
}
