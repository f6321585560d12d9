//! A streaming replica of the PostgreSQL that the tests run on.

use std::time::{Duration, Instant};

use crate::Database;
use crate::cluster::{Cluster, Copied, Stop};

/// A running replica, which is killed when dropped.
pub struct Replica(Cluster);

/// Longer than a pause takes to be one, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

impl Replica {
    /// Copies the server at `primary` and follows it.
    pub async fn of(primary: &str) -> Self {
        Self(Cluster::copy_of(primary, Copied::Following).await)
    }

    /// The address of a test's database on the replica.
    pub fn url(&self, database: &Database) -> String {
        self.0.instead_of(&database.url)
    }

    /// Lets it take in nothing for a while.
    pub async fn pause(&self, primary: &str) {
        self.0.ask(primary, "SELECT pg_wal_replay_pause()::text AS said").await;
        let started = Instant::now();
        while self.0.ask(primary, "SELECT pg_get_wal_replay_pause_state() AS said").await != "paused" {
            assert!(started.elapsed() < PATIENCE, "the replica does not pause");
        }
    }

    /// Lets it go on.
    pub async fn resume(&self, primary: &str) {
        self.0.ask(primary, "SELECT pg_wal_replay_resume()::text AS said").await;
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.0.stop(Stop::Killed);
    }
}
