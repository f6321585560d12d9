//! Events one after the other: how long after its commit each arrives, alone and while another receiver never answers.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::backlog::wait;
use super::receiver::{HANGS, Receiver, TAKES};
use super::subscriber::Subscriber;
use super::{Fact, Size};
use crate::Result;
use crate::bench::load::percentile;
use crate::server::{Server, Setting};

/// Time between two events.
const PACE: Duration = Duration::from_millis(10);

/// The times of one receiver, and of the same next to one that hangs.
pub async fn beside_one_that_hangs(
    setting: &Setting<'_>,
    receiver: &Receiver,
    size: Size,
) -> Result<Vec<Fact>> {
    let server = Server::start(setting)?;
    let mut subscriber = Subscriber::of(&server).await?;
    subscriber.subscribe(&receiver.url(TAKES)).await?;
    let alone = times(&mut subscriber, receiver, ("alone", size.steady)).await?;
    // On a port of its own: as at two hosts, no connection serves both.
    let hanging = Receiver::start().await?;
    subscriber.subscribe(&hanging.url(HANGS)).await?;
    let beside = times(&mut subscriber, receiver, ("beside", size.steady)).await?;
    let fact = |what: &str, value, wanted| Fact { what: what.to_owned(), value, wanted };
    Ok(vec![
        fact("from the answer to the delivery, p50 ms", percentile(&alone, 50), "–"),
        fact("from the answer to the delivery, p99 ms", percentile(&alone, 99), "–"),
        fact("p50 next to a receiver that hangs, ms", percentile(&beside, 50), "–"),
        fact("p99 next to a receiver that hangs, ms", percentile(&beside, 99), "–"),
        fact(
            "p99 next to a receiver that hangs, times alone",
            percentile(&beside, 99) / percentile(&alone, 99).max(1e-6),
            "at most 1.1",
        ),
    ])
}

async fn times(
    subscriber: &mut Subscriber,
    receiver: &Receiver,
    (name, count): (&str, usize),
) -> Result<Vec<Duration>> {
    receiver.take();
    let mut answered = HashMap::new();
    for turn in 0..count {
        let id = subscriber.create_group(&format!("{name} {turn}")).await?;
        answered.insert(id, Instant::now());
        tokio::time::sleep(PACE).await;
    }
    let (mut times, mut again) = (Vec::with_capacity(count), 0);
    while !answered.is_empty() {
        wait(receiver, 1, || Ok(())).await?;
        for taken in receiver.take() {
            let event: Value = serde_json::from_slice(&taken.body)?;
            let id = event.pointer("/data/group_id").and_then(Value::as_str).ok_or("an event of no group")?;
            // What comes twice counts once, when it first came, and stands for none that is still to come.
            match answered.remove(id) {
                Some(answered) => times.push(taken.at.saturating_duration_since(answered)),
                None => again += 1,
            }
        }
    }
    println!("{name}: {count} deliveries arrived, and {again} more than once");
    times.sort_unstable();
    Ok(times)
}
