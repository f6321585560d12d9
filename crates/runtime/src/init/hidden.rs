//! A terminal that does not show what is typed.

use std::io::{Write as _, stderr, stdin};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

/// As shells say that Ctrl-C has ended a command.
const INTERRUPTED: i32 = 130;

/// Lasts until it is dropped, or Ctrl-C ends the process.
pub struct Hidden {
    before: Termios,
}

impl Hidden {
    /// Hides what is typed into standard input; nothing where that is no terminal that can, or that Ctrl-C would leave so.
    pub fn input() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
        restore_when_interrupted(before.clone())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Now, &silent).ok()?;
        Some(Self { before })
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// Has Ctrl-C end the process from here on, after the terminal is as it was: the signal alone would end it with no value dropped.
fn restore_when_interrupted(before: Termios) -> Option<()> {
    let runtime = Handle::try_current().ok()?;
    let mut interrupt = signal(SignalKind::interrupt()).ok()?;
    runtime.spawn(async move {
        interrupt.recv().await;
        let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
        // The question is still without the end of its line.
        let _ = writeln!(stderr());
        std::process::exit(INTERRUPTED);
    });
    Some(())
}
