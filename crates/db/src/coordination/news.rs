//! What nodes tell each other through Redis: that one of them has changed what all remember, so that the others look at the
//! database now and not within the second. What is missed is made up for by the next look.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use redis::aio::PubSub;
use redis::cmd;
use svc_core::{Error, Result};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::link::Link;
use super::redis::{LONGEST, Server};
use super::redis_address::Address;

/// Changes that come together are reported once.
const GAP: Duration = Duration::from_millis(20);
/// Until a lost subscription is tried again.
const TRY_EVERY: Duration = Duration::from_secs(1);
/// A subscription that has been silent for so long is made again: the other end may be gone without a word.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Tells and hears.
pub(super) struct News {
    told: mpsc::Sender<()>,
    heard: Arc<Notify>,
    _tasks: JoinSet<()>,
}

/// Where to, and in whose name.
#[derive(Clone)]
pub(super) struct Channel {
    pub name: String,
    pub node: String,
}

impl News {
    pub fn start(link: Arc<Link<Server>>, address: Arc<Address>, channel: &Channel) -> Self {
        let (told, telling) = mpsc::channel(1);
        let heard = Arc::new(Notify::new());
        let mut tasks = JoinSet::new();
        tasks.spawn(tell(link, channel.clone(), telling));
        tasks.spawn(listen(address, channel.clone(), Arc::clone(&heard)));
        Self { told, heard, _tasks: tasks }
    }

    /// Tells the other nodes, without waiting for it.
    pub fn announce(&self) {
        // A full channel says it already.
        let _ = self.told.try_send(());
    }

    /// Returns when another node has told of a change.
    pub async fn heard(&self) {
        self.heard.notified().await;
    }
}

async fn tell(link: Arc<Link<Server>>, channel: Channel, mut telling: mpsc::Receiver<()>) {
    while telling.recv().await.is_some() {
        let Channel { name, node } = channel.clone();
        let publish = |pool: Arc<super::redis::Pool>| async move {
            let mut command = cmd("PUBLISH");
            command.arg(&name).arg(&node);
            command.query_async::<()>(&mut pool.of(&name)).await.map_err(|error| Error::unavailable(error))
        };
        if let Err(error) = link.ask(publish).await {
            log::debug!("a change was not announced: {error}");
        }
        sleep(GAP).await;
    }
}

async fn listen(address: Arc<Address>, channel: Channel, heard: Arc<Notify>) {
    loop {
        if let Err(error) = subscribed(&address, &channel, &heard).await {
            log::debug!("changes of other nodes are not heard: {error}");
            sleep(TRY_EVERY).await;
        }
    }
}

/// Listens until the subscription ends or falls silent.
async fn subscribed(address: &Address, channel: &Channel, heard: &Notify) -> Result<()> {
    let subscribing = async {
        let stream = address.stream().await?;
        let mut pubsub =
            PubSub::new(address.session(), stream).await.map_err(|error| Error::unavailable(error))?;
        pubsub.subscribe(&channel.name).await.map_err(|error| Error::unavailable(error))?;
        Ok::<_, Error>(pubsub.into_on_message())
    };
    let mut messages = timeout(LONGEST, subscribing).await.map_err(|error| Error::unavailable(error))??;
    // What was told meanwhile was not heard.
    heard.notify_one();
    while let Ok(message) = timeout(LONGEST_SILENCE, messages.next()).await {
        let message = message.ok_or_else(|| Error::unavailable("the subscription has ended"))?;
        if message.get_payload_bytes() != channel.node.as_bytes() {
            heard.notify_one();
        }
    }
    Ok(())
}
