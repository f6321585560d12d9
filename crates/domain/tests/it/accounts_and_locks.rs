//! Accounts are unique by address; guesses are counted before they are evaluated.

use svc_core::{Class, Cx, Digest, Seconds};
use svc_domain::claims::profile::Profile;
use svc_domain::coordination::attempts::{self, Policy, Reservation};
use svc_domain::people::accounts::{self, Email, NewAccount};

use crate::world::World;

const POLICY: Policy = Policy { max_attempts: 5, lockout: Seconds(900) };
const SUBJECT: Digest = Digest([9; 32]);

#[tokio::test]
async fn an_address_belongs_to_one_account_whatever_its_case() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    world.person(tenant, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let email = Email::parse("ADA@Example.com").unwrap();
    assert!(accounts::find_by_email(&mut tx, &email).await.unwrap().is_some());
    let again =
        NewAccount { email: Some(email), email_verified: false, password: None, profile: Profile::default() };
    assert_eq!(accounts::create(&mut tx, &world.cx, &again).await.unwrap_err().class(), Class::Conflict);
}

async fn reserve(world: &World, cx: &Cx) -> Reservation {
    let tx = world.db.begin_system().await.unwrap();
    let [reservation] = attempts::reserve(tx, cx, [SUBJECT], POLICY).await.unwrap();
    reservation
}

/// Returns a reservation; says whether the subject is locked then.
async fn give_back(world: &World, reservation: Reservation) -> bool {
    let mut tx = world.db.begin_system().await.unwrap();
    attempts::give_back(&mut tx, SUBJECT, reservation, POLICY);
    let is_locked = attempts::is_locked(&mut tx, &world.cx, SUBJECT).await.unwrap();
    tx.commit().await.unwrap();
    is_locked
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_guesses_never_outrun_the_threshold() {
    let world = World::new().await;
    let guesses = (0..40).map(|_| {
        let (db, cx) = (world.db.clone(), world.cx.clone());
        tokio::spawn(async move {
            let tx = db.begin_system().await.unwrap();
            attempts::reserve(tx, &cx, [SUBJECT], POLICY).await.unwrap()
        })
    });
    let mut evaluated = Vec::new();
    for guess in guesses.collect::<Vec<_>>() {
        evaluated.extend(guess.await.unwrap().into_iter().filter(|reservation| !reservation.is_locked()));
    }
    assert_eq!(evaluated.len(), POLICY.max_attempts as usize);
    let last = Reservation::Last { until: world.cx.now + POLICY.lockout, is_first: true };
    assert_eq!(evaluated.iter().filter(|reservation| **reservation == last).count(), 1, "{evaluated:?}");
}

#[tokio::test]
async fn each_further_lock_lasts_twice_as_long_up_to_a_day() {
    let world = World::new().await;
    let mut cx = world.cx.clone();
    let spans = (0..).map(|lock| (900_i64 << lock).min(86_400));
    for (lock, span) in spans.take(18).enumerate() {
        for _ in 1..POLICY.max_attempts {
            assert_eq!(reserve(&world, &cx).await, Reservation::Granted);
        }
        let (until, is_first) = (cx.now + Seconds(span), lock == 0);
        assert_eq!(reserve(&world, &cx).await, Reservation::Last { until, is_first });
        cx.now = cx.now + Seconds(span - 1);
        assert_eq!(reserve(&world, &cx).await, Reservation::Locked { until });
        cx.now = cx.now + Seconds(1);
    }
    let mut tx = world.db.begin_system().await.unwrap();
    attempts::clear(&mut tx, SUBJECT);
    tx.commit().await.unwrap();
    assert_eq!(reserve(&world, &cx).await, Reservation::Granted);
}

#[tokio::test]
async fn where_one_guess_is_allowed_each_is_the_last() {
    let world = World::new().await;
    let mut cx = world.cx.clone();
    let policy = Policy { max_attempts: 1, lockout: Seconds(60) };
    for (span, is_first) in [(60, true), (120, false)] {
        let until = cx.now + Seconds(span);
        for expected in [Reservation::Last { until, is_first }, Reservation::Locked { until }] {
            let tx = world.db.begin_system().await.unwrap();
            assert_eq!(attempts::reserve(tx, &cx, [SUBJECT], policy).await.unwrap(), [expected]);
        }
        cx.now = until;
    }
}

#[tokio::test]
async fn a_guess_that_was_not_evaluated_is_given_back_the_last_one_with_its_lock() {
    let world = World::new().await;
    for _ in 0..20 {
        let reservation = reserve(&world, &world.cx).await;
        assert_eq!(reservation, Reservation::Granted);
        assert!(!give_back(&world, reservation).await);
    }
    for _ in 1..POLICY.max_attempts {
        reserve(&world, &world.cx).await;
    }
    for _ in 0..3 {
        let last = reserve(&world, &world.cx).await;
        assert!(matches!(last, Reservation::Last { is_first: true, .. }), "{last:?}");
        assert!(reserve(&world, &world.cx).await.is_locked());
        assert!(!give_back(&world, last).await);
    }
    let last = reserve(&world, &world.cx).await;
    assert!(matches!(last, Reservation::Last { .. }), "{last:?}");
    assert!(give_back(&world, Reservation::Granted).await, "an earlier guess that comes back opens no lock");
    assert!(reserve(&world, &world.cx).await.is_locked());
}
