//! The worker over a real database, with a queue whose attempts end when the test says so.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use svc_core::{OrInternal as _, Seconds, TenantId, TextKind};
use svc_db::{args, quiet_system_sql, system_sql};
use svc_domain::delivery::{New, Order, Schedule, enqueue};
use tokio::sync::Semaphore;

use super::shares::{Freed, Shares};
use super::*;
use crate::jobs::tests::World;
use crate::jobs::{Progress, cx};

/// Holds up each delivery that hangs.
static ANSWERS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));

#[derive(Serialize, Deserialize)]
struct Slow {
    hangs: bool,
}

impl Queue for Slow {
    type Kind = TextKind;
    const QUEUE: &'static str = "slow";
    const SCHEDULE: Schedule = Schedule::HOURS;
    const ORDER: Order = Order::AsDue;
}

impl Attempt for Slow {
    type Report = ();

    async fn attempt(_: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<()>>> {
        if due.payload()?.hangs {
            ANSWERS.acquire().await.or_internal()?.forget();
        }
        Ok(Some(Outcome::Taken.into()))
    }
}

async fn queue(world: &World, hang: bool, count: usize) {
    let cx = cx(&world.app, "test");
    let mut tx = world.app.db.begin(world.tenant).await.unwrap();
    for _ in 0..count {
        enqueue(&mut tx, &New::of(&cx, cx.id(), Slow { hangs: hang })).unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_delivery_that_hangs_holds_up_neither_the_others_nor_the_end_of_a_run_nor_is_it_lost_at_the_end() {
    let world = World::new(|_| {}).await;
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    let run = || (job::<Slow>().run)(&world.app, &workers);
    queue(&world, true, 1).await;
    world.pass(Seconds(1));
    queue(&world, false, 1_500).await;

    let mut tried = 0;
    for _ in 0..2 {
        let Progress { done, has_more } = run().await.unwrap();
        assert!(done >= 512 && has_more, "{done}");
        assert!(workers.kept.has(Slow::QUEUE));
        tried += done;
    }
    workers.stop();
    ANSWERS.add_permits(1);
    assert_eq!(run().await.unwrap(), Progress::of(0));
    assert!(!workers.kept.has(Slow::QUEUE));
    let taken = system_sql!("SELECT COUNT(*) AS count FROM deliveries WHERE state = 'taken'");
    assert_eq!(u64::try_from(world.count(taken).await).unwrap(), tried);
}

/// Lets those end that hang.
static END: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));

/// How many hang, or have hung.
static HANGING: AtomicU64 = AtomicU64::new(0);

/// The attempts that did not hang.
static BROUGHT: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(0));

#[derive(Serialize, Deserialize)]
struct Shared {
    hangs: bool,
}

impl Queue for Shared {
    type Kind = TextKind;
    const QUEUE: &'static str = "shared";
    const SCHEDULE: Schedule = Schedule::HOURS;
    const ORDER: Order = Order::ByTopic { at_once: 8 };
}

impl Attempt for Shared {
    type Report = ();

