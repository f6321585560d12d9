//! The closed-loop load generator: so many connections, each with one request under way, for a bounded time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::flows::Worker;
use super::meter::{self, Cpu, Meter};
use super::target::Target;
use super::workload::Workload;
use crate::Result;

/// How long, and with how many connections.
#[derive(Clone, Copy)]
pub struct Pace {
    /// Runs, of which the one with the median rate is shown.
    pub rounds: usize,
    /// Connections, each with one operation under way.
    pub connections: usize,
    /// Time that is not counted.
    pub warm_up: Duration,
    /// Time that is.
    pub measured: Duration,
}

/// What one run showed.
#[derive(Clone)]
pub struct Run {
    /// Operations per second.
    pub rate: f64,
    /// Milliseconds that half of the operations took at most.
    pub p50: f64,
    /// Milliseconds that 99 of 100 operations took at most.
    pub p99: f64,
    /// CPU seconds per 1,000 operations.
    pub cpu: Cpu,
    /// MiB at the end of the run.
    pub resident: f64,
}

/// Drives one workload against one target; any reply that is not right fails the run.
pub fn drive(target: &Arc<Target>, workload: Workload, pace: Pace, meter: Meter) -> Result<Run> {
    drive_fleet(&[target], workload, pace, &[meter])
}

/// The same against several targets at once, which share the connections.
pub fn drive_fleet(
    targets: &[&Arc<Target>],
    workload: Workload,
    pace: Pace,
    meters: &[Meter],
) -> Result<Run> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let run = runtime.block_on(async {
        let mut workers = Vec::with_capacity(pace.connections);
        for target in targets {
            workers.extend(Worker::crew(target, workload, pace.connections / targets.len()).await?);
        }
        measure(workers, pace, meters).await
    });
    let names = || targets.iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(", ");
    run.map_err(|error| format!("{} on {}: {error}", workload.name(), names()).into())
}

/// The same while as many connections as `crowd` says keep another workload going, which is not counted.
pub fn drive_among(
    target: &Arc<Target>,
    workload: Workload,
    (crowd, size): (Workload, usize),
    pace: Pace,
    meter: Meter,
) -> Result<Run> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let run = runtime.block_on(async {
        let workers = Worker::crew(target, workload, pace.connections).await?;
        let end = Instant::now() + pace.warm_up + pace.measured;
        let mut others = JoinSet::new();
        for other in Worker::crew(target, crowd, size).await? {
            others.spawn(work(other, end, end));
        }
        let run = measure(workers, pace, &[meter]).await;
        while let Some(other) = others.join_next().await {
            other??;
        }
        run
    });
    run.map_err(|error| format!("{} among others on {}: {error}", workload.name(), target.name).into())
}

async fn measure(workers: Vec<Worker>, pace: Pace, meters: &[Meter]) -> Result<Run> {
    let begin = Instant::now() + pace.warm_up;
    let end = begin + pace.measured;
    let mut tasks = JoinSet::new();
    for worker in workers {
        tasks.spawn(work(worker, begin, end));
    }
    tokio::time::sleep_until(begin.into()).await;
    let before = meter::cpu(meters)?;
    tokio::time::sleep_until(end.into()).await;
    let after = meter::cpu(meters)?;
    let resident = meters.iter().map(|meter| meter.resident()).sum::<Result<f64>>()?;
    let mut times = Vec::new();
    while let Some(finished) = tasks.join_next().await {
        times.extend(finished??);
    }
    times.sort_unstable();
    summary(&times, pace.measured, (before, after), resident)
}

async fn work(mut worker: Worker, begin: Instant, end: Instant) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    loop {
        worker.rest().await?;
        let started = Instant::now();
        if started >= end {
            return Ok(times);
        }
        let operation = tokio::time::timeout(Duration::from_secs(30), worker.operate());
        operation.await.map_err(|_| "no reply within 30 s")??;
        let finished = Instant::now();
        if finished >= begin && finished < end {
            times.push(finished - started);
        }
    }
}

/// The time within which that share of the sorted times lies, in milliseconds.
pub fn percentile(sorted: &[Duration], share: usize) -> f64 {
    let index = (sorted.len() * share / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

#[expect(clippy::cast_precision_loss, reason = "a run has far fewer than 2^52 operations")]
fn summary(times: &[Duration], measured: Duration, cpu: (Cpu, Cpu), resident: f64) -> Result<Run> {
    if times.is_empty() {
        return Err("no operation ended within the measured time".into());
    }
    let thousands = times.len() as f64 / 1000.0;
    Ok(Run {
        rate: times.len() as f64 / measured.as_secs_f64(),
        p50: percentile(times, 50),
        p99: percentile(times, 99),
        cpu: Cpu {
            server: (cpu.1.server - cpu.0.server) / thousands,
            database: (cpu.1.database - cpu.0.database) / thousands,
            hashing: (cpu.1.hashing - cpu.0.hashing) / thousands,
        },
        resident,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_gives_rate_percentiles_and_cpu_per_thousand() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        let cpu = (Cpu::default(), Cpu { server: 1.0, database: 0.5, hashing: 0.0 });
        let run = summary(&times, Duration::from_secs(2), cpu, 30.0).unwrap();
        assert!((run.rate - 100.0).abs() < 1e-9);
        assert!((run.p50 - 101.0).abs() < 1e-9);
        assert!((run.p99 - 199.0).abs() < 1e-9);
        assert!((run.cpu.server - 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_run_without_operations_is_a_failure() {
        assert!(summary(&[], Duration::from_secs(1), (Cpu::default(), Cpu::default()), 1.0).is_err());
    }
}
