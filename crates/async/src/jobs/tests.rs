//! The jobs over a real database, with a clock that moves only when told to.

use std::sync::Arc;
use std::task::{Context, Waker};

use svc_config::Config;
use svc_core::events::TokenIssued;
use svc_core::settled::STEP;
use svc_core::{Clock as _, Error, Seconds, TenantId};
use svc_db::coordination::{Coordination, NODE_SKEW};
use svc_db::{Engine, System, Tx, args, quiet_system_sql, system_sql};
use svc_domain::delivery;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::webhooks::{self, Configuration, NewWebhook};
use svc_domain::log::{Meaning, record};
use svc_domain::tokens::revocations::{self, Revoked};
use svc_http::Parts;
use svc_keys::Purpose;

use super::*;
use crate::mailer::relay::{Mood, Relay};
use crate::{Inbox, run_all_once};

pub struct World {
    pub app: App,
    pub tenant: TenantId,
    ground: svc_testkit::World,
}

impl World {
    pub async fn new(adjust: impl FnOnce(&mut Config)) -> Self {
        let world = svc_testkit::World::new().await;
        let mut config = Config::default();
        config.auth.argon2_memory_kib = 8 * 1024;
        config.auth.argon2_max_concurrent = 1;
        adjust(&mut config);
        let tenant = world.tenant("acme").await;
        let (db, services) = (world.db.clone(), world.services(&config).await);
        let (clock, entropy) = (world.clock.clone(), world.entropy.clone());
        let coordination = Coordination::database(db.clone());
        let planes = svc_http::Extensions::new();
        let (maintenance, replica) = (db.clone(), None);
        let parts =
            Parts { config, db, maintenance, replica, clock, entropy, services, coordination, planes };
        let app = App::new(parts).unwrap();
        Self { app, tenant, ground: world }
    }

    async fn with_relay(relay: &Relay) -> (Self, Mailer) {
        let world = Self::new(|config| {
            config.email.provider = svc_config::EmailProvider::Smtp;
            config.email.smtp = relay.settings();
        })
        .await;
        let mailer = Mailer::from_config(&world.app.config).unwrap();
        (world, mailer)
    }

    /// Another tenant.
    pub async fn another_tenant(&self, slug: &str) -> TenantId {
        self.ground.tenant(slug).await
    }

    /// Lets time pass, which the service sees go by.
    pub fn pass(&self, span: Seconds) {
        let until = self.ground.clock.now() + span;
        while self.ground.clock.now() < until {
            self.ground.clock.advance((until - self.ground.clock.now()).min(STEP));
            self.app.services.settled.look(self.ground.clock.now());
        }
    }

    async fn enqueue(&self, subject: &str) {
        let mail = NewMail {
            to: "ada@example.com".to_owned(),
            sender_name: None,
            subject: subject.to_owned(),
            text: "https://id.example/x".to_owned(),
            html: "<p>x</p>".to_owned(),
        };
        let cx = cx(&self.app, "test");
        let sealer = self.app.services.sealers.of(self.tenant, Purpose::Messages, &cx).await.unwrap();
        let mut tx = self.app.db.begin(self.tenant).await.unwrap();
        mails::enqueue(&mut tx, &cx, &sealer, mail).unwrap();
        tx.commit().await.unwrap();
    }

    /// State and failures of the only mail, and whether it is kept.
    async fn mail(&self) -> (String, i64, bool) {
        let mut tx = self.app.db.read_system().await.unwrap();
        let select = system_sql!("SELECT state, failures, payload FROM deliveries");
        let row = tx.one(select, args![]).await.unwrap();
        (row.text("state").unwrap(), row.int("failures").unwrap(), !row.text("payload").unwrap().is_empty())
    }

    pub async fn count(&self, statement: svc_db::SystemSql) -> i64 {
        let mut tx = self.app.db.read_system().await.unwrap();
        tx.one(statement, args![]).await.unwrap().int("count").unwrap()
    }
}

#[test]
fn names_are_distinct_because_logs_and_metrics_know_jobs_by_them() {
    for (index, job) in JOBS.iter().enumerate() {
        assert!(JOBS.iter().skip(index + 1).all(|other| other.name != job.name), "{}", job.name);
    }
}

