//! Steps with a visible beginning, end and time; the first failure is the last.

use std::time::{Duration, Instant};

use crate::Result;

/// The step that the others need.
pub const SET_UP: &str = "set-up";

/// The steps of a run, and how far it came.
pub struct Steps {
    only: Option<String>,
    passed: usize,
    skipped: Vec<String>,
    started: Instant,
}

impl Steps {
    /// All steps, or those whose name contains a text.
    pub fn new(only: Option<String>) -> Self {
        Self { only, passed: 0, skipped: Vec::new(), started: Instant::now() }
    }

    /// Does a step, with its name and time around its output.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        if !self.wants(name) {
            return Ok(());
        }
        println!("\n==> {name}");
        let started = Instant::now();
        work().map_err(|error| format!("`{name}` failed after {} steps passed: {error}", self.passed))?;
        self.passed += 1;
        println!("<== {name}: passed in {}", shown(started.elapsed()));
        Ok(())
    }

    /// Says that a step cannot be done here.
    pub fn skip(&mut self, name: &str, why: &str) {
        if self.wants(name) {
            println!("\n==> {name}\n<== {name}: skipped: {why}");
            self.skipped.push(name.to_owned());
        }
    }

    /// Whether a step is to be done; what is needed for the others always is.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()) || name == SET_UP)
    }

    /// The last line of a run that passed.
    pub fn close(self) -> Result<()> {
        if let Some(only) = self.only.filter(|_| self.passed <= 1 && self.skipped.is_empty()) {
            return Err(format!("no step of this run has `{only}` in its name").into());
        }
        let skipped = match self.skipped.as_slice() {
            [] => String::new(),
            names => format!(" (skipped: {})", names.join(", ")),
        };
        println!("\nxtask test: {} steps passed in {}{skipped}", self.passed, shown(self.started.elapsed()));
        Ok(())
    }
}

fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1}s", time.as_secs_f64())
    } else {
        format!("{}m{:02}s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_a_person_reads_them() {
        assert_eq!(shown(Duration::from_millis(1540)), "1.5s");
        assert_eq!(shown(Duration::from_secs(723)), "12m03s");
    }

    #[test]
    fn a_filter_that_fits_no_step_is_a_failure() {
        let mut steps = Steps::new(Some("no-such-step".to_owned()));
        steps.step(SET_UP, || Ok(())).unwrap();
        steps.step("clippy", || Err("never run".into())).unwrap();
        assert!(steps.close().is_err());
    }

    #[test]
    fn a_failed_step_names_itself_and_the_reason() {
        let mut steps = Steps { passed: 3, ..Steps::new(None) };
        let error = steps.step("clippy", || Err("a lint".into())).unwrap_err().to_string();
        assert_eq!(error, "`clippy` failed after 3 steps passed: a lint");
    }
}
