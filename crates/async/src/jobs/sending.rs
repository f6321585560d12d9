//! Works off a queue of things to send: side by side and refilled as they finish, so that a slow receiver holds up itself.

use std::time::Duration;

use svc_core::Result;
use tokio::task::JoinSet;

use super::Progress;

/// Things that wait in the database to be sent.
pub(super) trait Queue {
    /// One of them, taken.
    type Item: Send + 'static;
    /// How sending it ended.
    type Outcome: Send + 'static;
    /// Most that are on their way at once.
    const AT_ONCE: usize;

    /// Takes up to `most` that are due; they are ours for longer than sending takes.
    fn take(&self, most: usize) -> impl Future<Output = Result<Vec<Self::Item>>> + Send;

    /// Sends one, within a time of its own.
    fn send(&self, item: Self::Item) -> impl Future<Output = (Self::Item, Self::Outcome)> + Send + 'static;

    /// Writes down how it ended.
    fn note(&self, item: Self::Item, outcome: Self::Outcome) -> impl Future<Output = Result<()>> + Send;
}

/// How many one run sends, so that it ends.
const MOST: u64 = 512;
/// How often more is taken while all that is on its way is slow.
const TICK: Duration = Duration::from_secs(1);

/// Sends what is due.
pub(super) async fn work_off<Q: Queue + Sync>(queue: &Q) -> Result<Progress> {
    let mut sending = JoinSet::new();
    let mut done = 0;
    let mut is_time = true;
    loop {
        let room = Q::AT_ONCE - sending.len();
        if done < MOST && (room >= Q::AT_ONCE / 2 || is_time && room > 0) {
            for item in queue.take(room).await? {
                sending.spawn(queue.send(item));
                done += 1;
            }
        }
        if sending.is_empty() {
            return Ok(Progress { done, has_more: done >= MOST });
        }
        let next = tokio::time::timeout(TICK, sending.join_next()).await;
        is_time = next.is_err();
        // What a broken task had taken stays leased, and is tried again after its lease.
        if let Ok(Some(Ok((item, outcome)))) = next {
            queue.note(item, outcome).await?;
        }
    }
}
