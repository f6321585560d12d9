//! What a command prints for the person who started it; logs go elsewhere.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a result could not be written, as where the disk of its file is full.
static IS_CUT_SHORT: AtomicBool = AtomicBool::new(false);

/// Prints a result on standard output.
pub fn say(text: &str) {
    if let Err(error) = print(&mut io::stdout().lock(), text) {
        complain(&format!("standard output: the result could not be written: {error}"));
        IS_CUT_SHORT.store(true, Ordering::Relaxed);
    }
}

/// Whether all that was said is where it was to go.
pub fn is_all_said() -> bool {
    !IS_CUT_SHORT.load(Ordering::Relaxed)
}

/// A reader that has gone away is no fault of the command.
fn print(out: &mut impl Write, text: &str) -> io::Result<()> {
    match writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Prints a complaint on standard error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "svc-runtime: {}", text.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes nothing.
    struct Unwritable(ErrorKind);

    impl Write for Unwritable {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_a_fault_and_a_reader_that_has_gone_away_is_none() {
        assert!(print(&mut Unwritable(ErrorKind::StorageFull), "text").is_err());
        assert!(print(&mut Unwritable(ErrorKind::BrokenPipe), "text").is_ok());
    }
}
