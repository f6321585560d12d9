//! What the process remembers, kept current by its own commits: those that come together share one look at the database.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use svc_db::{Memory, Written};

use crate::app::Inner;

/// Commits whose changes are not yet in memory.
#[derive(Default)]
pub(crate) struct Refreshes {
    turn: tokio::sync::Mutex<()>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// How many commits have come, and up to which of them memory is current.
    come: u64,
    current: u64,
    /// The tables that they wrote.
    tables: Vec<&'static str>,
}

impl Refreshes {
    /// Adds a commit; returns its number.
    fn join(&self, tables: &[&'static str]) -> u64 {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { come, tables: all, .. } = &mut *waiting;
        *come += 1;
        all.extend(tables.iter().filter(|table| !all.contains(table)).copied().collect::<Vec<_>>());
        *come
    }

    /// What a commit has to look at, and up to which commit memory is current then; nothing if another did it.
    fn due(&self, number: u64) -> Option<(Vec<&'static str>, u64)> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        (waiting.current < number).then(|| (waiting.tables.clone(), waiting.come))
    }

    /// Only now: a commit whose request was given up in between leaves its tables to the next.
    fn done(&self, upto: u64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.current = upto;
        if waiting.come == upto {
            waiting.tables.clear();
        }
    }
}

impl Memory for Inner {
    fn keeps(&self, table: &str) -> bool {
        svc_domain::is_remembered(table)
    }

    fn take_in<'a>(&'a self, written: &'a [Written]) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            self.coordination.announce();
            let tables = self.services.forget(written);
            if tables.is_empty() {
                return;
            }
            let number = self.refreshes.join(&tables);
            let _turn = self.refreshes.turn.lock().await;
            let Some((tables, upto)) = self.refreshes.due(number) else { return };
            let now = self.clock.now();
            if let Err(error) = self.services.take_in(&self.db, &tables, (now, now)).await {
                // The change is made; refusing now would be a lie, and the next background run makes up for it.
                tracing::warn!(error = ?error, "a change was committed, but memory is not yet current");
            }
            self.refreshes.done(upto);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_that_wait_together_share_one_look_at_all_their_tables() {
        let refreshes = Refreshes::default();
        let (first, second) = (refreshes.join(&["apps"]), refreshes.join(&["apps", "apis"]));
        assert_eq!(refreshes.due(first), Some((vec!["apps", "apis"], second)));
        let third = refreshes.join(&["tenants"]);
        refreshes.done(second);
        assert_eq!(refreshes.due(second), None, "the first looked for both");
        assert_eq!(refreshes.due(third), Some((vec!["apps", "apis", "tenants"], third)));
        refreshes.done(third);
        let last = refreshes.join(&["apis"]);
        assert_eq!(refreshes.due(last), Some((vec!["apis"], last)));
    }
}
