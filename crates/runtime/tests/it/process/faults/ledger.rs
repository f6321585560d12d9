//! What a fault did, in numbers: a line of JSON for each fault in the file that `SVC_FAULTS_LEDGER` names.

use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::json;

use crate::harness::database::postgres_url;

/// The counts of one fault; written when it is dropped, unless the test has failed.
pub struct Ledger {
    fault: &'static str,
    counts: Vec<(&'static str, u64)>,
}

impl Ledger {
    /// Begins to count.
    pub fn of(fault: &'static str) -> Self {
        Self { fault, counts: Vec::new() }
    }

    /// Adds to a count.
    pub fn add(&mut self, what: &'static str, number: usize) {
        let number = u64::try_from(number).unwrap();
        match self.counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += number,
            None => self.counts.push((what, number)),
        }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        let Ok(path) = std::env::var("SVC_FAULTS_LEDGER") else { return };
        if std::thread::panicking() {
            return;
        }
        let database = if postgres_url().is_some() { "PostgreSQL" } else { "SQLite" };
        let line = json!({ "fault": self.fault, "database": database, "counts": self.counts });
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// How often a fault is made: `usual` times, or as often as `cargo xtask faults` says.
pub fn rounds(usual: usize) -> usize {
    std::env::var("SVC_FAULTS_ROUNDS").map_or(usual, |rounds| rounds.parse().unwrap())
}
