//! Child processes, each in a group of its own, so that an interrupt, an early return or the end of this process, however it
//! comes, ends all that was started.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::Result;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static STARTED: Mutex<Vec<Started>> = Mutex::new(Vec::new());

#[derive(Clone, Copy)]
struct Started {
    group: Pid,
    foreground: bool,
}

/// On the first signal the running command is asked to end, and the task unwinds; on a later one everything is killed.
pub fn watch_signals() -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            INTERRUPTED.store(true, Ordering::SeqCst);
            let since = *first.get_or_insert_with(Instant::now);
            // Some senders signal a process and then its group: twice at once is one request.
            let is_impatient = since.elapsed() > Duration::from_secs(1);
            let signal = if is_impatient { Signal::KILL } else { Signal::TERM };
            for started in started().iter().filter(|started| is_impatient || started.foreground) {
                // A group that has just ended by itself is no fault.
                let _ = kill_process_group(started.group, signal);
            }
            if is_impatient {
                std::process::exit(130);
            }
        }
    });
    Ok(())
}

/// Whether a person or the system asked us to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Fails after an interrupt, for loops that wait on something other than a child.
pub fn check_interrupt() -> Result<()> {
    if interrupted() { Err("interrupted".into()) } else { Ok(()) }
}

/// Lets some time pass while something outside becomes ready.
#[expect(clippy::disallowed_methods, reason = "waits for other programs, which no clock of ours drives")]
pub fn pause(duration: Duration) {
    std::thread::sleep(duration);
}

/// Runs a command to its end, its output going where ours goes.
pub fn run(command: &mut Command) -> Result<()> {
    let status = wait_for(command.stdin(Stdio::null()))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command)).into()) }
}

/// Runs a command to its end and gives its standard output, or its standard error as the failure.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(format!("{} ended with {}: {said}", shown(command), output.status).into())
}

/// A program that runs in the background until it is dropped.
pub struct Job {
    child: Child,
    group: Pid,
    stop: Signal,
    guard: Guard,
}

/// Ends a group of processes when this one is killed and cannot do it: a process of its own that waits for the end of a pipe.
struct Guard(Child);

impl Guard {
    /// Without a word on its input before that ends, the group is stopped, and what is left of it is killed.
    const SCRIPT: &str =
        r#"read -r _ || { kill -s "$2" -- "-$1"; sleep 3; kill -s KILL -- "-$1"; } 2>/dev/null"#;

    fn over(group: Pid, stop: Signal) -> io::Result<Self> {
        let stop = if stop == Signal::INT { "INT" } else { "TERM" };
        let mut command = Command::new("sh");
        command.args(["-c", Self::SCRIPT, "guard", &group.as_raw_pid().to_string(), stop]).process_group(0);
        // It must not hold open what others wait to be closed.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Self)
    }

    /// The group has ended.
    fn release(&mut self) {
        if let Some(mut input) = self.0.stdin.take() {
            // One that has been killed guards nothing any more.
            let _ = input.write_all(b"over\n");
        }
        let _ = self.0.wait();
    }
}

impl Job {
    /// Starts it; `stop` is the signal that asks it to end in good order.
    pub fn start(command: &mut Command, stop: Signal) -> Result<Self> {
        let (child, group, guard) = spawn(command.stdin(Stdio::null()), stop, false)?;
        Ok(Self { child, group, stop, guard })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its standard output, when that was piped and not yet taken.
    pub fn take_stdout(&mut self) -> Option<std::process::ChildStdout> {
        self.child.stdout.take()
    }

    /// How it ends, waited for.
    pub fn wait(&mut self) -> Result<ExitStatus> {
        loop {
            check_interrupt()?;
            if let Some(status) = self.ended() {
                return Ok(status);
            }
            pause(Duration::from_millis(100));
        }
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let _ = kill_process_group(self.group, self.stop);
        let patience = Instant::now();
        while self.ended().is_none() && patience.elapsed() < Duration::from_secs(30) {
            pause(Duration::from_millis(10));
        }
        // What the program left behind in its group goes too.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        self.guard.release();
        forget(self.group);
    }
}

fn wait_for(command: &mut Command) -> Result<ExitStatus> {
    check_interrupt()?;
    let (mut child, group, mut guard) = spawn(command, Signal::TERM, true)?;
    let status = child.wait();
    let _ = kill_process_group(group, Signal::KILL);
    guard.release();
    forget(group);
    check_interrupt()?;
    Ok(status?)
}

fn spawn(command: &mut Command, stop: Signal, foreground: bool) -> Result<(Child, Pid, Guard)> {
    let child = command.process_group(0).spawn().map_err(|error| not_started(command, &error))?;
    let group = Pid::from_child(&child);
    started().push(Started { group, foreground });
    Ok((child, group, Guard::over(group, stop)?))
}

fn started() -> std::sync::MutexGuard<'static, Vec<Started>> {
    STARTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn forget(group: Pid) {
    started().retain(|started| started.group != group);
}

fn not_started(command: &Command, error: &io::Error) -> String {
    format!("{} could not be started: {error}", shown(command))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let mut text = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    if text.chars().count() > 160 {
        text = text.chars().take(160).collect::<String>() + "…";
    }
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(Command::new("false").arg("really")).unwrap_err().to_string();
        assert!(error.starts_with("`false really` ended with"), "{error}");
    }

    #[test]
    fn a_job_whose_owner_was_killed_is_gone_with_its_children() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "(sleep 20; echo survived) & wait"]).stdout(writer);
        let mut job = Job::start(&mut command, Signal::TERM).unwrap();
        // What the system does to the pipe of a process that is killed.
        drop(job.guard.0.stdin.take());
        drop(command);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }

    #[test]
    fn a_dropped_job_is_gone_with_its_children() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "(sleep 20; echo survived) & wait"]).stdout(writer);
        let job = Job::start(&mut command, Signal::TERM).unwrap();
        drop((job, command));
        // The pipe ends with the last process that holds it.
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }
}