#[test]
fn a_job_is_done_on_the_plane_that_it_needs_and_what_concerns_a_processs_own_memory_on_every_one() {
    let on = |plane| JOBS.iter().filter(|job| job.is_for(plane)).map(|job| job.name).collect::<Vec<_>>();
    let everywhere = ["sync", "keyring", "key-management", "journal", "secrets", "coordination"];
    assert_eq!(on(Plane::Auth), [&everywhere[..], &["report"]].concat());
    let of_control = ["custom_domains", "sessions", "leaving", "guests", "applications", "report"];
    assert_eq!(on(Plane::Control), [&everywhere[..], &of_control].concat());
    assert_eq!(on(Plane::All).len(), JOBS.len());
    assert_eq!(on(Plane::Async).len() + 5, JOBS.len());
}

/// One run may be under way when a token is issued, and the next writes it down.
#[test]
fn counts_of_tokens_are_written_so_often_that_a_crash_loses_a_second_of_them_at_most() {
    assert!(journal::JOB.every * 5 <= Duration::from_secs(1));
}

#[tokio::test]
async fn every_waiting_mail_is_sent_once_and_its_text_forgotten() {
    let world = World::new(|_| {}).await;
    let inbox = Arc::new(Inbox::default());
    let mailer = Mailer::Inbox(Arc::clone(&inbox));
    for number in 0..40 {
        world.enqueue(&format!("Mail {number}")).await;
    }
    run_all_once(&world.app, &mailer).await.unwrap();
    run_all_once(&world.app, &mailer).await.unwrap();
    assert_eq!(inbox.list().len(), 40);
    let bodies =
        system_sql!("SELECT COUNT(*) AS count FROM deliveries WHERE state <> 'taken' OR payload <> ''");
    assert_eq!(world.count(bodies).await, 0);
}

#[tokio::test]
async fn a_mail_waits_sealed_and_one_that_cannot_be_opened_holds_up_no_other() {
    let world = World::new(|_| {}).await;
    world.enqueue("Broken").await;
    let mut tx = world.app.db.begin_system().await.unwrap();
    let row = tx.one(system_sql!("SELECT payload FROM deliveries"), args![]).await.unwrap();
    let payload = row.text("payload").unwrap();
    let mut stored: serde_json::Value = serde_json::from_str(&payload).unwrap();
    let sealed = svc_keys::from_base64url(stored["content"].as_str().unwrap()).unwrap();
    assert!(!String::from_utf8_lossy(&sealed).contains("https://id.example"));
    let mut members: Vec<_> = stored.as_object().unwrap().keys().cloned().collect();
    members.sort();
    assert_eq!(members, ["content", "subject", "to"]);
    let broken: Vec<u8> = sealed.into_iter().rev().collect();
    stored["content"] = svc_keys::base64url(broken).into();
    waits_alone(&world, tx, &stored).await;
}

#[tokio::test]
async fn a_mail_that_a_newer_version_has_queued_waits_for_one_that_knows_it_and_holds_up_no_other() {
    let world = World::new(|_| {}).await;
    world.enqueue("Newer").await;
    let tx = world.app.db.begin_system().await.unwrap();
    waits_alone(&world, tx, &serde_json::json!({ "newer": "a name" })).await;
}

/// Puts a payload that cannot be read into the only delivery, which is then tried again, while the next one goes out.
async fn waits_alone(world: &World, mut tx: Tx<System>, payload: &serde_json::Value) {
    let put = quiet_system_sql!("a test", "UPDATE deliveries SET payload = $1");
    tx.execute(put, args![payload.to_string()]).await.unwrap();
    tx.commit().await.unwrap();
    world.enqueue("Whole").await;
    let inbox = Arc::new(Inbox::default());
    run_all_once(&world.app, &Mailer::Inbox(Arc::clone(&inbox))).await.unwrap();
    assert_eq!(inbox.list().into_iter().map(|mail| mail.subject).collect::<Vec<_>>(), ["Whole"]);
    let waiting =
        system_sql!("SELECT COUNT(*) AS count FROM deliveries WHERE state = 'due' AND failures = 1");
    assert_eq!(world.count(waiting).await, 1);
}

