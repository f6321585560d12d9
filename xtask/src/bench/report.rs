//! The report: one table per question, as Markdown, with the machine that it was measured on.

mod aims;

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::floor::Bare;
use super::hash::Hash;
use super::load::Run;
use super::workload::Workload;
use crate::Result;
use crate::page::{machine, put};

const MARK: &str = "measured";

/// All that was measured.
pub struct Report {
    is_quick: bool,
    /// Rounds of each workload.
    pub rounds: u8,
    rows: Vec<Row>,
    /// The signature with the empty reply.
    pub floor: Option<Row>,
    /// One signature and one verification.
    pub bare: Option<Bare>,
    /// Bare commits of PostgreSQL.
    pub commits: Vec<Commits>,
    /// What device codes cost that wait for a person.
    pub pending: Vec<PendingMemory>,
    /// What a password hash costs elsewhere.
    pub hash: Option<Hash>,
    /// Token requests alone and while people sign in.
    pub crowded: Vec<Crowded>,
    /// Start and idle memory of each subject.
    pub start_ups: Vec<StartUp>,
}

/// One workload on one subject: the run of the median rate.
pub struct Row {
    workload: Workload,
    subject: String,
    run: Run,
}

/// Commits per second with so many clients.
pub struct Commits {
    /// Clients at once.
    pub clients: usize,
    /// Commits per second.
    pub rate: f64,
}

/// What waiting device codes cost a server.
pub struct PendingMemory {
    /// The subject.
    pub subject: String,
    /// How many waited.
    pub size: usize,
    /// Resident bytes of each.
    pub bytes: f64,
}

/// The slowest hundredth of token requests, in milliseconds.
pub struct Crowded {
    /// The subject.
    pub subject: String,
    /// With nothing else to do.
    pub alone: f64,
    /// While every hashing thread is busy.
    pub among_sign_ins: f64,
}

/// How a subject starts and rests.
pub struct StartUp {
    /// The subject.
    pub name: String,
    /// Start to first answered request.
    pub median: Duration,
    /// Resident MiB before any load.
    pub idle: f64,
    /// Resident KiB of each connection that rests.
    pub connection: f64,
}

impl Row {
    /// Of several runs the one with the median rate.
    pub fn new(workload: Workload, subject: &str, mut runs: Vec<Run>) -> Result<Self> {
        runs.sort_by(|one, other| one.rate.total_cmp(&other.rate));
        let run = runs.get(runs.len() / 2).cloned().ok_or("nothing was measured")?;
        Ok(Self { workload, subject: subject.to_owned(), run })
    }

    /// Operations per CPU second of the server and its database.
    fn per_cpu_second(&self) -> f64 {
        1000.0 / (self.run.cpu.server + self.run.cpu.database).max(1e-6)
    }
}

impl Report {
    /// An empty report.
    pub fn new(is_quick: bool) -> Self {
        Self {
            is_quick,
            rounds: 3,
            rows: Vec::new(),
            floor: None,
            bare: None,
            commits: Vec::new(),
            pending: Vec::new(),
            hash: None,
            crowded: Vec::new(),
            start_ups: Vec::new(),
        }
    }

    /// Adds what one workload showed on one subject.
    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The whole report.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", machine());
        if self.rounds != 3 {
            let _ = writeln!(text, "Rounds of each workload: {}.\n", self.rounds);
        }
        if self.is_quick {
            text.push_str("A quick run: it shows that everything answers rightly; its numbers are not for comparison.\n\n");
        }
        text.push_str(&self.workloads());
        text.extend(self.bare.map(signatures));
        text.extend(self.hash.map(hashes));
        text.push_str(&self.starts());
        text.push_str(&self.aims());
        text
    }

    /// Puts the report between its marks.
    pub fn write(&self, path: &Path) -> Result<()> {
        put(path, MARK, &self.markdown())
    }

    fn workloads(&self) -> String {
        let mut text = String::from(
            "| workload | server | per second | p50 ms | p99 ms | CPU s per 1,000 | of that the database | resident MiB | rate per CPU s ÷ peer's |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for row in self.rows.iter().chain(&self.floor) {
            let run = &row.run;
            let _ = writeln!(
                text,
                "| {} | {} | {:.0} | {:.2} | {:.2} | {:.3} | {:.3} | {:.0} | {} |",
                row.workload.name(),
                row.subject,
                run.rate,
                run.p50,
                run.p99,
                run.cpu.server + run.cpu.database,
                run.cpu.database,
                run.resident,
                self.beside_peer(row).map_or("–".to_owned(), |ratio| format!("{ratio:.1}"))
            );
        }
        text + "\n"
    }

    fn starts(&self) -> String {
        let mut text = String::from(
            "| server | start to first answer, ms (median) | idle memory, MiB | idle connection, KiB |\n|---|--:|--:|--:|\n",
        );
        for start in &self.start_ups {
            let StartUp { name, median, idle, connection } = start;
            let _ = writeln!(text, "| {name} | {} | {idle:.0} | {connection:.1} |", median.as_millis());
        }
        text + "\n"
    }

    fn beside_peer(&self, row: &Row) -> Option<f64> {
        let is_peer =
            |other: &&Row| other.subject.starts_with("oidc-provider") && other.workload == row.workload;
        let peer = self.rows.iter().find(is_peer)?;
        (!std::ptr::eq(peer, row)).then(|| row.per_cpu_second() / peer.per_cpu_second())
    }
}

/// What a `fapi2` flow is made of.
fn signatures(bare: Bare) -> String {
    let per_flow = Workload::FAPI2_SIGNATURES;
    format!(
        "In a fapi2 flow the server makes {} ES256 signatures (access token, ID token) and verifies {} (an assertion and a \
         proof, when the request is pushed and when the code is exchanged). Here a signature costs {:.1} µs of CPU, a \
         verification {:.1} µs, and those of a flow {:.0} µs.\n\n",
        per_flow.made,
        per_flow.verified,
        bare.sign * 1e6,
        bare.verify * 1e6,
        bare.of(&per_flow) * 1e6
    )
}

/// What the hash of a sign-in costs elsewhere.
fn hashes(hash: Hash) -> String {
    format!(
        "A password hash of the same parameters costs {:.1} CPU ms with the vectorized C program `argon2`, {:.1} with the peer's library.\n\n",
        hash.c, hash.peer
    )
}
