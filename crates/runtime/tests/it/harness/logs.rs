//! What was logged during one test; each test runs on a thread of its own.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt as _;

/// The lines of this thread: errors of every crate, everything down to `debug` of ours, and in which no secret may be: all of
/// ours, with the fields of each span, and the warnings of others.
pub struct Logs {
    errors: Lines,
    ours: Lines,
    whole: Lines,
    expected: Mutex<Vec<String>>,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Begins to listen.
    pub fn capture() -> Self {
        let (errors, ours, whole) = (Lines::default(), Lines::default(), Lines::default());
        let layer = |lines: &Lines| {
            tracing_subscriber::fmt::layer().with_ansi(false).without_time().with_writer(lines.clone())
        };
        let of_ours = Targets::new().with_target("svc", Level::DEBUG);
        let of_all = Targets::new().with_target("svc", Level::TRACE).with_default(Level::WARN);
        let with_spans = layer(&whole).with_span_events(FmtSpan::NEW | FmtSpan::CLOSE);
        let subscriber = tracing_subscriber::registry().with(vec![
            layer(&errors).with_filter(LevelFilter::ERROR).boxed(),
            layer(&ours).with_filter(of_ours).boxed(),
            with_spans.with_filter(of_all).boxed(),
        ]);
        Self {
            errors,
            ours,
            whole,
            expected: Mutex::default(),
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// A line with this text is part of the test.
    pub fn expect(&self, text: &str) {
        self.expected.lock().unwrap().push(text.to_owned());
    }

    /// Errors that were not expected.
    pub fn unexpected(&self) -> Vec<String> {
        let expected = self.expected.lock().unwrap();
        let is_expected = |line: &&str| expected.iter().any(|text| line.contains(text.as_str()));
        self.errors.text().lines().filter(|line| !is_expected(line)).map(str::to_owned).collect()
    }

    /// Everything in which no secret may be.
    pub fn whole(&self) -> String {
        self.whole.text()
    }

    /// What our crates have told.
    pub fn ours(&self) -> String {
        self.ours.text()
    }
}

impl Lines {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