#[tokio::test]
async fn a_relay_that_is_busy_gets_the_mail_later() {
    let relay = Relay::start(Mood::Refuses("450 try again later")).await;
    let (world, mailer) = World::with_relay(&relay).await;
    world.enqueue("Hello").await;
    run_all_once(&world.app, &mailer).await.unwrap();
    assert_eq!(world.mail().await, ("due".to_owned(), 1, true));
    relay.becomes(Mood::Takes);
    run_all_once(&world.app, &mailer).await.unwrap();
    assert!(relay.received().is_empty(), "it is not due yet");
    world.pass(Seconds(6));
    run_all_once(&world.app, &mailer).await.unwrap();
    assert_eq!(relay.received().len(), 1);
    assert_eq!(world.mail().await, ("taken".to_owned(), 1, false));
}

#[tokio::test]
async fn a_mail_that_is_never_taken_is_given_up_after_the_last_attempt() {
    let relay = Relay::start(Mood::Refuses("550 no such person")).await;
    let (world, mailer) = World::with_relay(&relay).await;
    world.enqueue("Hello").await;
    for failures in 1..=5 {
        run_all_once(&world.app, &mailer).await.unwrap();
        assert_eq!(world.mail().await, ("due".to_owned(), failures, true));
        world.pass(Seconds(3_600 * 6 / 5));
    }
    run_all_once(&world.app, &mailer).await.unwrap();
    assert_eq!(world.mail().await, ("failed".to_owned(), 5, false));
    let refused = relay.refused();
    assert_eq!(refused, 6);
    world.pass(Seconds(86_400));
    run_all_once(&world.app, &mailer).await.unwrap();
    assert_eq!(relay.refused(), refused);
}

#[tokio::test]
async fn a_mail_is_taken_again_after_its_lease_which_a_clock_that_is_ahead_does_not_shorten() {
    let world = World::new(|_| {}).await;
    world.enqueue("Hello").await;
    let take = async || {
        let mut tx = world.app.db.begin_system().await.unwrap();
        let due = delivery::claim::<Mail>(&mut tx, world.app.clock.now(), 10).await.unwrap();
        tx.commit().await.unwrap();
        due.len()
    };
    assert_eq!(take().await, 1);
    // The last second of the longest attempt, as a node sees it whose clock is a minute ahead.
    world.pass(Seconds(50 + NODE_SKEW.0));
    assert_eq!(take().await, 0);
    world.pass(Seconds(9));
    assert_eq!(take().await, 0);
    world.pass(Seconds(1));
    assert_eq!(take().await, 1);
}

#[tokio::test]
async fn a_sweep_removes_what_has_ended_and_keeps_what_has_not() {
    let world = World::new(|_| {}).await;
    let mut tx = world.app.db.begin_system().await.unwrap();
    let insert = quiet_system_sql!(
        "a test",
        "INSERT INTO links (tenant_id, digest, kind, payload, state, created_at, expires_at) \
         VALUES ($1, $2, 'verify_email', '{}', 'live', $3, $3)"
    );
    let now = world.app.clock.now();
    for number in 0..1_200_u32 {
        let expires_at = if number < 1_100 { now } else { now + Seconds(1) };
        tx.execute(insert, args![world.tenant, number.to_be_bytes().to_vec(), expires_at]).await.unwrap();
    }
    tx.commit().await.unwrap();
    world.enqueue("Hello").await;
    let all = system_sql!("SELECT COUNT(*) AS count FROM links");
    let first = sweep::JOB;
    let workers = Workers::new(Mailer::Log, now);
    let progress = (first.run)(&world.app, &workers).await.unwrap();
    assert_eq!(progress, Progress { done: 500, has_more: true });
    run_all_once(&world.app, &Mailer::Inbox(Arc::default())).await.unwrap();
    assert_eq!(world.count(all).await, 100);
    let mails = system_sql!("SELECT COUNT(*) AS count FROM deliveries");
    world.pass(Seconds(30 * 86_400 - 1));
    run_all_once(&world.app, &Mailer::Log).await.unwrap();
    assert_eq!(world.count(mails).await, 1);
    world.pass(Seconds(1));
    run_all_once(&world.app, &Mailer::Log).await.unwrap();
    assert_eq!(world.count(mails).await, 0);
}

