//! The tables: requests of each kind in every deployment, and what rests in memory.

use std::fmt::Write;
use std::path::Path;

use super::memory::Fact;
use crate::bench::load::Run;
use crate::bench::workload::Workload;
use crate::{Result, page};

const MARK: &str = "deployments";

/// All that was measured.
#[derive(Default)]
pub struct Table {
    /// Kinds of requests in deployments; the first of a kind is what the others are held against.
    pub comparisons: Vec<Comparison>,
    /// Memory.
    pub facts: Vec<Fact>,
}

/// One kind of request in one deployment: the run of the median rate.
pub struct Comparison {
    workload: Workload,
    deployment: &'static str,
    run: Run,
}

impl Comparison {
    /// Of several runs.
    pub fn new(workload: Workload, deployment: &'static str, mut runs: Vec<Run>) -> Result<Self> {
        runs.sort_by(|one, other| one.rate.total_cmp(&other.rate));
        let run = runs.get(runs.len() / 2).cloned().ok_or("nothing was measured")?;
        Ok(Self { workload, deployment, run })
    }

    /// CPU milliseconds of one request, servers and database together.
    fn cost(&self) -> f64 {
        self.run.cpu.server + self.run.cpu.database
    }
}

impl Table {
    /// The tables.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", page::machine());
        text.push_str("| | deployment | requests/s | p99 ms | CPU ms of the servers | of the database | CPU of the first |\n");
        text.push_str("|---|---|--:|--:|--:|--:|--:|\n");
        for one in &self.comparisons {
            let first = self
                .comparisons
                .iter()
                .find(|other| other.workload == one.workload)
                .map_or(0.0, Comparison::cost);
            let _ = writeln!(
                text,
                "| {} | {} | {:.0} | {:.2} | {:.3} | {:.3} | × {:.2} |",
                one.workload.name(),
                one.deployment,
                one.run.rate,
                one.run.p99,
                one.run.cpu.server,
                one.run.cpu.database,
                one.cost() / first.max(1e-9)
            );
        }
        text.push_str("\n| | |\n|---|--:|\n");
        for fact in &self.facts {
            let _ = writeln!(text, "| {} | {:.1} |", fact.what, fact.value);
        }
        text
    }

    /// Puts them between their marks.
    pub fn write(&self, path: &Path) -> Result<()> {
        page::put(path, MARK, &self.markdown())
    }
}
