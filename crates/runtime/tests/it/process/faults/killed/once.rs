//! Secrets that count once, however the process ends: what each says of itself, and how it is tried (F1, F3).

use std::future::ready;

use tokio::task::JoinSet;

use super::{AT_ONCE, Answered, Ledger, Victim, rounds};
use crate::process::person::{Ada, SEED};

/// The use of a secret that did not count.
pub struct Refused;

/// The result of a use: what it gave, or nothing where the answer was lost.
pub type Came<G> = Option<Result<G, Refused>>;

/// A secret that counts once.
pub trait Once: Clone + Send + Sync + 'static {
    /// What the page of reliability calls the fault.
    const FAULT: &'static str;
    /// What must not be, as it is counted there.
    const TWICE: &'static str = "secrets that were worth something twice";
    /// How often the process dies in the ordinary suite.
    const ROUNDS: usize = 3;
    /// Settings of the process.
    const SETTINGS: &'static [(&'static str, &'static str)] = &[];

    /// What a use that counts gives, to be held against what is there after the restart.
    type Gain: Send + 'static;

    /// What the deployment begins with.
    fn seed() -> String {
        SEED.to_owned()
    }

    /// As many as are used at once, each for its own use.
    async fn issue(victim: &mut Victim, round: usize) -> Vec<Self>;

    /// Uses it once.
    fn spend(self, ada: Ada) -> impl Future<Output = Came<Self::Gain>> + Send;

    /// Proves after the restart that what was acknowledged holds.
    fn holds(_gain: Self::Gain, _victim: &Victim) -> impl Future<Output = ()> {
        ready(())
    }
}

/// Kills the process again and again while each secret is used by two at once: it is worth something once at most, before and after, and
/// what it gave stays given.
pub async fn spent_once<S: Once>() {
    let mut victim = Victim::with(S::SETTINGS, &S::seed()).await;
    let mut ledger = Ledger::of(S::FAULT);
    for round in 0..rounds(S::ROUNDS) {
        victim.forget_the_last_round().await;
        let secrets = S::issue(&mut victim, round).await;
        assert_eq!(secrets.len(), AT_ONCE);
        let after = 1 + round % 10 * 2;
        let came = victim.dies_after(after, |ada, answered| twice(&secrets, ada, answered)).await;
        let mut gains: Vec<Vec<S::Gain>> = secrets.iter().map(|_| Vec::new()).collect();
        for (number, came) in came {
            gains[number].extend(came.and_then(Result::ok));
        }
        for (secret, gains) in secrets.into_iter().zip(gains) {
            let before = gains.len();
            ledger.add("redemptions acknowledged", before);
            assert!(before <= 1, "round {round}: redeemed twice");
            for gain in gains {
                S::holds(gain, &victim).await;
            }
            let mut successes = before;
            // An answer that was lost may have been a success; one is the most all the same.
            for _ in 0..2 {
                let again = secret.clone().spend(victim.ada.clone()).await.expect("an answer");
                successes += usize::from(again.is_ok());
            }
            assert!(successes <= 1, "round {round}: {successes} successes, {before} of them before it died");
        }
        ledger.add("times", 1);
        ledger.add(S::TWICE, 0);
    }
    victim.nothing_is_orphaned().await;
    // Each of a round may have been spent by a use whose answer was lost: what was tried is worth something where nothing dies.
    victim.forget_the_last_round().await;
    let secrets = S::issue(&mut victim, rounds(S::ROUNDS)).await;
    let came = secrets[0].clone().spend(victim.ada.clone()).await.expect("an answer");
    assert!(came.is_ok(), "a secret is worth nothing");
}

/// Each secret is used by two; with the number of the secret.
fn twice<S: Once>(secrets: &[S], ada: &Ada, answered: &Answered) -> JoinSet<(usize, Came<S::Gain>)> {
    let mut users = JoinSet::new();
    for (number, secret) in secrets.iter().enumerate().chain(secrets.iter().enumerate()) {
        let (using, answered) = (secret.clone().spend(ada.clone()), answered.clone());
        users.spawn(async move {
            let came = using.await;
            let _ = answered.send(());
            (number, came)
        });
    }
    users
}
