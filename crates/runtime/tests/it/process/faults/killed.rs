//! A process that is killed under load: what was acknowledged holds, and nothing is worth anything twice (F1, F2, I1, I2).

use svc_db::SystemSql;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinSet;

use super::{Ledger, rounds};
use crate::harness::Answer;
use crate::process::person::{Ada, refresh_token_of};
use crate::process::{Place, Service};

const AT_ONCE: usize = 12;

/// A process that is killed and started again, and Ada, who asks it.
struct Victim {
    place: Place,
    service: Service,
    ada: Ada,
}

/// Says that a request was answered.
type Answered = UnboundedSender<()>;

impl Victim {
    async fn new() -> Self {
        let place = Place::populated().await;
        let service = place.serve().await;
        let ada = place.ada(service.address).await;
        Self { place, service, ada }
    }

    /// Kills the process after so many answers to what has begun, and starts it again; what all that came to.
    async fn dies_after<T: Send + 'static>(
        &mut self,
        answers: usize,
        begin: impl FnOnce(&Ada, &Answered) -> JoinSet<T>,
    ) -> Vec<T> {
        let (sender, mut answered) = mpsc::unbounded_channel();
        let begun = begin(&self.ada, &sender);
        for _ in 0..answers {
            answered.recv().await;
        }
        self.service.kill().await;
        let came = begun.join_all().await;
        self.service = self.place.serve().await;
        came
    }

    async fn refresh_tokens(&mut self) -> Vec<String> {
        let mut tokens = Vec::new();
        for _ in 0..AT_ONCE {
            tokens.push(self.ada.refresh_token().await);
        }
        tokens
    }
}

#[tokio::test]
async fn a_code_is_redeemed_once_whenever_the_process_dies() {
    let mut victim = Victim::new().await;
    let mut ledger = Ledger::of("The process is killed while codes are redeemed");
    for round in 0..rounds(10) {
        let mut codes = Vec::new();
        for _ in 0..AT_ONCE {
            codes.push(victim.ada.code().await);
        }
        let answers =
            victim.dies_after(1 + round % 10 * 2, |ada, answered| redeem_twice(&codes, ada, answered)).await;
        for code in &codes {
            let mine =
                answers.iter().filter(|(known, _)| known == code).filter_map(|(_, answer)| answer.as_ref());
            let granted = mine.filter(|answer| answer.status == 200).count();
            ledger.add("redemptions acknowledged", granted);
            assert!(granted <= 1, "round {round}: a code was redeemed twice");
            let replays =
                [victim.ada.exchange(code).await.unwrap(), victim.ada.exchange(code).await.unwrap()];
            for replay in &replays {
                assert!([200, 400].contains(&replay.status), "round {round}: {replay:?}");
            }
            // An answer that was lost may have been a success; then and else, one is the most.
            let successes = granted + replays.iter().filter(|replay| replay.status == 200).count();
            assert!(successes <= 1, "round {round}: {successes} successes, {granted} of them before it died");
        }
        ledger.add("times", 1);
        ledger.add("codes that were worth something twice", 0);
    }
    nothing_is_orphaned(&victim.place).await;
}

fn redeem_twice(codes: &[String], ada: &Ada, answered: &Answered) -> JoinSet<(String, Option<Answer>)> {
    let mut redeemers = JoinSet::new();
    for code in codes.iter().chain(codes).cloned() {
        let (ada, answered) = (ada.clone(), answered.clone());
        redeemers.spawn(async move {
            let answer = ada.exchange(&code).await;
            let _ = answered.send(());
            (code, answer)
        });
    }
    redeemers
}

#[tokio::test]
async fn a_token_that_was_handed_out_outlives_the_process() {
    let mut victim = Victim::new().await;
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
    nothing_is_orphaned(&victim.place).await;
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
    nothing_is_orphaned(&victim.place).await;
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

/// No token is without its family, no family without its session's owner, and no code without its application.
async fn nothing_is_orphaned(place: &Place) {
    for count in [
        "SELECT count(*) AS n FROM refresh_tokens held WHERE NOT EXISTS \
         (SELECT 1 FROM refresh_families family WHERE (family.tenant_id, family.id) = (held.tenant_id, held.family_id))",
        "SELECT count(*) AS n FROM refresh_families held WHERE NOT EXISTS \
         (SELECT 1 FROM tenant_users owner WHERE (owner.tenant_id, owner.id) = (held.tenant_id, held.tenant_user_id))",
        "SELECT count(*) AS n FROM codes held WHERE NOT EXISTS \
         (SELECT 1 FROM apps app WHERE (app.tenant_id, app.id) = (held.tenant_id, held.app_id))",
    ] {
        let mut tx = place.database.db.read_system().await.unwrap();
        assert_eq!(tx.one(SystemSql::new(count), &[]).await.unwrap().int("n").unwrap(), 0, "{count}");
    }
}
