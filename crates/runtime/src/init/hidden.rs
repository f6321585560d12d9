//! A terminal that does not show what is typed.

use std::io::stdin;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Lasts until it is dropped.
pub struct Hidden {
    before: Termios,
}

impl Hidden {
    /// Hides what is typed into standard input; nothing where that is no terminal that can.
    pub fn input() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
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
