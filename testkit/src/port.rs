//! Ports of the loopback interface for servers that tests start.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Between those of the packages' examples and those that `cargo xtask` gives to what runs next to tests.
const LOWEST: u32 = 14_000;
const COUNT: u32 = 6_000;

/// A port that no other test gets. The system's own choice would be free only until the next connection, or the next test that
/// lets the system choose, takes it: a server listens there later, and again after it was killed.
pub fn unused_port() -> u16 {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    // Another test program begins elsewhere.
    let first = std::process::id() % 100 * 60;
    let places = (0..COUNT).map(|_| first.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % COUNT);
    let mut ports = places.map(|place| u16::try_from(LOWEST + place).unwrap());
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}
