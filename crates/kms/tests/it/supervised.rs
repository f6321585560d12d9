//! What a supervisor such as systemd hears.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use crate::place::Place;

const PATIENCE: Duration = Duration::from_mins(1);
/// Much longer than it is silent where it does not hang.
const SILENCE: Duration = Duration::from_secs(3);

fn heard(listener: &UnixDatagram, patience: Duration) -> Option<String> {
    listener.set_read_timeout(Some(patience)).unwrap();
    let mut bytes = [0; 64];
    let length = listener.recv(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

#[tokio::test]
async fn a_supervisor_hears_that_it_serves_and_nothing_while_it_hangs() {
    let place = Place::made();
    let socket = place.path("notify");
    let listener = UnixDatagram::bind(&socket).unwrap();
    let mut command = place.command(&["serve"]);
    command.env("NOTIFY_SOCKET", &socket).env("WATCHDOG_USEC", "300000");
    let running = place.start(command).await;
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("READY=1"));
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("WATCHDOG=1"));
    running.pause();
    while heard(&listener, SILENCE).is_some() {}
    running.go_on();
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("WATCHDOG=1"));
}
