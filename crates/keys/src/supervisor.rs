//! The supervisor that started a program, such as systemd: it hears when the program serves, and from time to time that it still does
//! (`sd_notify(3)`). It is here because this is the crate that both programs link.

use std::ffi::{OsStr, OsString};
use std::io::Result;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::time::Duration;

use tokio::time::MissedTickBehavior;

/// The process that watches the program, such as systemd. Where there is none, nothing is said.
#[derive(Debug, Default)]
pub struct Supervisor {
    socket: Option<OsString>,
    /// After which silence it takes the program for one that hangs.
    patience: Option<Duration>,
}

/// Its socket, its patience in microseconds, and the process that the latter is meant for.
const VARIABLES: [&str; 3] = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"];

impl Supervisor {
    /// The one that the environment names.
    pub fn from_environment() -> Self {
        Self::of(VARIABLES.map(std::env::var_os), std::process::id())
    }

    fn of([socket, patience, meant]: [Option<OsString>; 3], own_id: u32) -> Self {
        let number = |text: Option<OsString>| text?.to_str()?.parse::<u64>().ok();
        // A program inherits the variables of the one that has started it.
        let is_meant = number(meant).is_none_or(|id| id == u64::from(own_id));
        let patience = number(patience).filter(|micros| *micros > 0 && is_meant);
        let socket = socket.filter(|socket| !socket.is_empty());
        Self { socket, patience: patience.map(Duration::from_micros) }
    }

    /// Says that the program serves.
    pub fn ready(&self) {
        self.tell(b"READY=1");
    }

    /// Says for ever that the program is well. It is polled together with what serves: where that hangs, nothing is said.
    pub async fn keep_told(&self) {
        let Some(patience) = self.patience else { return std::future::pending().await };
        let mut ticks = tokio::time::interval(patience / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.tell(b"WATCHDOG=1");
        }
    }

    fn tell(&self, state: &[u8]) {
        if let Some(socket) = &self.socket {
            // One that does not listen, or has too much to read, is no reason to stop or to wait.
            let _ = send(socket, state);
        }
    }
}

/// Sends to a socket of the file system, or, where the name begins with `@`, to an abstract one of Linux (`unix(7)`).
fn send(socket: &OsStr, state: &[u8]) -> Result<usize> {
    let from = UnixDatagram::unbound()?;
    from.set_nonblocking(true)?;
    #[cfg(target_os = "linux")]
    {
        use std::os::linux::net::SocketAddrExt as _;
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::net::SocketAddr;
        if let Some(name) = socket.as_bytes().strip_prefix(b"@") {
            return from.send_to_addr(state, &SocketAddr::from_abstract_name(name)?);
        }
    }
    from.send_to(state, Path::new(socket))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supervisor(socket: &OsStr, patience: &str, meant: Option<&str>) -> Supervisor {
        Supervisor::of([Some(socket.to_owned()), Some(patience.into()), meant.map(Into::into)], 7)
    }

    fn heard(socket: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = socket.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_supervisor_hears_that_a_program_serves_and_that_it_still_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).unwrap();
        let supervisor = supervisor(path.as_os_str(), "3000", None);
        supervisor.ready();
        assert_eq!(heard(&listener), "READY=1");
        tokio::time::timeout(Duration::from_millis(10), supervisor.keep_told()).await.unwrap_err();
        assert_eq!(heard(&listener), "WATCHDOG=1");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_begins_with_an_at_sign_is_that_of_an_abstract_socket() {
        use std::os::linux::net::SocketAddrExt as _;
        let name = format!("svc-supervisor-{}", std::process::id());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
        let listener = UnixDatagram::bind_addr(&address).unwrap();
        supervisor(OsStr::new(&format!("@{name}")), "", None).ready();
        assert_eq!(heard(&listener), "READY=1");
    }

    #[test]
    fn only_what_is_meant_for_this_program_makes_it_speak() {
        let nowhere = OsStr::new("/nowhere/notify");
        let patience = |text: &str, meant: Option<&str>| supervisor(nowhere, text, meant).patience;
        assert_eq!(patience("30000000", None), Some(Duration::from_secs(30)));
        assert_eq!(patience("1000000", Some("7")), Some(Duration::from_secs(1)));
        for (text, meant) in [("1000000", Some("8")), ("0", None), ("soon", None), ("", None)] {
            assert_eq!(patience(text, meant), None, "{text} {meant:?}");
        }
        supervisor(nowhere, "", None).ready();
    }
}
