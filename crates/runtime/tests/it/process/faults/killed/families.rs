//! Refresh tokens of a process that is killed: what was handed out works, what was revoked stays revoked (F2, I1).

use tokio::task::JoinSet;

use super::{AT_ONCE, Answered, Ledger, Victim, rounds};
use crate::harness::Answer;
use crate::process::person::{Ada, SEED, refresh_token_of};

#[tokio::test]
async fn a_token_that_was_handed_out_outlives_the_process() {
    // A rotation whose answer was lost is repeated when the next process serves, be that late.
    let mut victim = Victim::with(&[("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "60")], SEED).await;
    let mut ledger = Ledger::of("The process is killed while tokens are rotated");
    for round in 0..rounds(10) {
        let families = victim.refresh_tokens().await;
        let after = AT_ONCE + round % 10 * 7;
        let families = victim.dies_after(after, |ada, answered| rotate(families, ada, answered)).await;
        for held in families {
            // The newest that its holder saw works: as the newest, or within the grace of a rotation whose answer was lost.
            let newest = held.last().unwrap();
            let next = victim.ada.refresh(newest).await.unwrap();
            assert_eq!(next.status, 200, "round {round}: an acknowledged token was lost: {next:?}");
            if let [.., old, _, _] = held.as_slice() {
                let replay = victim.ada.refresh(old).await.unwrap();
                assert_eq!(replay.status, 400, "round {round}: an old token works again");
                let after = victim.ada.refresh(&refresh_token_of(&next)).await.unwrap();
                assert_eq!(after.status, 400, "round {round}: the replayed family lives");
            }
            ledger.add("rotations acknowledged", held.len() - 1);
        }
        ledger.add("times", 1);
        ledger.add("acknowledged and lost", 0);
    }
    victim.nothing_is_orphaned().await;
}

/// Each holder rotates until the process is gone.
fn rotate(families: Vec<String>, ada: &Ada, answered: &Answered) -> JoinSet<Vec<String>> {
    let mut holders = JoinSet::new();
    for first in families {
        let (ada, answered) = (ada.clone(), answered.clone());
        holders.spawn(async move {
            let mut held = vec![first];
            while let Some(answer) = ada.refresh(held.last().unwrap()).await {
                assert_eq!(answer.status, 200, "{answer:?}");
                held.push(refresh_token_of(&answer));
                let _ = answered.send(());
            }
            held
        });
    }
    holders
}

#[tokio::test]
async fn what_was_revoked_stays_revoked_whenever_the_process_dies() {
    let mut victim = Victim::new().await;
    let mut ledger = Ledger::of("The process is killed while tokens are revoked");
    for round in 0..rounds(10) {
        let tokens = victim.refresh_tokens().await;
        let answers = victim.dies_after(1 + round % 10, |ada, answered| revoke(tokens, ada, answered)).await;
        for (token, _) in answers.iter().filter(|(_, answer)| answer.is_some()) {
            let after = victim.ada.refresh(token).await.unwrap();
            assert_eq!(after.status, 400, "round {round}: a revoked token works again");
            ledger.add("revocations acknowledged", 1);
        }
        ledger.add("times", 1);
        ledger.add("revoked and valid again", 0);
    }
    victim.nothing_is_orphaned().await;
}

fn revoke(tokens: Vec<String>, ada: &Ada, answered: &Answered) -> JoinSet<(String, Option<Answer>)> {
    let mut holders = JoinSet::new();
    for token in tokens {
        let (ada, answered) = (ada.clone(), answered.clone());
        holders.spawn(async move {
            let answer = ada.revoke(&token).await;
            let _ = answered.send(());
            (token, answer)
        });
    }
    holders
}

impl Victim {
    /// One token of each of as many families as are used at once.
    async fn refresh_tokens(&mut self) -> Vec<String> {
        let mut tokens = Vec::new();
        for _ in 0..AT_ONCE {
            tokens.push(self.ada.refresh_token().await);
        }
        tokens
    }
}
