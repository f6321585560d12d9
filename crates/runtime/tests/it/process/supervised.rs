//! What a supervisor such as systemd hears of the service.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use svc_testkit::hang;

use super::{PATIENCE, Place};

/// Much longer than it is silent where it does not hang.
const SILENCE: Duration = Duration::from_secs(3);

fn heard(listener: &UnixDatagram, patience: Duration) -> Option<String> {
    listener.set_read_timeout(Some(patience)).unwrap();
    let mut bytes = [0; 64];
    let length = listener.recv(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

#[tokio::test]
async fn a_supervisor_hears_when_the_service_listens_and_nothing_while_it_hangs() {
    let mut place = Place::migrated().await;
    let socket = place.folder.path().join("notify");
    let listener = UnixDatagram::bind(&socket).unwrap();
    place.set("NOTIFY_SOCKET", socket.to_str().unwrap());
    place.set("WATCHDOG_USEC", "300000");
    let service = place.serve().await;
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("READY=1"));
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("WATCHDOG=1"));
    hang::pause(&[service.process.id()]);
    while heard(&listener, SILENCE).is_some() {}
    hang::go_on(&[service.process.id()]);
    assert_eq!(heard(&listener, PATIENCE).as_deref(), Some("WATCHDOG=1"));
}
