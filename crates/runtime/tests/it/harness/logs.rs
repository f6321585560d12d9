//! What was logged as an error during one test; each test runs on a thread of its own.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::Level;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

/// The error lines of this thread.
pub struct Logs {
    lines: Lines,
    expected: Mutex<Vec<String>>,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Logs {
    /// Begins to listen.
    pub fn capture() -> Self {
        let lines = Lines::default();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(Level::ERROR)
            .with_ansi(false)
            .without_time()
            .with_writer(lines.clone())
            .finish();
        Self { lines, expected: Mutex::default(), _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// A line with this text is part of the test.
    pub fn expect(&self, text: &str) {
        self.expected.lock().unwrap().push(text.to_owned());
    }

    /// Lines that were not expected.
    pub fn unexpected(&self) -> Vec<String> {
        let expected = self.expected.lock().unwrap();
        let bytes = self.lines.0.lock().unwrap().clone();
        let is_expected = |line: &&str| expected.iter().any(|text| line.contains(text.as_str()));
        String::from_utf8_lossy(&bytes).lines().filter(|line| !is_expected(line)).map(str::to_owned).collect()
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
