//! Holders of refresh tokens who rotate on and on, whatever the service answers.

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Ledger;
use crate::process::outage::is_outage;
use crate::process::person::{Ada, refresh_token_of};
use crate::process::{PATIENCE, TICK};

/// Holders at work.
pub struct Holders {
    ada: Ada,
    at_work: JoinSet<Held>,
    stop: watch::Sender<bool>,
    progress: watch::Receiver<usize>,
}

/// What one of them has at the end.
struct Held {
    newest: String,
    rotations: usize,
    outages: usize,
    unanswered: usize,
}

/// What all of them saw.
pub struct Seen {
    /// Rotations that were acknowledged.
    pub rotations: usize,
    /// Answers that said that a part is away, with `Retry-After`.
    pub outages: usize,
    /// Connections that broke, or were not made.
    pub unanswered: usize,
}

impl Holders {
    /// Lets a number of them begin, each with a family of tokens of its own.
    pub async fn begin(ada: &mut Ada, number: usize) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (sender, progress) = watch::channel(0);
        let mut at_work = JoinSet::new();
        for _ in 0..number {
            let first = ada.refresh_token().await;
            at_work.spawn(rotate(ada.clone(), first, stopped.clone(), sender.clone()));
        }
        Self { ada: ada.clone(), at_work, stop, progress }
    }

    /// Waits until this many more rotations were acknowledged.
    pub async fn rotate(&mut self, more: usize) {
        let enough = *self.progress.borrow() + more;
        let waited = tokio::time::timeout(PATIENCE, self.progress.wait_for(|done| *done >= enough)).await;
        let _ = waited.expect("rotations go on in time").unwrap();
    }

    /// Stops them. The newest token that each of them was given works.
    pub async fn end(self) -> Seen {
        self.stop.send_replace(true);
        let mut seen = Seen { rotations: 0, outages: 0, unanswered: 0 };
        for held in self.at_work.join_all().await {
            let next = self.ada.refresh(&held.newest).await.unwrap();
            assert_eq!(next.status, 200, "an acknowledged token was lost: {next:?}");
            seen.rotations += held.rotations;
            seen.outages += held.outages;
            seen.unanswered += held.unanswered;
        }
        seen
    }
}

async fn rotate(
    ada: Ada,
    first: String,
    stopped: watch::Receiver<bool>,
    progress: watch::Sender<usize>,
) -> Held {
    let mut held = Held { newest: first, rotations: 0, outages: 0, unanswered: 0 };
    while !*stopped.borrow() {
        match ada.refresh(&held.newest).await {
            Some(answer) if answer.status == 200 => {
                held.newest = refresh_token_of(&answer);
                held.rotations += 1;
                progress.send_modify(|done| *done += 1);
                continue;
            }
            Some(answer) => {
                is_outage(&answer);
                held.outages += 1;
            }
            None => held.unanswered += 1,
        }
        tokio::time::sleep(TICK).await;
    }
    held
}

impl Seen {
    /// Writes it down.
    pub fn count(&self, ledger: &mut Ledger) {
        ledger.add("rotations acknowledged", self.rotations);
        ledger.add("acknowledged and lost", 0);
        ledger.add("answered 503", self.outages);
        ledger.add("unanswered", self.unanswered);
    }
}
