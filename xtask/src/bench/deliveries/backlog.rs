//! Events that wait for several receivers when the server starts: how fast they go out, and what that takes.

use std::time::{Duration, Instant};

use super::receiver::{Receiver, TAKES};
use super::subscriber::Subscriber;
use super::{Fact, Size, meter};
use crate::bench::copies;
use crate::postgres::Postgres;
use crate::server::{Server, Setting};
use crate::{Result, process};

/// Subscriptions that all get every event.
const RECEIVERS: usize = 8;
/// No delivery for so long is an error.
const PATIENCE: Duration = Duration::from_mins(1);

/// Copies of an event, each about another group; the last eight characters of an id are the number.
const COPIES: &str = r#"
INSERT INTO outbox (tenant_id, id, type, payload, created_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {events})
SELECT o.tenant_id, substr(o.id, 1, length(o.id) - 8) || substr(CAST(100000000 + n AS TEXT), 2), o.type,
    replace(o.payload, 'group_id":"', 'group_id":"' || CAST(n AS TEXT) || '-'), o.created_at
FROM (SELECT * FROM events WHERE type = 'admin.group.created' LIMIT 1) o, numbers;
"#;

/// Makes the backlog while no server runs, and waits until all of it has arrived everywhere.
pub async fn drain(
    setting: &Setting<'_>,
    postgres: Option<&Postgres>,
    receiver: &Receiver,
    size: Size,
) -> Result<Vec<Fact>> {
    let subscriptions = prepare(setting, receiver).await?;
    println!("delivering {} events to {RECEIVERS} receivers", size.backlog);
    let text = COPIES.replace("{events}", &size.backlog.to_string());
    copies::write(&setting.data_dir.join("svc.db"), postgres, &text)?;
    let server = Server::start(setting)?;
    let meter = meter(&server, postgres);
    let (idle, before) = (meter.resident()?, meter.cpu()?);
    let mut most = idle;
    wait(receiver, size.backlog * RECEIVERS, || {
        most = most.max(meter.resident()?);
        Ok(())
    })
    .await?;
    let after = meter.cpu()?;
    let taken = receiver.take();
    let (first, last) =
        (taken.first().ok_or("nothing arrived")?.at, taken.last().ok_or("nothing arrived")?.at);
    let count = f64::from(u32::try_from(taken.len())?);
    let cpu = after.server - before.server + after.database - before.database;
    let mut subscriber = Subscriber::of(&server).await?;
    for subscription in &subscriptions {
        subscriber.end(subscription).await?;
    }
    Ok(vec![
        Fact {
            what: format!("deliveries per second, a backlog of {count} for {RECEIVERS} receivers"),
            value: count / (last - first).as_secs_f64().max(1e-6),
            wanted: "at least 3000",
        },
        Fact {
            what: "CPU ms of a delivery, database included".to_owned(),
            value: cpu * 1000.0 / count,
            wanted: "–",
        },
        Fact {
            what: "memory while the backlog is delivered, MiB above that before".to_owned(),
            value: most - idle,
            wanted: "bounded",
        },
    ])
}

/// The subscriptions, and one event that has arrived.
async fn prepare(setting: &Setting<'_>, receiver: &Receiver) -> Result<Vec<String>> {
    let server = Server::start(setting)?;
    let mut subscriber = Subscriber::of(&server).await?;
    let mut subscriptions = Vec::new();
    for _ in 0..RECEIVERS {
        subscriptions.push(subscriber.subscribe(&receiver.url(TAKES)).await?);
    }
    subscriber.create_group("The first").await?;
    wait(receiver, RECEIVERS, || Ok(())).await?;
    receiver.take();
    Ok(subscriptions)
}

/// Waits until so many have arrived.
pub async fn wait(
    receiver: &Receiver,
    count: usize,
    mut meanwhile: impl FnMut() -> Result<()>,
) -> Result<()> {
    let (mut seen, mut since) = (receiver.count(), Instant::now());
    while seen < count {
        process::check_interrupt()?;
        tokio::time::sleep(Duration::from_millis(20)).await;
        meanwhile()?;
        let now = receiver.count();
        if now > seen {
            (seen, since) = (now, Instant::now());
        } else if since.elapsed() > PATIENCE {
            return Err(format!("{seen} of {count} deliveries arrived, and no more in a minute").into());
        }
    }
    Ok(())
}
