//! The pool as its callers see it.

use argon2::{Argon2, PasswordVerifier};
use svc_core::{Class, SeededEntropy, Timestamp};

use super::*;

const PARAMS: PasswordParams =
    PasswordParams { memory_kib: 64, iterations: 1, parallelism: 1, max_concurrent: 2 };
/// Vectors of the reference implementation: "password", "somesalt".
const REFERENCE: [&str; 3] = [
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
    "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
];

fn pool() -> PasswordPool {
    PasswordPool::new(PARAMS).unwrap()
}

fn secret(text: &str) -> Secret {
    Secret::new(text)
}

#[tokio::test]
async fn a_password_verifies_against_its_own_hash_only() {
    let pool = pool();
    let phc = pool.of(None).hash(&secret("correct horse"), &SeededEntropy::new(1)).await.unwrap();
    assert!(phc.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{phc}");
    assert!(pool.of(None).verify(&secret("correct horse"), Some(&phc)).await.unwrap());
    assert!(!pool.of(None).verify(&secret("correct horsE"), Some(&phc)).await.unwrap());
    assert!(!pool.of(None).verify(&secret(""), Some(&phc)).await.unwrap());
    assert!(Argon2::default().verify_password(b"correct horse", phc.as_str()).is_ok());
}

#[tokio::test]
async fn equal_passwords_hash_differently_and_long_tails_count() {
    let (pool, entropy) = (pool(), SeededEntropy::new(1));
    let long = "x".repeat(1023);
    let one = pool.of(None).hash(&secret(&format!("{long}a")), &entropy).await.unwrap();
    let two = pool.of(None).hash(&secret(&format!("{long}a")), &entropy).await.unwrap();
    assert_ne!(one, two);
    assert!(!pool.of(None).verify(&secret(&format!("{long}b")), Some(&one)).await.unwrap());
}

#[tokio::test]
async fn hashes_with_other_parameters_verify_and_ask_to_be_renewed() {
    let pool = pool();
    for phc in REFERENCE {
        assert!(pool.of(None).verify(&secret("password"), Some(phc)).await.unwrap(), "{phc}");
        assert!(!pool.of(None).verify(&secret("passwore"), Some(phc)).await.unwrap(), "{phc}");
        assert!(pool.needs_rehash(phc), "{phc}");
    }
    let own = pool.of(None).hash(&secret("password"), &SeededEntropy::new(1)).await.unwrap();
    assert!(!pool.needs_rehash(&own));
}

#[tokio::test]
async fn an_unknown_account_is_verified_at_the_same_cost() {
    assert!(!pool().of(None).verify(&secret("anything"), None).await.unwrap());
    let full = PasswordPool::with_limits(PARAMS, 0, PATIENCE).unwrap();
    assert!(
        full.of(None).verify(&secret("anything"), None).await.is_err(),
        "the dummy takes its place in the queue"
    );
}

#[tokio::test]
async fn a_malformed_or_unaffordable_hash_is_an_error_not_a_mismatch() {
    let pool = pool();
    for bad in [
        "",
        "plain",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ",
        "$argon2id$v=18$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uI",
        "$argon2id$v=19$m=4000000,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=4000000,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    ] {
        let error = pool.of(None).verify(&secret("password"), Some(bad)).await.unwrap_err();
        assert_eq!(error.class(), Class::ServerError, "{bad}");
        assert!(pool.needs_rehash(bad));
    }
}

#[tokio::test]
async fn a_full_queue_and_a_late_turn_ask_to_come_back() {
    let full = PasswordPool::with_limits(PARAMS, 0, PATIENCE).unwrap();
    let late = PasswordPool::with_limits(PARAMS, 8, Duration::ZERO).unwrap();
    for pool in [full, late] {
        let error = pool.of(None).hash(&secret("password"), &SeededEntropy::new(1)).await.unwrap_err();
        assert_eq!((error.class(), error.wait()), (Class::TemporarilyUnavailable, Some(1)));
    }
}

#[tokio::test]
async fn many_at_once_are_all_answered() {
    let pool = Arc::new(pool());
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..32 {
        let pool = Arc::clone(&pool);
        let password = secret(if number % 2 == 0 { "password" } else { "other" });
        tasks.spawn(async move {
            (number % 2 == 0, pool.of(None).verify(&password, Some(REFERENCE[0])).await.unwrap())
        });
    }
    while let Some(answer) = tasks.join_next().await {
        let (expected, verified) = answer.unwrap();
        assert_eq!(expected, verified);
    }
}

#[test]
fn threads_end_with_the_pool() {
    let mut pool = pool();
    let workers = std::mem::take(&mut pool.workers);
    drop(pool);
    for worker in workers {
        worker.join().unwrap();
    }
}

/// A job, and where its answer arrives.
fn job(text: &str) -> (Job, oneshot::Receiver<Result<Vec<u8>>>) {
    let (reply, answer) = oneshot::channel();
    let recipe = Recipe::new(&PARAMS).unwrap();
    let work = Work::Argon2 { recipe, salt: vec![1; 16] };
    (Job { whose: None, password: secret(text), work, since: Instant::now(), reply }, answer)
}

#[test]
fn waiting_jobs_leave_in_order_and_a_closed_queue_takes_none() {
    let queue = Queue::new(2);
    queue.push(job("first").0).unwrap();
    queue.push(job("second").0).unwrap();
    assert!(queue.push(job("third").0).is_err());
    assert!(matches!(queue.next(None), Turn::Hash(job) if job.password.expose() == "first"));
    queue.close();
    assert!(matches!(queue.next(None), Turn::End));
    assert!(queue.push(job("fourth").0).is_err());
}

#[test]
fn tenants_have_turns_and_the_one_that_fills_the_queue_gives_way_to_others() {
    let [flooded, quiet, third] = [1, 2, 3].map(|seed| {
        let entropy = SeededEntropy::new(seed);
        Some(TenantRef::new(Timestamp::from_secs(0), &entropy))
    });
    let push = |queue: &Queue, whose, text| {
        let (job, answer) = job(text);
        queue.push(Job { whose, ..job }).map(|()| answer)
    };
    let queue = Queue::new(4);
    let mut flood = ["a", "b", "c", "d"].map(|text| push(&queue, flooded, text).unwrap());
    assert!(push(&queue, flooded, "e").is_err(), "the one that has the most waits for its own");
    let _answer = push(&queue, quiet, "f").unwrap();
    let error = flood[3].try_recv().unwrap().unwrap_err();
    assert_eq!((error.class(), error.wait()), (Class::TemporarilyUnavailable, Some(1)));
    assert_eq!(queue.len(), 4);
    for expected in ["a", "f", "b", "c"] {
        assert!(
            matches!(queue.next(None), Turn::Hash(job) if job.password.expose() == expected),
            "{expected}"
        );
    }
    assert_eq!(queue.len(), 0);

    let full = Queue::new(2);
    let _answers = [flooded, quiet].map(|whose| push(&full, whose, "one").unwrap());
    assert!(push(&full, third, "one").is_err(), "no one has more than the third would");
}

#[test]
fn a_thread_gives_its_memory_back_when_no_work_comes_and_takes_it_again() {
    let (queue, mut arena) = (Queue::new(2), Arena::new(&Recipe::new(&PARAMS).unwrap()).unwrap());
    let mut tags = Vec::new();
    for _ in 0..2 {
        let (job, mut answer) = job("password");
        queue.push(job).unwrap();
        assert!(turn(&queue, &mut arena, PATIENCE, REST));
        tags.push(answer.try_recv().unwrap().unwrap());
        assert!(arena.is_taken());
        assert!(turn(&queue, &mut arena, PATIENCE, Duration::ZERO));
        assert!(!arena.is_taken());
    }
    assert_eq!(tags.first(), tags.last());
    queue.close();
    assert!(!turn(&queue, &mut arena, PATIENCE, REST));
}

#[test]
fn impossible_parameters_are_refused() {
    for params in [
        PasswordParams { memory_kib: 0, ..PARAMS },
        PasswordParams { iterations: 0, ..PARAMS },
        PasswordParams { parallelism: 0, ..PARAMS },
        PasswordParams { memory_kib: 8, parallelism: 4, ..PARAMS },
    ] {
        assert!(PasswordPool::new(params).is_err(), "{params:?}");
    }
}
