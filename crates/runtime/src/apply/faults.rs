//! What is wrong with what a file says, by the rules of the service: every fault at once, with its line.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// Where a table of the file is, and the keys in it.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The line of the table.
    pub line: usize,
    /// The lines of its keys, also of those in tables within it.
    pub keys: BTreeMap<String, usize>,
}

impl Written {
    /// The line that a fault is about: its text begins with the key.
    fn line_of(&self, fault: &str) -> usize {
        let key = fault.split([':', '.', '[']).next().unwrap_or_default();
        self.keys.get(key).copied().unwrap_or(self.line)
    }
}

/// The faults so far.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<(usize, String)>);

impl Faults {
    /// Keeps what `done` failed with, if that is a fault of the file, to be told with the others; anything else ends the run.
    pub(super) fn note<T>(
        &mut self,
        written: &Written,
        place: &str,
        done: Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        match done {
            Ok(value) => Ok(Some(value)),
            Err(failure) => {
                for fault in failure.faults() {
                    self.0.push((written.line_of(fault), format!("{place}: {fault}")));
                }
                if failure.is_of_input() { Ok(None) } else { Err(self.told()) }
            }
        }
    }

    /// Refuses the file if there are any.
    pub(super) fn refuse(mut self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(self.told()) }
    }

    /// All of them in the order of the file.
    fn told(&mut self) -> Failure {
        self.0.sort();
        self.0.dedup();
        let lines: Vec<_> = self.0.drain(..).map(|(line, fault)| format!("line {line}: {fault}")).collect();
        Failure::new(lines.join("\n"))
    }
}
