//! A process that is killed under load: what was acknowledged holds, and nothing is worth anything twice (F1, F2, I1, I2).

use svc_db::SystemSql;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::JoinSet;

use super::{Ledger, rounds};
use crate::harness::Answer;
use crate::process::person::{Ada, SEED, refresh_token_of};
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
        let place = Place::migrated().await;
        place
            .populate(&SEED.replace(
                "\"refresh_token\"]",
                "\"refresh_token\", \"urn:ietf:params:oauth:grant-type:device_code\"]",
            ))
            .await;
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
        let redeem = |ada: Ada, code: String| async move { granted(ada.exchange(&code).await) };
        redeemed_once(&mut victim, round, &codes, &mut ledger, redeem).await;
        ledger.add("codes that were worth something twice", 0);
    }
    nothing_is_orphaned(&victim.place).await;
}

#[tokio::test]
async fn a_device_code_is_redeemed_once_whenever_the_process_dies() {
    let mut victim = Victim::new().await;
    let mut ledger = Ledger::of("The process is killed while devices fetch their tokens");
    for round in 0..rounds(5) {
        forget_limits(&victim.place).await;
        let mut codes = Vec::new();
        for _ in 0..AT_ONCE {
            codes.push(victim.ada.device_code().await);
        }
        let redeem = |ada: Ada, code: String| async move { granted(ada.poll(&code).await) };
        redeemed_once(&mut victim, round, &codes, &mut ledger, redeem).await;
        ledger.add("codes that were worth something twice", 0);
    }
    nothing_is_orphaned(&victim.place).await;
}

#[tokio::test]
async fn a_pushed_request_yields_one_code_whenever_the_process_dies() {
    let mut victim = Victim::new().await;
    let mut ledger = Ledger::of("The process is killed while pushed requests are redeemed");
    for round in 0..rounds(5) {
        let mut addresses = Vec::new();
        for _ in 0..AT_ONCE {
            addresses.push(victim.ada.pushed().await);
        }
        let redeem = |mut ada: Ada, address: String| async move {
            let answer = ada.get(&address).await?;
            assert!([303, 400].contains(&answer.status), "{answer:?}");
            Some(answer.status == 303 && answer.redirect_param("code").is_some())
        };
        redeemed_once(&mut victim, round, &addresses, &mut ledger, redeem).await;
        ledger.add("requests that were worth something twice", 0);
    }
    nothing_is_orphaned(&victim.place).await;
}

/// A person enters no more than some codes in a while.
async fn forget_limits(place: &Place) {
    let mut tx = place.database.db.begin_system().await.unwrap();
    tx.execute(SystemSql::new("DELETE FROM coordination_entries"), &[]).await.unwrap();
    tx.commit().await.unwrap();
}

/// Whether tokens were given; nothing where the answer was lost.
fn granted(answer: Option<Answer>) -> Option<bool> {
    let answer = answer?;
    assert!([200, 400].contains(&answer.status), "{answer:?}");
    Some(answer.status == 200)
}

/// Kills the process while each secret is redeemed by two at once: it is worth something once at most, before and after.
async fn redeemed_once<F: Future<Output = Option<bool>> + Send + 'static>(
    victim: &mut Victim,
    round: usize,
    secrets: &[String],
    ledger: &mut Ledger,
    redeem: impl Fn(Ada, String) -> F,
) {
    let after = 1 + round % 10 * 2;
    let outcomes = victim.dies_after(after, |ada, answered| twice(secrets, ada, answered, &redeem)).await;
    for secret in secrets {
        let before =
            outcomes.iter().filter(|(known, granted)| known == secret && *granted == Some(true)).count();
        ledger.add("redemptions acknowledged", before);
        assert!(before <= 1, "round {round}: redeemed twice");
        let mut successes = before;
        // An answer that was lost may have been a success; one is the most all the same.
        for _ in 0..2 {
            successes += usize::from(redeem(victim.ada.clone(), secret.clone()).await.unwrap());
        }
        assert!(successes <= 1, "round {round}: {successes} successes, {before} of them before it died");
    }
    ledger.add("times", 1);
}

fn twice<F: Future<Output = Option<bool>> + Send + 'static>(
    secrets: &[String],
    ada: &Ada,
    answered: &Answered,
    redeem: impl Fn(Ada, String) -> F,
) -> JoinSet<(String, Option<bool>)> {
    let mut redeemers = JoinSet::new();
    for secret in secrets.iter().chain(secrets).cloned() {
        let (asking, answered) = (redeem(ada.clone(), secret.clone()), answered.clone());
        redeemers.spawn(async move {
            let granted = asking.await;
            let _ = answered.send(());
            (secret, granted)
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
