//! Lets a process hang, as a machine does that has lost its disk or its network.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than a signal takes to reach every thread, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Stops processes; returns when no thread of theirs runs any more.
///
/// The signal alone is not enough: a thread on another core may answer one more command.
pub fn pause(processes: &[u32]) {
    signal("-STOP", processes);
    let begun = Instant::now();
    while !processes.iter().all(|process| is_stopped(*process)) {
        assert!(begun.elapsed() < PATIENCE, "{processes:?} go on in spite of the signal");
        std::thread::yield_now();
    }
}

/// Lets stopped processes go on.
pub fn go_on(processes: &[u32]) {
    signal("-CONT", processes);
}

/// Sends a signal to those that have not ended by themselves.
pub fn signal(name: &str, processes: &[u32]) {
    let processes = processes.iter().map(u32::to_string);
    let _ = Command::new("kill").arg(name).args(processes).stderr(Stdio::null()).status().unwrap();
}

/// Whether every thread is stopped (`T`, proc(5)) or has ended.
fn is_stopped(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads.into_iter().all(|thread| {
        // The name of the program, in parentheses, may contain anything; the state follows the last one.
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['T', 'Z', 'X']))
    })
}
