//! Accounts are unique by address; guesses are counted before they are evaluated.

use svc_core::{Class, Digest, Seconds};
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

#[tokio::test(flavor = "multi_thread")]
async fn parallel_guesses_never_outrun_the_threshold() {
    let world = World::new().await;
    let guesses = (0..40).map(|_| {
        let (db, cx) = (world.db.clone(), world.cx.clone());
        tokio::spawn(async move {
            let mut tx = db.begin_system().await.unwrap();
            let reservation = attempts::reserve(&mut tx, &cx, SUBJECT, POLICY).await.unwrap();
            tx.commit().await.unwrap();
            reservation
        })
    });
    let mut evaluated = 0;
    for guess in guesses.collect::<Vec<_>>() {
        evaluated += u32::from(!guess.await.unwrap().is_locked());
    }
    assert_eq!(evaluated, POLICY.max_attempts);
}

#[tokio::test]
async fn each_further_lock_lasts_twice_as_long() {
    let world = World::new().await;
    let mut cx = world.cx.clone();
    for lock in [900, 1800, 3600] {
        let mut tx = world.db.begin_system().await.unwrap();
        for _ in 1..POLICY.max_attempts {
            assert_eq!(attempts::reserve(&mut tx, &cx, SUBJECT, POLICY).await.unwrap(), Reservation::Granted);
        }
        let (until, is_first) = (cx.now + Seconds(lock), lock == 900);
        let last = attempts::reserve(&mut tx, &cx, SUBJECT, POLICY).await.unwrap();
        assert_eq!(last, Reservation::Last { until, is_first });
        cx.now = cx.now + Seconds(lock - 1);
        let locked = attempts::reserve(&mut tx, &cx, SUBJECT, POLICY).await.unwrap();
        assert_eq!(locked, Reservation::Locked { until });
        cx.now = cx.now + Seconds(1);
        tx.commit().await.unwrap();
    }
    let mut tx = world.db.begin_system().await.unwrap();
    attempts::clear(&mut tx, SUBJECT);
    assert_eq!(attempts::reserve(&mut tx, &cx, SUBJECT, POLICY).await.unwrap(), Reservation::Granted);
}

#[tokio::test]
async fn a_guess_that_was_not_evaluated_is_given_back_the_last_one_with_its_lock() {
    let world = World::new().await;
    let mut tx = world.db.begin_system().await.unwrap();
    for _ in 0..20 {
        let reservation = attempts::reserve(&mut tx, &world.cx, SUBJECT, POLICY).await.unwrap();
        assert_eq!(reservation, Reservation::Granted);
        attempts::give_back(&mut tx, SUBJECT, reservation, POLICY);
    }
    for _ in 1..POLICY.max_attempts {
        attempts::reserve(&mut tx, &world.cx, SUBJECT, POLICY).await.unwrap();
    }
    for _ in 0..3 {
        let last = attempts::reserve(&mut tx, &world.cx, SUBJECT, POLICY).await.unwrap();
        assert!(matches!(last, Reservation::Last { is_first: true, .. }), "{last:?}");
        assert!(attempts::is_locked(&mut tx, &world.cx, SUBJECT).await.unwrap());
        attempts::give_back(&mut tx, SUBJECT, last, POLICY);
        assert!(!attempts::is_locked(&mut tx, &world.cx, SUBJECT).await.unwrap());
    }
}
