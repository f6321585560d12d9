//! What a command prints for the person who started it; logs go elsewhere.

use std::io::{self, Write as _};

/// Prints a result on standard output. A reader that has gone away is no fault of the command.
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
}

/// Prints a complaint on standard error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "svc-runtime: {}", text.trim_end());
}