    async fn attempt(_: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<()>>> {
        if due.payload()?.hangs {
            HANGING.fetch_add(1, Ordering::SeqCst);
            END.acquire().await.or_internal()?.forget();
        } else {
            BROUGHT.add_permits(1);
        }
        Ok(Some(Outcome::Taken.into()))
    }
}

/// Queues so many deliveries to a receiver, each about something else.
async fn queue_shared(world: &World, tenant: TenantId, receiver: &str, (hangs, count): (bool, usize)) {
    let cx = cx(&world.app, "test");
    let mut tx = world.app.db.begin(tenant).await.unwrap();
    for _ in 0..count {
        let new = New::of(&cx, cx.id(), Shared { hangs });
        let topic = new.id.to_string();
        enqueue(&mut tx, &New { receiver: receiver.to_owned(), topic, ..new }).unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn receivers_that_hang_leave_places_to_others_of_their_tenant_and_to_other_tenants() {
    let world = World::new(|_| {}).await;
    let other = world.another_tenant("other").await;
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    for receiver in 0..16 {
        queue_shared(&world, world.tenant, &format!("hangs {receiver}"), (true, 8)).await;
    }
    world.pass(Seconds(1));
    queue_shared(&world, world.tenant, "answers", (false, 4)).await;
    for receiver in 0..5 {
        queue_shared(&world, other, &format!("answers {receiver}"), (false, 8)).await;
    }
    let others = async {
        BROUGHT.acquire_many(44).await.unwrap().forget();
        let hanging = HANGING.load(Ordering::SeqCst);
        END.add_permits(128);
        hanging
    };
    let (progress, hanging) = tokio::join!((job::<Shared>().run)(&world.app, &workers), others);
    assert!((16..=56).contains(&hanging), "{hanging} of 64 places");
    assert_eq!(progress.unwrap(), Progress::of(172));
}

#[tokio::test]
async fn a_tenant_with_much_under_way_gets_more_for_idle_receivers_alone_and_with_more_nothing() {
    let tenant = World::new(|_| {}).await.tenant;
    let mut shares = Shares::default();
    for number in 0..24 {
        let attempt = tokio::spawn(async {});
        shares.begin(attempt.id(), (tenant, format!("r{}", number % 2)));
    }
    let room = |free| shares.room(free).unwrap();
    for (free, of_one, without) in [
        (25, 12, String::new()),
        (24, 12, format!("{tenant}/r0 {tenant}/r1 ")),
        (8, 4, format!("{tenant} ")),
        (1, 1, format!("{tenant} ")),
    ] {
        let found = room(free);
        assert_eq!((found.of_one, found.without), (of_one, without), "{free}");
    }
}

#[tokio::test]
async fn more_is_asked_for_when_most_that_a_receiver_had_has_ended_or_a_claim_finds_nothing() {
    let tenant = World::new(|_| {}).await.tenant;
    let mut freed = Freed::default();
    let mut ended = |count, claimed| {
        if count > 0 {
            freed.add((tenant, "one".to_owned()), count);
        }
        freed.is_enough(claimed)
    };
    for (count, claimed, expected) in
        [(0, 0, false), (47, 1, false), (1, 1, true), (0, 0, false), (1, 8, false), (0, 0, true)]
    {
        assert_eq!(ended(count, claimed), expected, "{count} {claimed}");
    }
}

/// Whether the commit that writes an attempt down fails.
static BREAKS: AtomicBool = AtomicBool::new(true);

/// How many deactivations were counted.
static DEACTIVATED: AtomicU64 = AtomicU64::new(0);

#[derive(Serialize, Deserialize)]
struct Gone {}

impl Queue for Gone {
    type Kind = TextKind;
    const QUEUE: &'static str = "gone";
    const SCHEDULE: Schedule = Schedule::HOURS;
    const ORDER: Order = Order::AsDue;
}

impl Attempt for Gone {
    type Report = ();

    async fn attempt(_: &Carrier, _: &Delivery<Self>) -> Result<Option<Ended<()>>> {
        Ok(Some(Outcome::Over.into()))
    }

    async fn note(
        _: &App,
        tx: &mut Tx<System>,
        _: Held,
        _: &[Settled<Self>],
    ) -> Result<Option<&'static str>> {
        if BREAKS.load(Ordering::SeqCst) {
            let update = quiet_system_sql!("a test", "UPDATE deliveries SET state = NULL WHERE queue = $1");
            tx.later(update, args![Self::QUEUE]);
        }
        Ok(Some("gone"))
    }

    fn count_deactivated(_: &'static str) {
        DEACTIVATED.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_receiver_counts_as_deactivated_when_that_has_been_committed() {
    let world = World::new(|_| {}).await;
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    let run = || (job::<Gone>().run)(&world.app, &workers);
    let cx = cx(&world.app, "test");
    let mut tx = world.app.db.begin(world.tenant).await.unwrap();
    enqueue(&mut tx, &New::of(&cx, cx.id(), Gone {})).unwrap();
    tx.commit().await.unwrap();

    assert_eq!(run().await.unwrap(), Progress::of(1));
    assert_eq!(DEACTIVATED.load(Ordering::SeqCst), 0);
    BREAKS.store(false, Ordering::SeqCst);
    world.pass(Seconds(121));
    assert_eq!(run().await.unwrap(), Progress::of(1));
    assert_eq!(DEACTIVATED.load(Ordering::SeqCst), 1);
}
