//! What is decided elsewhere is decided once and fetched once, however many try at the same time, each on a connection
//! of its own.

use svc_core::{Class, Digest, Result, Seconds, TenantId};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::grants::polled::{Decision, Pace, Polled, Wanted};
use svc_domain::grants::{ciba_requests, device_codes, par};
use svc_domain::people::tenant_users::Person;

use crate::spending::grant;
use crate::world::World;

const DIGEST: Digest = Digest([9; 32]);
const PACE: Pace = Pace { lifetime: Seconds(600), interval: Seconds(5) };

struct Scene {
    world: World,
    tenant: TenantId,
    person: Person,
    app: App,
}

impl Scene {
    async fn new() -> Self {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "tv").await);
        Self { world, tenant, person, app }
    }

    async fn begin(&self) -> Tx<Tenant> {
        self.world.db.begin(self.tenant).await.unwrap()
    }

    /// A device code that its person has entered.
    async fn device_code(&self) -> device_codes::Pending {
        let (cx, mut tx) = (&self.world.cx, self.begin().await);
        let by = (self.app.id, &Wanted::default());
        let user_code = device_codes::create(&mut tx, cx, DIGEST, by, PACE).unwrap();
        let pending = device_codes::claim(&mut tx, cx, &user_code, self.person.id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        pending
    }

    /// A backchannel request to the person.
    async fn ciba_request(&self) -> ciba_requests::Pending {
        let (cx, mut tx) = (&self.world.cx, self.begin().await);
        let new = ciba_requests::New {
            app: self.app.id,
            wanted: &Wanted::default(),
            login_hint: "ada@example.com",
            binding_message: None,
            pace: PACE,
        };
        ciba_requests::create(&mut tx, cx, DIGEST, &new).unwrap();
        let page = ciba_requests::Page { cursor: None, limit: 1 };
        let mut found = ciba_requests::of_person(&mut tx, &self.person, cx.now, &page).await.unwrap();
        tx.commit().await.unwrap();
        found.pop().unwrap()
    }
}

/// Of all outcomes one is a success, and every other a conflict.
fn one_decides(outcomes: &[Result<()>]) {
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for error in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
        assert_eq!(error.class(), Class::Conflict);
    }
}

/// Of all outcomes one brings something, and none is an error.
fn one_gets<T>(outcomes: Vec<Result<Option<T>>>) {
    let got = outcomes.into_iter().filter_map(Result::unwrap);
    assert_eq!(got.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_code_that_is_approved_and_denied_at_once_is_decided_once() {
    let scene = Scene::new().await;
    let (pending, person, cx) = (scene.device_code().await, scene.person.id, scene.world.cx.clone());
    let agreed = grant(cx.id(), &scene.world);
    let outcomes = scene.world.at_once(scene.tenant, 20, move |tx, number| {
        let (cx, agreed, id) = (cx.clone(), agreed.clone(), pending.id);
        Box::pin(async move {
            let decision = if number % 2 == 0 { Decision::Approve(&agreed) } else { Decision::Deny };
            device_codes::decide(tx, &cx, (id, person), decision).await
        })
    });
    one_decides(&outcomes.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_polls_of_an_approved_device_code_at_once_one_gets_the_grant() {
    let scene = Scene::new().await;
    let (pending, app, cx) = (scene.device_code().await, scene.app.id, scene.world.cx.clone());
    let agreed = grant(cx.id(), &scene.world);
    let mut tx = scene.begin().await;
    let ours = (pending.id, scene.person.id);
    device_codes::decide(&mut tx, &cx, ours, Decision::Approve(&agreed)).await.unwrap();
    tx.commit().await.unwrap();
    let outcomes = scene.world.at_once(scene.tenant, 50, move |tx, _| {
        let cx = cx.clone();
        Box::pin(async move { Polled::DeviceCode.redeem(tx, &cx, DIGEST, app).await })
    });
    one_gets(outcomes.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backchannel_request_that_is_approved_and_denied_at_once_is_decided_once() {
    let scene = Scene::new().await;
    let (pending, person, cx) = (scene.ciba_request().await, scene.person.clone(), scene.world.cx.clone());
    let agreed = grant(cx.id(), &scene.world);
    let outcomes = scene.world.at_once(scene.tenant, 20, move |tx, number| {
        let (cx, agreed, person, id) = (cx.clone(), agreed.clone(), person.clone(), pending.id);
        Box::pin(async move {
            let decision = if number % 2 == 0 { Decision::Approve(&agreed) } else { Decision::Deny };
            ciba_requests::decide(tx, &cx, (id, &person), decision).await
        })
    });
    one_decides(&outcomes.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_polls_of_an_approved_backchannel_request_at_once_one_gets_the_grant() {
    let scene = Scene::new().await;
    let (pending, app, cx) = (scene.ciba_request().await, scene.app.id, scene.world.cx.clone());
    let agreed = grant(cx.id(), &scene.world);
    let mut tx = scene.begin().await;
    let ours = (pending.id, &scene.person);
    ciba_requests::decide(&mut tx, &cx, ours, Decision::Approve(&agreed)).await.unwrap();
    tx.commit().await.unwrap();
    let outcomes = scene.world.at_once(scene.tenant, 50, move |tx, _| {
        let cx = cx.clone();
        Box::pin(async move { Polled::CibaRequest.redeem(tx, &cx, DIGEST, app).await })
    });
    one_gets(outcomes.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_browsers_with_one_pushed_request_one_gets_a_code() {
    let scene = Scene::new().await;
    let pushed = par::Pushed { app: scene.app.id, parameters: Vec::new(), dpop_jkt: None };
    let mut tx = scene.begin().await;
    par::create(&mut tx, &scene.world.cx, DIGEST, &pushed, Seconds(60)).unwrap();
    tx.commit().await.unwrap();
    let outcomes = scene.world.at_once(scene.tenant, 50, |tx, _| {
        Box::pin(async move { Ok(par::spend(tx, DIGEST).await?.then_some(())) })
    });
    one_gets(outcomes.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_browsers_that_spend_a_pushed_request_with_their_commit_one_gets_through() {
    let scene = Scene::new().await;
    let pushed = par::Pushed { app: scene.app.id, parameters: Vec::new(), dpop_jkt: None };
    let mut tx = scene.begin().await;
    par::create(&mut tx, &scene.world.cx, DIGEST, &pushed, Seconds(60)).unwrap();
    assert!(!par::is_spent(&mut tx, DIGEST).await.unwrap());
    tx.commit().await.unwrap();
    let commits = (0..50).map(|_| {
        let (db, tenant) = (scene.world.db.clone(), scene.tenant);
        tokio::spawn(async move {
            let mut tx = db.begin(tenant).await.unwrap();
            par::spend_with_commit(&mut tx, DIGEST);
            tx.commit().await.is_ok()
        })
    });
    let mut committed = 0;
    for commit in commits.collect::<Vec<_>>() {
        committed += u32::from(commit.await.unwrap());
    }
    assert_eq!(committed, 1);
    assert!(par::is_spent(&mut scene.begin().await, DIGEST).await.unwrap());
}
