//! `cargo xtask bench --deliveries`: how fast a backlog of events reaches its receivers, and whether one that hangs delays others.

mod backlog;
mod receiver;
mod steady;
mod subscriber;

use std::path::Path;

use super::Options;
use super::meter::Meter;
use super::subject::{DATABASE, POSTGRES, SQLITE};
use super::suite;
use crate::postgres::Postgres;
use crate::server::Setting;
use crate::{Result, launch, page};

use self::receiver::Receiver;

const MARK: &str = "deliveries";
/// Receivers are on the loopback interface.
const ENVIRONMENT: [(&str, &str); 2] =
    [("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true"), ("SVC_SERVER__ENDPOINT_THROTTLE", "1000000000")];

/// One line of the table.
pub struct Fact {
    /// What was measured, with its unit.
    pub what: String,
    /// The number.
    pub value: f64,
    /// What it is held against.
    pub wanted: &'static str,
}

/// How much is delivered.
#[derive(Clone, Copy)]
pub struct Size {
    /// Events that wait when the server starts.
    pub backlog: usize,
    /// Events one after the other, with and without a receiver that hangs.
    pub steady: usize,
}

impl Size {
    const LARGE: Self = Self { backlog: 125_000, steady: 2_000 };
    const SMALL: Self = Self { backlog: 2_000, steady: 1_200 };
}

/// Measures on each database.
pub fn run(options: &Options) -> Result<()> {
    let size = if options.quick { Size::SMALL } else { Size::LARGE };
    let program = suite::build()?;
    let folder = tempfile::Builder::new().prefix("svc-bench-deliveries-").tempdir()?;
    let mut lines = String::new();
    if options.engine.has_sqlite() {
        lines += &measure(SQLITE, (&program, &folder.path().join("sqlite")), None, size)?;
    }
    if options.engine.has_postgres() {
        let postgres = suite::start_postgres()?;
        lines += &measure(POSTGRES, (&program, &folder.path().join("postgres")), Some(&postgres), size)?;
    }
    let text = format!("{}\n\n| | measured | wanted |\n|---|--:|---|\n{lines}", page::machine());
    println!("\n{text}");
    if options.write { page::put(&launch::root().join("docs/benchmarks.md"), MARK, &text) } else { Ok(()) }
}

fn measure(
    name: &str,
    (program, folder): (&Path, &Path),
    postgres: Option<&Postgres>,
    size: Size,
) -> Result<String> {
    std::fs::create_dir_all(folder)?;
    let url = postgres.map(|postgres| postgres.url(DATABASE));
    let setting = Setting {
        program,
        data_dir: folder,
        database_url: url.as_deref(),
        seed: None,
        environment: &ENVIRONMENT,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let facts = runtime.block_on(both(&setting, postgres, size))?;
    let line = |fact: &Fact| format!("| {name}: {} | {:.2} | {} |\n", fact.what, fact.value, fact.wanted);
    Ok(facts.iter().map(line).collect())
}

async fn both(setting: &Setting<'_>, postgres: Option<&Postgres>, size: Size) -> Result<Vec<Fact>> {
    let receiver = Receiver::start().await?;
    let mut facts = backlog::drain(setting, postgres, &receiver, size).await?;
    facts.extend(steady::beside_one_that_hangs(setting, &receiver, size).await?);
    Ok(facts)
}

/// The meter of a server and its database.
fn meter(server: &crate::server::Server, postgres: Option<&Postgres>) -> Meter {
    Meter { server: server.pid(), database: postgres.map(Postgres::pid) }
}
