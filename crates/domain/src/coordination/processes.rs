//! The processes of the deployment, as each reports itself: its plane, its version, and how its background jobs are doing.

use serde::{Deserialize, Serialize};
use svc_core::{ProcessId, Result, Seconds, Timestamp};
use svc_db::{Row, System, Tx, args, quiet_system_sql, system_sql};
use utoipa::ToSchema;

use crate::document;

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Process {
    /// Its id, which lasts as long as it runs.
    #[schema(value_type = String)]
    pub id: ProcessId,
    /// The plane that it runs.
    pub plane: String,
    /// Its version.
    pub version: String,
    /// Since when it runs.
    #[schema(value_type = String, format = "date-time")]
    pub started_at: Timestamp,
    /// When it reported itself last.
    #[schema(value_type = String, format = "date-time")]
    pub seen_at: Timestamp,
    /// Its background jobs by name, those that have run.
    pub jobs: Vec<JobState>,
}

/// How a background job of a process is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = JobState)]
pub struct JobState {
    /// Its name, as in logs and metrics.
    pub name: String,
    /// How many seconds it waits between two runs.
    pub every_secs: u64,
    /// How often it has run in this process.
    pub runs: u64,
    /// How often it has failed since it last succeeded.
    pub failures: u32,
    /// When it last ran.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_run_at: Option<Timestamp>,
    /// When it last succeeded; null where it never has.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_success_at: Option<Timestamp>,
    /// The kind of its last failure, whose cause is in the log of the process; null where it has not failed since it last
    /// succeeded.
    pub error: Option<String>,
}

/// How often a process reports itself.
pub const REPORTED: Seconds = Seconds(15);
/// A process that was silent for as long as three reports is gone.
const SILENCE: Seconds = Seconds(3 * REPORTED.0);
/// How long one that was cut off is kept.
const KEPT: Seconds = Seconds(3600);

/// Writes down how a process is doing, and forgets those that have long been silent.
pub async fn report(tx: &mut Tx<System>, process: &Process) -> Result<()> {
    let upsert = quiet_system_sql!(
        "coordination of nodes is no tenant's business",
        "INSERT INTO processes (id, plane, version, jobs, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (id) DO UPDATE SET jobs = excluded.jobs, seen_at = excluded.seen_at"
    );
    let Process { id, plane, version, started_at, seen_at, jobs } = process;
    tx.execute(upsert, args![*id, plane, version, document::store(jobs)?, *started_at, *seen_at]).await?;
    let forget = quiet_system_sql!(
        "coordination of nodes is no tenant's business",
        "DELETE FROM processes WHERE seen_at < $1"
    );
    tx.execute(forget, args![*seen_at - KEPT]).await?;
    Ok(())
}

/// Forgets a process that ends.
pub async fn leave(tx: &mut Tx<System>, id: ProcessId) -> Result<()> {
    let delete = quiet_system_sql!(
        "coordination of nodes is no tenant's business",
        "DELETE FROM processes WHERE id = $1"
    );
    tx.execute(delete, args![id]).await.map(|_| ())
}

/// The processes that run, the first started one first.
pub async fn running(tx: &mut Tx<System>, now: Timestamp) -> Result<Vec<Process>> {
    let select = system_sql!(
        "SELECT id, plane, version, jobs, started_at, seen_at FROM processes WHERE seen_at >= $1 ORDER BY started_at, id"
    );
    tx.all(select, args![now - SILENCE]).await?.iter().map(process).collect()
}

fn process(row: &Row) -> Result<Process> {
    Ok(Process {
        id: row.parse("id")?,
        plane: row.text("plane")?,
        version: row.text("version")?,
        started_at: row.time("started_at")?,
        seen_at: row.time("seen_at")?,
        jobs: document::load(row, "jobs")?,
    })
}
