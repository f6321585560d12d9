//! CPU time and memory of a server and its database, read from `/proc`.

use std::fs;

use crate::Result;

/// What is read: a program, and its PostgreSQL where there is one.
#[derive(Clone, Copy)]
pub struct Meter {
    /// The server's process.
    pub server: u32,
    /// The first process of PostgreSQL.
    pub database: Option<u32>,
}

/// Seconds of CPU time since the start.
#[derive(Clone, Copy, Default)]
pub struct Cpu {
    /// Of the server.
    pub server: f64,
    /// Of PostgreSQL with all its processes.
    pub database: f64,
    /// Of the server's threads that hash passwords, which is part of the server's.
    pub hashing: f64,
}

impl Meter {
    /// The CPU time that both have used so far.
    pub fn cpu(self) -> Result<Cpu> {
        let database = self.database.map(family).transpose()?.unwrap_or_default();
        let server = stat(&format!("/proc/{}/stat", self.server))?.own;
        Ok(Cpu {
            server: seconds(server),
            database: seconds(database),
            hashing: seconds(hashing(self.server)?),
        })
    }

    /// The server's resident memory in MiB.
    pub fn resident(self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.server))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kib / 1024.0)
    }
}

/// The CPU time of several servers together.
pub fn cpu(meters: &[Meter]) -> Result<Cpu> {
    meters.iter().try_fold(Cpu::default(), |sum, meter| {
        let own = meter.cpu()?;
        Ok(Cpu {
            server: sum.server + own.server,
            database: sum.database + own.database,
            hashing: sum.hashing + own.hashing,
        })
    })
}

/// Seconds of CPU time of the programs that this one has run to their end.
pub fn of_ended_children() -> Result<f64> {
    Ok(seconds(stat("/proc/self/stat")?.ended_children))
}

struct Stat {
    parent: u32,
    own: u64,
    ended_children: u64,
}

/// The first process, its children, and the children of it that have ended.
fn family(first: u32) -> Result<u64> {
    let process = |pid: u32| stat(&format!("/proc/{pid}/stat"));
    let root = process(first)?;
    let pids = fs::read_dir("/proc")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let children = pids.filter_map(|pid: u32| process(pid).ok()).filter(|stat| stat.parent == first);
    Ok(root.own + root.ended_children + children.map(|child| child.own).sum::<u64>())
}

/// The threads that our server names after what they hash.
fn hashing(pid: u32) -> Result<u64> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))?.flatten().map(|task| task.path());
    let hashing = tasks
        .filter(|task| fs::read_to_string(task.join("comm")).is_ok_and(|name| name.starts_with("password-")));
    Ok(hashing.filter_map(|task| stat(&task.join("stat").to_string_lossy()).ok()).map(|stat| stat.own).sum())
}

fn stat(path: &str) -> Result<Stat> {
    let text = fs::read_to_string(path)?;
    // The name of the program, in brackets, may itself hold spaces and brackets.
    let (_, fields) = text.rsplit_once(") ").ok_or("unreadable process state")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let number =
        |index: usize| -> Result<u64> { Ok(fields.get(index).ok_or("short process state")?.parse()?) };
    Ok(Stat {
        parent: u32::try_from(number(1)?)?,
        own: number(11)? + number(12)?,
        ended_children: number(13)? + number(14)?,
    })
}

#[expect(clippy::cast_precision_loss, reason = "ticks of one process stay far below 2^52")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_process_has_memory_and_a_parent() {
        let me = std::process::id();
        assert!(Meter { server: me, database: None }.resident().unwrap() > 0.5);
        assert!(stat(&format!("/proc/{me}/stat")).unwrap().parent > 0);
        assert_eq!(hashing(me).unwrap(), 0);
    }
}