#[tokio::test]
async fn few_events_are_put_in_order_without_another_turn_at_once() {
    let world = World::new(|_| {}).await;
    run_all_once(&world.app, &Mailer::Log).await.unwrap();
    let (cx, workers) = (cx(&world.app, "test"), Workers::new(Mailer::Log, world.app.clock.now()));
    let mut tx = world.app.db.begin(world.tenant).await.unwrap();
    record(&mut tx, &cx, Meaning::issued(issued(&cx)));
    tx.commit().await.unwrap();
    let progress = (events::JOB.run)(&world.app, &workers).await.unwrap();
    assert_eq!(progress, Progress { done: 1, has_more: false });
}

fn issued(cx: &Cx) -> TokenIssued {
    TokenIssued {
        client_id: cx.id(),
        sub: "ada".to_owned(),
        tenant_user_id: None,
        aud: "https://api.example".to_owned(),
        scope: None,
        grant_type: None,
        count: None,
    }
}

/// A subscription to tokens of a tenant, and a token.
async fn subscribed(world: &World, tenant: TenantId) {
    let configuration = Configuration {
        url: "https://receiver.example/".to_owned(),
        event_types: vec!["auth.token.issued".to_owned()],
        description: None,
    };
    let new = NewWebhook { configuration: &configuration, active: true, secret: None };
    let cx = cx(&world.app, "test");
    let sealer = world.app.services.sealers.of(tenant, Purpose::Credentials, &cx).await.unwrap();
    let mut tx = world.app.db.begin(tenant).await.unwrap();
    webhooks::create(&mut tx, &cx, &sealer, new).await.unwrap();
    record(&mut tx, &cx, Meaning::issued(issued(&cx)));
    tx.commit().await.unwrap();
}

/// A tenant with a subscription and a token, and another one that has the same.
async fn two_subscribed() -> (World, TenantId) {
    let world = World::new(|_| {}).await;
    let other = world.another_tenant("other").await;
    for tenant in [world.tenant, other] {
        subscribed(&world, tenant).await;
    }
    (world, other)
}

#[tokio::test]
async fn a_tenant_that_cannot_be_read_keeps_no_other_from_its_deliveries_and_its_checkpoint() {
    let (world, _) = two_subscribed().await;
    let spoil = quiet_system_sql!("a test", "UPDATE tenants SET settings = '' WHERE id = $1");
    let mut tx = world.app.db.begin_system().await.unwrap();
    tx.execute(spoil, args![world.tenant]).await.unwrap();
    tx.commit().await.unwrap();
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    for job in [events::JOB, audit::JOB, audit::CHECKPOINTS] {
        (job.run)(&world.app, &workers).await.unwrap();
    }
    let deliveries = system_sql!("SELECT COUNT(*) AS count FROM deliveries WHERE queue = 'webhooks'");
    let checkpoints = system_sql!("SELECT COUNT(*) AS count FROM audit_checkpoints");
    assert_eq!((world.count(deliveries).await, world.count(checkpoints).await), (1, 1));
}

#[tokio::test]
async fn the_logs_of_tenants_that_are_suspended_or_deleted_get_checkpoints_too() {
    let (world, other) = two_subscribed().await;
    let suspend = quiet_system_sql!("a test", "UPDATE tenants SET status = 'suspended' WHERE id = $1");
    let delete = quiet_system_sql!(
        "a test",
        "UPDATE tenants SET status = 'suspended', slug = 'deleted_other', delete_at = $2, deleted_at = $2 WHERE id = $1"
    );
    let mut tx = world.app.db.begin_system().await.unwrap();
    tx.execute(suspend, args![world.tenant]).await.unwrap();
    tx.execute(delete, args![other, world.app.clock.now()]).await.unwrap();
    tx.commit().await.unwrap();
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    for job in [audit::JOB, audit::CHECKPOINTS] {
        (job.run)(&world.app, &workers).await.unwrap();
    }
    assert_eq!(world.count(system_sql!("SELECT COUNT(*) AS count FROM audit_checkpoints")).await, 2);
}

