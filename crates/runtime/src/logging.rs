//! Log lines on standard error: text for people or JSON for machines, filtered by `RUST_LOG` or `[telemetry]`.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;

use svc_config::{Config, LogFormat};
use svc_http::current_request;
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::reload::Error;

/// What development shows: each request, each mail, each sign-in.
pub const DEVELOPMENT: &str = "info,svc::request=debug,tokio_postgres=error";

/// Libraries whose own remarks are for those who work on them.
const CHATTY: &[&str] = &["h2", "hyper", "hyper_util", "reqwest", "rustls", "tokio_postgres"];

/// The member of a line that says during which request it was written.
const REQUEST_ID: &str = "request_id";

/// How members begin that the crate `log` adds to lines of libraries: the target, which every line has, and the place in their code.
const BRIDGE: &str = "log.";

/// Lines that say during which request they were written, whatever wrote them.
struct Told<F> {
    line: F,
    /// Adds the request's id to a line.
    tell: fn(&mut String, &str),
    /// Takes the members of the bridge out of a line.
    unbridge: fn(&mut String),
}

impl<S, N, F> FormatEvent<S, N> for Told<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let fields = event.metadata().fields();
        let request = current_request().filter(|_| fields.field(REQUEST_ID).is_none());
        let is_bridged = fields.iter().any(|field| field.name().starts_with(BRIDGE));
        if request.is_none() && !is_bridged {
            return self.line.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.line.format_event(context, Writer::new(&mut line), event)?;
        line.truncate(line.trim_end_matches('\n').len());
        if is_bridged {
            (self.unbridge)(&mut line);
        }
        if let Some(request) = request {
            (self.tell)(&mut line, &request.request_id);
        }
        writeln!(writer, "{line}")
    }
}

impl<F> Told<F> {
    fn in_text(line: F) -> Self {
        // Text leaves the members of the bridge out by itself.
        Self { line, tell: in_text, unbridge: |_| () }
    }

    fn in_json(line: F) -> Self {
        Self { line, tell: in_json, unbridge: unbridged }
    }
}

fn unbridged(line: &mut String) {
    if let Ok(mut members) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line) {
        members.retain(|name, _| !name.starts_with(BRIDGE));
        *line = serde_json::Value::Object(members).to_string();
    }
}

// An id of a request is letters, digits, `.`, `_` and `-`: nothing of it needs to be escaped.

fn in_text(line: &mut String, id: &str) {
    let _ = write!(line, " {REQUEST_ID}=\"{id}\"");
}

fn in_json(line: &mut String, id: &str) {
    // Its last letter ends the object.
    line.pop();
    let _ = write!(line, ",\"{REQUEST_ID}\":\"{id}\"}}");
}

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
    let filter = chosen(of_environment().as_deref(), filter.unwrap_or(&telemetry.log_filter));
    // Its own remark on a line that cannot be written, where the disk of the log is full, would be a panic.
    let lines = tracing_subscriber::fmt().log_internal_errors(false);
    let lines = lines.with_env_filter(filter).with_writer(io::stderr);
    let _ = if is_json(telemetry.log_format, config.security.production) {
        let lines = lines.json().flatten_event(true);
        let lines = lines.map_event_format(Told::in_json).with_filter_reloading();
        let handle = lines.reload_handle();
        let _ = REFILTER.set(Box::new(move |filter| handle.reload(filter)));
        lines.try_init()
    } else {
        let is_coloured = io::stderr().is_terminal();
        let lines = lines.with_ansi(is_coloured);
        let lines = lines.map_event_format(|line| Told::in_text(line.with_ansi(is_coloured)));
        let lines = lines.with_filter_reloading();
        let handle = lines.reload_handle();
        let _ = REFILTER.set(Box::new(move |filter| handle.reload(filter)));
        lines.try_init()
    };
}

/// What `RUST_LOG` says. Tools leave it behind empty, and an empty filter would hide all but errors.
fn of_environment() -> Option<String> {
    std::env::var(EnvFilter::DEFAULT_ENV).ok().filter(|text| !text.trim().is_empty())
}

/// The filter of the environment, or else the configured one.
fn chosen(environment: Option<&str>, configured: &str) -> EnvFilter {
    let first = environment.and_then(|text| EnvFilter::try_new(text).ok());
    first
        .unwrap_or_else(|| EnvFilter::try_new(quieted(configured)).unwrap_or_else(|_| EnvFilter::new("info")))
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
    if of_environment().is_some() {
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
    use std::sync::{Arc, Mutex};

    use svc_http::{Arrival, during};
    use tracing::subscriber::with_default;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is written in and outside of a request.
    fn written(subscriber: impl Subscriber + Send + Sync + 'static, lines: &Lines) -> Vec<String> {
        let mut arrival = Arrival::default();
        arrival.request_id.push_str("r-1");
        let request = during(Arc::new(arrival), async {
            tracing::warn!(number = 1, "inside");
            tracing::warn!(request_id = "r-2", "itself");
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        with_default(subscriber, || {
            runtime.block_on(request);
            tracing::warn!("outside");
        });
        let written = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        written.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_says_once_during_which_request_it_was_written() {
        let lines = Lines::default();
        let writer = lines.clone();
        let text = tracing_subscriber::fmt().with_writer(move || writer.clone()).with_ansi(false);
        let text = text.map_event_format(|line| Told::in_text(line.with_ansi(false)));
        let [inside, itself, outside] = written(text.finish(), &lines).try_into().unwrap();
        assert!(inside.ends_with(r#"inside number=1 request_id="r-1""#), "{inside}");
        assert!(itself.ends_with(r#"itself request_id="r-2""#), "{itself}");
        assert!(outside.ends_with("outside"), "{outside}");

        let lines = Lines::default();
        let writer = lines.clone();
        let json = tracing_subscriber::fmt().with_writer(move || writer.clone()).json().flatten_event(true);
        let json = json.map_event_format(Told::in_json);
        let told = written(json.finish(), &lines).into_iter().map(|line| {
            let line: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(line["level"], "WARN");
            line["request_id"].as_str().map(str::to_owned)
        });
        let expected = [Some("r-1".to_owned()), Some("r-2".to_owned()), None];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_line_through_the_crate_log_has_the_members_of_every_other_line() {
        let bridged = || tracing::warn!(log.target = "redis", log.file = "/build/a.rs", log.line = 7, "lost");
        let lines = Lines::default();
        let writer = lines.clone();
        let json = tracing_subscriber::fmt().with_writer(move || writer.clone()).json().flatten_event(true);
        with_default(json.map_event_format(Told::in_json).finish(), bridged);
        let written = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let line: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&written).unwrap();
        let mut names: Vec<_> = line.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["level", "message", "target", "timestamp"], "{written}");

        let lines = Lines::default();
        let writer = lines.clone();
        let text = tracing_subscriber::fmt().with_writer(move || writer.clone()).with_ansi(false);
        let text = text.map_event_format(|line| Told::in_text(line.with_ansi(false)));
        with_default(text.finish(), bridged);
        let written = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert!(written.ends_with(" lost\n") && !written.contains("/build"), "{written}");
    }

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
