//! `cargo xtask faults`: makes every fault that the tests know many times, on both engines, and writes what was counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use serde_json::Value;

use crate::postgres::{Durability, Postgres};
use crate::test::Engine;
use crate::tools::{self, Need};
use crate::{Result, launch, page, previous, process};

/// Which faults, and how often.
#[derive(Args)]
pub struct Options {
    /// How often each fault is made; those that take seconds each at most 20 times
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The databases
    #[arg(long, value_enum, default_value = "both")]
    engine: Engine,
    /// Only those of this file, such as `killed` or `postgresql`
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// The version that is upgraded from, instead of the commit before the latest migration
    #[arg(long, value_name = "REVISION")]
    previous: Option<String>,
    /// Write the table into docs/reliability.md
    #[arg(long)]
    write: bool,
}

/// The tests that make them, by module.
const TESTS: &str = "process::faults::";
/// Those that stand elsewhere.
const ELSEWHERE: [&str; 5] = [
    "process::migrating::a_migration_that_was_killed",
    "process::outage::",
    "process::wire::a_process_without_file_descriptors",
    "process::wire::headers_without_end",
    "process::wire::slow_senders",
];
/// Where the page has its table.
const MARK: &str = "counted";
/// The module of those that need the program of the version before.
const UPGRADE: &str = "upgrade";
/// The module of those that measure, and need the machine for themselves.
const OVERLOAD: &str = "overload";

/// Runs the tests that make faults; the first that does not hold is the last.
pub fn run(options: &Options) -> Result<()> {
    let file = tempfile::NamedTempFile::new()?;
    let ledger = file.path();
    tools::ensure(&[Need::Redis, Need::Memcached, Need::FakeTime, Need::TlsClients])?;
    let is_upgrading = UPGRADE.contains(&options.only);
    let previous = is_upgrading.then(|| previous::program(options.previous.as_deref())).transpose()?;
    let ground = Ground { options, ledger, previous: previous.as_deref(), postgres: None };
    if options.engine.has_sqlite() {
        ground.make()?;
    }
    if options.engine.has_postgres() {
        tools::ensure(&[Need::Postgres])?;
        let postgres = Postgres::start(Durability::Full)?;
        Ground { postgres: Some(&postgres), ..ground }.make()?;
    }
    let counted = rows(&std::fs::read_to_string(ledger)?)?;
    println!("\n{}", table(&counted));
    if options.write {
        let page = launch::root().join("docs/reliability.md");
        // What was counted before and not made now stays.
        let mut all = written(&page::between(&page, MARK)?);
        all.extend(counted);
        page::put(&page, MARK, &table(&all))?;
    }
    Ok(())
}

/// What the tests of one database start from.
struct Ground<'a> {
    options: &'a Options,
    ledger: &'a Path,
    previous: Option<&'a Path>,
    postgres: Option<&'a Postgres>,
}

impl Ground<'_> {
    fn make(&self) -> Result<()> {
        let (wanted, measured) = (format!("{TESTS}{}", self.options.only), format!("{TESTS}{OVERLOAD}"));
        let elsewhere = ELSEWHERE.into_iter().filter(|test| test.contains(&self.options.only));
        let others: Vec<_> = [wanted.as_str(), "--skip", &measured].into_iter().chain(elsewhere).collect();
        self.run(&others)?;
        if measured.starts_with(&wanted) { self.run(&[&measured]) } else { Ok(()) }
    }

    fn run(&self, filter: &[&str]) -> Result<()> {
        let mut tests = launch::cargo();
        tests.args(["test", "-p", "svc-runtime", "--test", "it", "--"]).args(filter);
        tests.env("SVC_FAULTS_LEDGER", self.ledger);
        tests.env("SVC_FAULTS_ROUNDS", self.options.rounds.to_string());
        if let Some(previous) = self.previous {
            tests.arg("--include-ignored").env("SVC_TEST_PREVIOUS", previous);
        }
        match self.postgres {
            Some(postgres) => tests.env("SVC_TEST_DATABASE_URL", postgres.url("svc")),
            None => tests.env_remove("SVC_TEST_DATABASE_URL"),
        };
        process::run(&mut tests)
    }
}

/// By fault and database: how often it was made, and what was counted.
type Rows = BTreeMap<(String, String), (u64, String)>;

/// The rows of a run.
fn rows(ledger: &str) -> Result<Rows> {
    let mut rows = Rows::new();
    for line in ledger.lines() {
        let line: Value = serde_json::from_str(line)?;
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let counts = line.get("counts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        rows.insert((text("fault"), text("database")), row(counts));
    }
    Ok(rows)
}

/// The rows that a page has.
fn written(table: &str) -> Rows {
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = cells.filter_map(|cells| {
        let [fault, database, made, counted] = cells.split(" | ").collect::<Vec<_>>().try_into().ok()?;
        Some(((fault.to_owned(), database.to_owned()), (made.parse().ok()?, counted.to_owned())))
    });
    rows.collect()
}

/// One row for each fault and database.
fn table(rows: &Rows) -> String {
    let head = format!("{}\n\n| fault | database | made | counted |\n|---|---|--:|---|\n", page::machine());
    rows.iter().fold(head, |mut table, ((fault, database), (made, counted))| {
        let _ = writeln!(table, "| {fault} | {database} | {made} | {counted} |");
        table
    })
}

/// How often, and the rest.
fn row(counts: &[Value]) -> (u64, String) {
    let pairs = counts.iter().filter_map(|pair| Some((pair.get(0)?.as_str()?, pair.get(1)?.as_u64()?)));
    let (made, counted): (Vec<_>, Vec<_>) = pairs.partition(|(what, _)| *what == "times");
    let counted: Vec<String> = counted.iter().map(|(what, number)| format!("{what}: {number}")).collect();
    (made.iter().map(|(_, number)| number).sum(), counted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: &str =
        r#"{"fault":"It is killed","database":"SQLite","counts":[["answered",7],["times",2],["lost",0]]}"#;

    #[test]
    fn a_row_has_the_counts_of_its_fault() {
        let table = table(&rows(LEDGER).unwrap());
        assert!(table.ends_with("| It is killed | SQLite | 2 | answered: 7, lost: 0 |\n"), "{table}");
    }

    #[test]
    fn a_run_of_some_faults_leaves_the_rows_of_the_others() {
        let before = "Machine: x\n\n| fault | database | made | counted |\n|---|---|--:|---|\n\
             | It hangs | SQLite | 9 | lost: 0 |\n| It is killed | SQLite | 1 | answered: 1 |\n";
        let mut all = written(before);
        assert_eq!(all.len(), 2);
        all.extend(rows(LEDGER).unwrap());
        let expected = "|---|---|--:|---|\n| It hangs | SQLite | 9 | lost: 0 |\n\
             | It is killed | SQLite | 2 | answered: 7, lost: 0 |\n";
        assert!(table(&all).ends_with(expected), "{}", table(&all));
    }
}
