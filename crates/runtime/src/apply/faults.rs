//! What is wrong with what a file says, by the rules of the service: every fault at once, with its line.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// Where a table of the file is, and the keys in it.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The line of the table.
    pub line: usize,
    /// The lines of its keys by their dotted paths, and of those in tables within it also by their names alone.
    pub keys: BTreeMap<String, usize>,
}

impl Written {
    /// The line that a fault is about: its text begins with the path of a key, or of what is within one.
    fn line_of(&self, fault: &str) -> usize {
        let mut path = fault.split([':', '[']).next().unwrap_or_default();
        loop {
            if let Some(line) = self.keys.get(path) {
                return *line;
            }
            let Some((outer, _)) = path.rsplit_once('.') else { return self.line };
            path = outer;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_at_the_line_of_the_innermost_key_that_it_names() {
        let keys = [("people", 4), ("people.roles", 6), ("roles", 6), ("accent", 8)];
        let keys = BTreeMap::from(keys.map(|(path, line)| (path.to_owned(), line)));
        let written = Written { line: 1, keys };
        for (fault, line) in [
            ("people.roles: no role is \"staff\"", 6),
            ("people.groups: there is no group \"staff\"", 4),
            ("people: say `everyone`", 4),
            ("accent: write a colour as #rrggbb", 8),
            ("roles[1]: no", 6),
            ("give secret or secret_env. Not both", 1),
        ] {
            assert_eq!(written.line_of(fault), line, "{fault}");
        }
    }
}
