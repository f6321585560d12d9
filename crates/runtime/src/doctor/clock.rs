//! The clock: whether it agrees with the database server, and with what was written earlier.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use svc_core::{Seconds, Timestamp};

use super::Patient;
use super::files::database_file;
use super::finding::Finding;
use crate::database;

const CHECK: &str = "clock";
/// Tokens and proofs of others are refused when clocks differ by more than a few seconds.
const MOST: Seconds = Seconds(5);
const FIX: &str = "synchronize the clock (NTP: chrony or systemd-timesyncd), and restart the service";

/// Compares.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let now = patient.now;
    if let Some((path, written)) = from_the_future(patient) {
        let what = format!("it is {now} here, but {} was written at {written}", path.display());
        return vec![Finding::fault(CHECK, what, FIX)];
    }
    let Some(other) = of_the_server(patient).await else {
        return vec![Finding::ok(CHECK, format!("it is {now}"))];
    };
    let apart = (other - now).0.unsigned_abs();
    if apart > MOST.0.unsigned_abs() {
        let what = format!("it is {now} here, and {other} at the database server");
        return vec![Finding::fault(CHECK, what, FIX)];
    }
    vec![Finding::ok(CHECK, format!("it is {now}, at the database server too"))]
}

/// A file that was written later than now: the clock was set back.
fn from_the_future(patient: &Patient) -> Option<(PathBuf, Timestamp)> {
    let written = |path: PathBuf| {
        let time = path.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((path, Timestamp::from_secs(time.as_secs().try_into().ok()?)))
    };
    let files = database_file(patient).into_iter().chain(patient.file.clone());
    files.filter_map(written).find(|(_, at)| *at > patient.now + MOST)
}

async fn of_the_server(patient: &Patient) -> Option<Timestamp> {
    // A file has no clock of its own.
    if database_file(patient).is_some() {
        return None;
    }
    let db = database::open(&patient.config).ok()?;
    let time = db.server_time().await;
    db.close().await;
    time.ok().flatten()
}
