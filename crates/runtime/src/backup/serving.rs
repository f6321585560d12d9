//! Whether a process still serves the database that is restored: it would go on with what it remembers of the one before, and hand out
//! what the restore ends.

use std::time::{Duration, Instant};

use svc_config::Config;
use svc_core::{Clock as _, SystemClock};
use svc_db::Db;
use svc_domain::coordination::processes::{self, Process, REPORTED};

use crate::failure::Failure;
use crate::{database, listening, terminal};

/// What is done where a process seems to serve the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// It is left as it is.
    Refuse,
    /// The operator knows better.
    GoOn,
}

/// Time for a report, in addition to that between two of them.
const MARGIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Refuses where something listens where the service would, on this machine.
pub async fn refuse_listening(config: &Config, care: Care) -> Result<(), Failure> {
    let address = listening::address(config);
    if care == Care::GoOn || !listening::is_open(address).await {
        return Ok(());
    }
    Err(Failure::new(format!(
        "a process listens on {address}, where the service does: stop it (systemctl stop svc), or give --force if it is another program"
    )))
}

/// Refuses where a process reports itself to the database, from whichever machine. Those that a copy names ran when it was made, and
/// report no more.
pub async fn refuse_reporting(db: &Db, care: Care) -> Result<(), Failure> {
    if care == Care::GoOn {
        return Ok(());
    }
    let before = reported(db).await?;
    if before.is_empty() {
        return Ok(());
    }
    terminal::complain(
        "processes have reported themselves to this database a moment ago; looking whether they still do",
    );
    let until = Instant::now() + database::span(REPORTED) + MARGIN;
    while Instant::now() < until {
        tokio::time::sleep(LOOK_EVERY).await;
        let since = reported(db).await?.into_iter().find(|process| !before.contains(process));
        if let Some(Process { plane, started_at, .. }) = since {
            return Err(Failure::new(format!(
                "a process of the plane {plane}, started at {started_at}, serves this database: stop every process, or give --force if \
                 you cannot"
            )));
        }
    }
    Ok(())
}

async fn reported(db: &Db) -> Result<Vec<Process>, Failure> {
    let mut tx = db.read_system().await?;
    Ok(processes::running(&mut tx, SystemClock.now()).await?)
}
