//! The floor: what one ES256 signature with an empty HTTP reply costs here, and how fast PostgreSQL commits one row.

use std::convert::Infallible;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, ParsedPublicKey,
};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustix::process::Signal;
use tokio::net::TcpListener;

use super::key::Key;
use super::meter::Meter;
use super::target::Target;
use super::workload::Signatures;
use crate::postgres::Postgres;
use crate::process::{self, Job};
use crate::{Result, server};

/// The bytes that an access token signs, about.
const SIGNED: [u8; 640] = [b'a'; 640];

/// A process that signs once per request.
pub struct Floor {
    _job: Job,
    /// How it is driven.
    pub target: Arc<Target>,
    /// How it is read.
    pub meter: Meter,
}

impl Floor {
    /// Starts this program again as that server, so that its CPU time stands apart from the load generator's.
    pub fn start() -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("floor").stdout(Stdio::piped());
        let mut job = Job::start(&mut command, Signal::TERM)?;
        let stdout = job.take_stdout().ok_or("no standard output")?;
        let port = server::first_line(stdout, &mut job, Duration::from_secs(10))?.parse()?;
        let meter = Meter { server: job.pid(), database: None };
        let target = Arc::new(Target::bare("floor", port, &Arc::new(Key::generate()?)));
        Ok(Self { _job: job, target, meter })
    }
}

/// Serves until it is ended; prints its port first.
pub fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?.port());
        std::io::stdout().flush()?;
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        let key = Arc::new(key);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let key = key.clone();
            let service = service_fn(move |request| reply(key.clone(), request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    })
}

async fn reply(
    key: Arc<EcdsaKeyPair>,
    request: Request<Incoming>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    // A request that breaks off is answered like any other; no client is left to read it.
    let _ = request.into_body().collect().await;
    let signature = key.sign(&SystemRandom::new(), &SIGNED);
    std::hint::black_box(&signature);
    Ok(Response::new(Empty::new()))
}

/// What ES256 costs by itself, in CPU seconds.
#[derive(Clone, Copy)]
pub struct Bare {
    /// One signature.
    pub sign: f64,
    /// One verification.
    pub verify: f64,
}

impl Bare {
    /// Measures both for so long each, with the library and the bytes of the floor.
    pub fn measure(time: Duration) -> Result<Self> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        let public = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())?;
        let signature = pair.sign(&SystemRandom::new(), &SIGNED)?;
        let sign = cost(time, || {
            std::hint::black_box(pair.sign(&SystemRandom::new(), &SIGNED)?);
            Ok(())
        })?;
        let verify = cost(time, || Ok(public.verify_sig(&SIGNED, signature.as_ref())?))?;
        Ok(Self { sign, verify })
    }

    /// What so many of them cost.
    pub fn of(self, signatures: &Signatures) -> f64 {
        self.sign * f64::from(signatures.made) + self.verify * f64::from(signatures.verified)
    }
}

/// CPU seconds of one call; nothing else runs in this process meanwhile.
fn cost(time: Duration, call: impl Fn() -> Result<()>) -> Result<f64> {
    let meter = Meter { server: std::process::id(), database: None };
    let (before, started, mut calls) = (meter.cpu()?, Instant::now(), 0_u32);
    while started.elapsed() < time {
        call()?;
        calls += 1;
    }
    Ok((meter.cpu()?.server - before.server) / f64::from(calls.max(1)))
}

/// Makes the table for [`commits`].
pub fn prepare_commits(postgres: &Postgres) -> Result<()> {
    postgres.create("floor")?;
    let table = "CREATE TABLE counters (id INT PRIMARY KEY, n BIGINT NOT NULL);
        INSERT INTO counters SELECT id, 0 FROM generate_series(0, 63) AS id";
    process::output(postgres.client("psql", "floor").args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", table]))
        .map(drop)
}

/// Commits per second of an update of one row, each client having a row of its own.
pub fn commits(postgres: &Postgres, clients: usize, time: Duration) -> Result<f64> {
    let script = tempfile::NamedTempFile::new()?;
    std::fs::write(script.path(), "UPDATE counters SET n = n + 1 WHERE id = :client_id;\n")?;
    let mut pgbench = postgres.client("pgbench", "floor");
    pgbench.args(["--no-vacuum", "--protocol=prepared", "--jobs=1"]);
    pgbench.args([format!("--client={clients}"), format!("--time={}", time.as_secs().max(1))]);
    let report = process::output(pgbench.arg("--file").arg(script.path()))?;
    tps(&report).ok_or_else(|| format!("pgbench gave no rate: {report}").into())
}

fn tps(report: &str) -> Option<f64> {
    let rate = report.lines().find_map(|line| line.strip_prefix("tps = "))?;
    rate.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_read_from_a_pgbench_report() {
        let report = "latency average = 1.7 ms\ntps = 4697.402834 (without initial connection time)\n";
        assert_eq!(tps(report), Some(4_697.402_834));
    }
}