#[test]
fn the_failure_of_one_tenant_is_passed_over_and_a_database_out_of_reach_is_not() {
    assert_eq!(of_one::<u64>(&"tnt_1", Ok(7)).unwrap(), 7);
    assert_eq!(of_one::<u64>(&"tnt_1", Err(Error::internal("unreadable"))).unwrap(), 0);
    assert!(of_one::<u64>(&"tnt_1", Err(Error::unavailable("no connection"))).is_err());
}

#[tokio::test]
async fn a_node_hears_of_what_a_long_request_on_a_node_whose_clock_is_behind_has_revoked() {
    for (longest, stamped) in [(30, 89), (300, 359), (0, 659)] {
        let world = World::new(|config| config.server.request_timeout_secs = Seconds(longest)).await;
        let elsewhere = Cx { now: world.app.clock.now() - Seconds(stamped), ..cx(&world.app, "elsewhere") };
        let mark = Revoked::Session(elsewhere.id());
        // Past the memory of this node, which would take in what it writes itself.
        let mut tx = world.ground.db.begin(world.tenant).await.unwrap();
        revocations::revoke(&mut tx, &elsewhere, &mark);
        tx.commit().await.unwrap();
        let workers = Workers::new(Mailer::Log, world.app.clock.now());
        (sync::JOB.run)(&world.app, &workers).await.unwrap();
        let revocations = &world.app.services.revocations;
        let has_ended = revocations.has_ended(world.tenant.reference(), elsewhere.now, [mark.clone(), mark]);
        assert!(has_ended, "stamped {stamped} s ago, where a request may take {longest} s");
    }
}

#[tokio::test]
async fn issued_tokens_are_written_down_at_shutdown() {
    let world = World::new(|_| {}).await;
    assert!(world.app.services.journal.count(
        world.tenant,
        cx(&world.app, "test").id(),
        "https://api.example"
    ));
    crate::run(world.app.clone(), Mailer::Inbox(Arc::default()), std::future::ready(())).await;
    assert_eq!(
        world
            .count(system_sql!("SELECT COUNT(*) AS count FROM audit_log WHERE action = 'token.issued'"))
            .await,
        1
    );
}

#[tokio::test]
async fn issued_tokens_are_written_down_although_the_caller_that_began_to_write_hangs_up() {
    let world = World::new(|_| {}).await;
    let (cx, journal) = (cx(&world.app, "test"), &world.app.services.journal);
    for number in 0..1_000 {
        assert!(journal.count(world.tenant, cx.id(), &format!("https://api{number}.example")));
    }
    let mut writing = Box::pin(journal.flush(&world.app.db, &cx));
    assert!(writing.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(writing);
    journal.flush(&world.app.db, &cx).await.unwrap();
    let written = system_sql!("SELECT COUNT(*) AS count FROM audit_log WHERE action = 'token.issued'");
    assert_eq!(world.count(written).await, 1_000);
}

#[tokio::test]
async fn sqlite_gives_pages_back_in_runs_that_are_short_for_those_who_write() {
    let world = World::new(|_| {}).await;
    if world.app.db.engine() == Engine::Postgres {
        return;
    }
    let fill = quiet_system_sql!(
        "a test",
        "INSERT INTO deliveries (tenant_id, id, queue, receiver, topic, is_notice, payload, state, failures, happened_at, \
         created_at) WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 800) \
         SELECT 't', n, 'none', '', '', false, hex(zeroblob(4000)), 'taken', 0, 0, 0 FROM numbers"
    );
    let remove = quiet_system_sql!("a test", "DELETE FROM deliveries");
    for statement in [fill, remove] {
        let mut tx = world.app.db.begin_system().await.unwrap();
        tx.execute(statement, args![]).await.unwrap();
        tx.commit().await.unwrap();
    }
    let workers = Workers::new(Mailer::Log, world.app.clock.now());
    let first = (optimize::JOB.run)(&world.app, &workers).await.unwrap();
    assert_eq!(first, Progress { done: 256, has_more: true });
}
