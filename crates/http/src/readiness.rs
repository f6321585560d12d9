//! Whether this process may take traffic: its phase, and the background tasks that it cannot do without.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The phase of the process and the state of its critical tasks.
#[derive(Default)]
pub struct Readiness {
    phase: AtomicU8,
    tasks: Mutex<Vec<(&'static str, Arc<AtomicBool>)>>,
    /// How many questions to the database have begun.
    asked: AtomicU64,
    /// The number of the last one that has an answer, and what is wrong by it.
    answered: tokio::sync::Mutex<(u64, Option<String>)>,
}

/// Where a process is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not everything is there yet.
    Starting,
    /// Open for requests.
    Ready,
    /// About to end: requests in flight are finished, new ones should go elsewhere.
    Draining,
}

/// A critical task's way to say how it is doing.
#[derive(Clone)]
pub struct Health(Arc<AtomicBool>);

impl Readiness {
    /// The present phase.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Starting,
            1 => Phase::Ready,
            _ => Phase::Draining,
        }
    }

    /// Opens for requests, unless the end has begun.
    pub fn open(&self) {
        let _ = self.phase.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Begins the end; there is no way back.
    pub fn drain(&self) {
        self.phase.store(2, Ordering::Release);
    }

    /// Registers a task without which the process is not ready; it counts as well until it says otherwise.
    pub fn watch(&self, name: &'static str) -> Health {
        let state = Arc::new(AtomicBool::new(true));
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push((name, Arc::clone(&state)));
        Health(state)
    }

    /// The first task that is not well.
    pub fn ailing_task(&self) -> Option<&'static str> {
        let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.iter().find(|(_, is_well)| !is_well.load(Ordering::Acquire)).map(|(name, _)| *name)
    }

    /// What is wrong with the database. It is asked once at a time, and an answer counts for all who wanted one before its question
    /// began: probes have no limit, and must not become load.
    pub(crate) async fn of_database(&self, ask: impl Future<Output = Option<String>>) -> Option<String> {
        let asked = self.asked.load(Ordering::Acquire);
        let mut answered = self.answered.lock().await;
        if answered.0 > asked {
            return answered.1.clone();
        }
        let number = self.asked.fetch_add(1, Ordering::AcqRel) + 1;
        let obstacle = ask.await;
        *answered = (number, obstacle.clone());
        obstacle
    }
}

impl Health {
    /// Reports the outcome of a run.
    pub fn report(&self, is_well: bool) {
        self.0.store(is_well, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draining_has_no_way_back() {
        let readiness = Readiness::default();
        assert_eq!(readiness.phase(), Phase::Starting);
        readiness.open();
        assert_eq!(readiness.phase(), Phase::Ready);
        readiness.drain();
        readiness.open();
        assert_eq!(readiness.phase(), Phase::Draining);
    }

    #[tokio::test]
    async fn who_asks_for_the_database_at_once_shares_an_answer_that_began_later() {
        let readiness = Readiness::default();
        let questions = AtomicU64::new(0);
        let ask = || {
            readiness.of_database(async {
                let number = questions.fetch_add(1, Ordering::AcqRel) + 1;
                tokio::task::yield_now().await;
                Some(format!("answer {number}"))
            })
        };
        let answers = tokio::join!(ask(), ask(), ask());
        let told = |number: u64| Some(format!("answer {number}"));
        assert_eq!(answers, (told(1), told(2), told(2)));
        assert_eq!(ask().await, told(3));
    }

    #[test]
    fn an_ailing_task_is_named_until_it_recovers() {
        let readiness = Readiness::default();
        let health = readiness.watch("outbox");
        assert_eq!(readiness.ailing_task(), None);
        health.report(false);
        assert_eq!(readiness.ailing_task(), Some("outbox"));
        health.report(true);
        assert_eq!(readiness.ailing_task(), None);
    }
}
