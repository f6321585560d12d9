//! The same server while its database has one tenant: what a large deployment is held against.

use super::crowd::Crowd;
use super::{Fact, IDLE_FIRST, STARTS};
use crate::bench::meter::Meter;
use crate::bench::subject;
use crate::postgres::Postgres;
use crate::server::{self, Server, Setting};
use crate::{Result, process};

/// What a start, an idle server and a token take.
pub struct Costs {
    /// From the start to the first answer, in milliseconds.
    pub start: f64,
    /// Of a server that was asked nothing, in MiB.
    pub memory: f64,
    /// CPU milliseconds of a token for the demo's own application, database included.
    pub token: f64,
}

impl Costs {
    /// Starts the server for each.
    pub fn measure(setting: &Setting, crowd: &Crowd, postgres: Option<&Postgres>) -> Result<Self> {
        let start = subject::start_up(STARTS, |port| server::command(setting, port))?;
        let server = Server::start(setting)?;
        let meter = Meter { server: server.pid(), database: postgres.map(Postgres::pid) };
        process::pause(IDLE_FIRST);
        let memory = meter.resident()?;
        let token = crowd.of_demo(server.port, meter)?;
        Ok(Self { start: start.as_secs_f64() * 1000.0, memory, token })
    }

    /// How much more it takes than `alone`.
    pub fn beside(&self, alone: &Self) -> [Fact; 3] {
        let times = |what, with: f64, without: f64| Fact {
            what,
            value: with / without.max(1e-6),
            wanted: "at most 1.1",
        };
        [
            times("start, times that with one tenant", self.start, alone.start),
            times("idle memory, times that with one tenant", self.memory, alone.memory),
            times("CPU of a token, times that with one tenant", self.token, alone.token),
        ]
    }
}
