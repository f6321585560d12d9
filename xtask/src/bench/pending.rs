//! Undecided device codes, and their polling in turn, each no sooner than its interval allows (RFC 8628 §3.5).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde_json::Value;
use tokio::task::JoinSet;

use super::form;
use super::http::{Call, Connection};
use super::target::Target;
use crate::Result;

/// What a poll is kept later than the interval says, because two clocks round differently.
const MARGIN: Duration = Duration::from_millis(50);
/// Connections that make the codes.
const MAKERS: usize = 16;

/// The codes of one server.
pub struct Pending {
    codes: Vec<Code>,
    next: AtomicUsize,
}

/// One of them.
pub struct Code {
    /// What the device polls with.
    pub secret: String,
    interval: Duration,
    due: Mutex<Instant>,
}

impl Pending {
    /// Asks for so many codes.
    pub fn make(target: &Target, size: usize) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let codes = runtime.block_on(make(target, size));
        let codes = codes.map_err(|error| format!("device codes on {}: {error}", target.name))?;
        Ok(Self { codes, next: AtomicUsize::new(0) })
    }

    /// The place of the code whose turn it is.
    pub fn turn(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed) % self.codes.len().max(1)
    }

    /// The code at a place.
    pub fn code(&self, place: usize) -> Result<&Code> {
        self.codes.get(place).ok_or_else(|| "there is no such device code".into())
    }
}

impl Code {
    /// When it may be polled.
    pub fn due(&self) -> Instant {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that it was polled.
    pub fn was_polled(&self, at: Instant) {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = at + self.interval + MARGIN;
    }
}

async fn make(target: &Target, size: usize) -> Result<Vec<Code>> {
    let client = target.device.as_ref().ok_or("there is no application for it")?;
    let path = target.paths.device.as_ref().ok_or("there is no endpoint for it")?;
    let mut makers: JoinSet<Result<Vec<Code>>> = JoinSet::new();
    for maker in 0..MAKERS {
        let mut http = Connection::new(target.port, &target.authority);
        let (path, basic) = (path.clone(), client.basic.clone());
        let share = (maker..size).step_by(MAKERS).len();
        makers.spawn(async move {
            let mut codes = Vec::with_capacity(share);
            for _ in 0..share {
                let form = Some(form::encode([("scope", "openid profile email")]));
                let call = Call { path: &path, form, authorization: basic.as_deref(), ..Call::default() };
                codes.push(code(&http.send(&call).await?.json(StatusCode::OK)?)?);
            }
            Ok(codes)
        });
    }
    let mut codes = Vec::with_capacity(size);
    while let Some(made) = makers.join_next().await {
        codes.extend(made??);
    }
    Ok(codes)
}

fn code(reply: &Value) -> Result<Code> {
    let secret = reply["device_code"].as_str().ok_or("no device_code in the reply")?.to_owned();
    // RFC 8628 §3.2: five seconds, where the server says nothing.
    let interval = Duration::from_secs(reply["interval"].as_u64().unwrap_or(5));
    Ok(Code { secret, interval, due: Mutex::new(Instant::now()) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn codes_are_polled_in_turn_and_none_before_its_interval() {
        let reply = |name: &str| json!({ "device_code": name, "interval": 5 });
        let codes = ["a", "b"].map(|name| code(&reply(name)).unwrap());
        let pending = Pending { codes: codes.into(), next: AtomicUsize::new(0) };
        let turns = [(); 3].map(|()| pending.code(pending.turn()).unwrap().secret.as_str());
        assert_eq!(turns, ["a", "b", "a"]);
        let (first, now) = (pending.code(0).unwrap(), Instant::now());
        assert!(first.due() <= now);
        first.was_polled(now);
        assert_eq!(first.due(), now + Duration::from_secs(5) + MARGIN);
    }
}
