//! Whatever ends an access ends all that is under way: a table of what ended and what was under way.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::{Class, Cx, Digest, FamilyId, Seconds, TenantId};
use svc_db::{Tenant, Tx, sql};
use svc_domain::apps::{self, App, Change};
use svc_domain::deletion;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::delegations::{self, Delegation, Source};
use svc_domain::grants::grant::AuthorizationGrant;
use svc_domain::grants::polled::{Decision, Pace, Polled, Wanted};
use svc_domain::grants::refresh::{self, Family, State};
use svc_domain::grants::{ciba_requests, consents, device_codes};
use svc_domain::log::Action;
use svc_domain::organizations;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::sessions::{self, Lifetimes, NewSession, Session};
use svc_domain::people::standing;
use svc_domain::people::tenant_users::{self, Person, Status};

use crate::spending::grant;
use crate::world::{World, rules};

const DIGEST: Digest = Digest([5; 32]);
const LIFETIMES: Lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };
const PACE: Pace = Pace { lifetime: Seconds(600), interval: Seconds(5) };

/// What ends, and afterwards begins again where that is possible.
#[derive(Clone, Copy, Debug)]
enum Ended {
    SignOut,
    SessionByAdministrator,
    Suspended,
    PasswordSet,
    ConsentTakenBack,
    AppDisabled,
    AppDeleted,
}

const ALL: &[Ended] = &[
    Ended::SignOut,
    Ended::SessionByAdministrator,
    Ended::Suspended,
    Ended::PasswordSet,
    Ended::ConsentTakenBack,
    Ended::AppDisabled,
    Ended::AppDeleted,
];

/// What is under way, and what of it still leads to a token.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one column of the table each")]
struct Alive {
    code: bool,
    device: bool,
    backchannel: bool,
    family: bool,
    delegation: bool,
}

struct Scene {
    person: Person,
    app: App,
    session: Session,
    family: FamilyId,
    delegation: Delegation,
}

#[tokio::test]
async fn whatever_ends_an_access_ends_all_that_is_under_way() {
    for ended in ALL {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
        let mut tx = world.db.begin(tenant).await.unwrap();
        let scene = under_way(&mut tx, &world, person, app).await;
        end(&mut tx, &world.cx, &scene, *ended).await;
        // A sign-out leaves what was granted for offline access.
        let expected = Alive { family: matches!(ended, Ended::SignOut), ..Alive::default() };
        assert_eq!(alive(&mut tx, &world.cx, &scene).await, expected, "{ended:?}");
    }
}

#[tokio::test]
async fn what_is_under_way_goes_on_when_the_same_person_signs_in_once_more_and_ends_with_the_new_session() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let mut tx = world.db.begin(tenant).await.unwrap();
    let scene = under_way(&mut tx, &world, person, app).await;
    let next = signed_in_again(&mut tx, &world, &scene).await;
    let delegation = delegations::find(&mut tx, scene.delegation.id).await.unwrap().unwrap();
    assert_eq!((delegation.state, delegation.session), (delegations::State::Live, Some(next.id)));
    sessions::end(&mut tx, &world.cx, &next).await.unwrap();
    let expected = Alive { family: true, ..Alive::default() };
    assert_eq!(alive(&mut tx, &world.cx, &scene).await, expected);
}

#[tokio::test]
async fn the_tokens_of_sessions_that_others_took_the_place_of_end_with_those_and_with_the_persons_access() {
    for ended in [Ended::SignOut, Ended::SessionByAdministrator, Ended::Suspended, Ended::PasswordSet] {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
        let mut tx = world.db.begin(tenant).await.unwrap();
        let scene = under_way(&mut tx, &world, person, app).await;
        let next = signed_in_again(&mut tx, &world, &scene).await;
        let marked = sql!("SELECT value FROM revocations WHERE tenant_id = $1 AND kind = 'session'");
        assert!(tx.all(marked, &[]).await.unwrap().is_empty(), "the person goes on");
        let expected: BTreeSet<_> = [scene.session.id, next.id].map(|id| id.to_string()).into();
        end(&mut tx, &world.cx, &Scene { session: next, ..scene }, ended).await;
        let marked: BTreeSet<_> =
            tx.all(marked, &[]).await.unwrap().iter().map(|row| row.text("value").unwrap()).collect();
        assert_eq!(marked, expected, "{ended:?}");
    }
}

/// What is taken away, and given back.
#[derive(Clone, Copy, Debug)]
enum Standing {
    PersonSuspended,
    AppDisabled,
    TenantSuspended,
    TenantDeleted,
}

#[tokio::test]
async fn what_is_begun_by_a_request_that_has_missed_the_end_does_not_come_back_with_what_has_ended() {
    for taken in
        [Standing::PersonSuspended, Standing::AppDisabled, Standing::TenantSuspended, Standing::TenantDeleted]
    {
        let world = World::new().await;
        let tenant = world.tenant("acme").await;
        let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
        set(&world, (tenant, taken), (&person, &app), false).await;
        let mut tx = world.db.begin(tenant).await.unwrap();
        let scene = under_way(&mut tx, &world, person, app).await;
        tx.commit().await.unwrap();
        set(&world, (tenant, taken), (&scene.person, &scene.app), true).await;
        let mut tx = world.db.begin(tenant).await.unwrap();
        let session = sessions::find(&mut tx, DIGEST, world.cx.now, LIFETIMES).await.unwrap();
        let is_of_app = matches!(taken, Standing::AppDisabled);
        assert_eq!(session.is_some(), is_of_app, "{taken:?}");
        let marked = sql!("SELECT value FROM revocations WHERE tenant_id = $1 AND kind = 'family'");
        let marked = tx.all(marked, &[]).await.unwrap();
        assert!(marked.iter().any(|row| row.text("value").unwrap() == scene.family.to_string()), "{taken:?}");
        assert_eq!(alive(&mut tx, &world.cx, &scene).await, Alive::default(), "{taken:?}");
    }
}

#[tokio::test]
async fn what_is_begun_in_an_organization_that_is_suspended_by_then_does_not_come_back_with_it() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let (cx, configuration) = (&world.cx, serde_json::from_value(json!({ "name": "Initech" })).unwrap());
    let mut tx = world.db.begin(tenant).await.unwrap();
    let new = organizations::New { slug: "initech", owner: &person, configuration: &configuration };
    let active = organizations::create(&mut tx, cx, new).await.unwrap();
    let asleep = (&configuration, organizations::Status::Suspended);
    assert!(organizations::update(&mut tx, cx, &active, asleep).await.unwrap());
    let agreed = AuthorizationGrant { organization: Some(active.id), ..grant(cx.id(), &world) };
    let (id, expires_at) = (cx.id(), cx.now + Seconds(3600));
    let family = Family { id, app: app.id, person: person.id, grant: agreed, created_at: cx.now, expires_at };
    refresh::create_family(&mut tx, &family).unwrap();
    refresh::add_token(&mut tx, &family, DIGEST, expires_at);
    let asleep = organizations::find(&mut tx, active.id).await.unwrap().unwrap();
    let awake = (&configuration, organizations::Status::Active);
    assert!(organizations::update(&mut tx, cx, &asleep, awake).await.unwrap());
    let found = refresh::find(&mut tx, DIGEST, cx.now).await.unwrap().unwrap();
    assert_eq!(found.state, State::Ended);
}

/// Takes something away, or gives it back.
async fn set(world: &World, (tenant, taken): (TenantId, Standing), of: (&Person, &App), is_back: bool) {
    let cx = &world.cx;
    match taken {
        Standing::PersonSuspended => {
            let mut tx = world.db.begin(tenant).await.unwrap();
            let person = tenant_users::find(&mut tx, of.0.id).await.unwrap().unwrap();
            let status = if is_back { Status::Active } else { Status::Suspended };
            tenant_users::set_status(&mut tx, cx, &person, status).await.unwrap();
            tx.commit().await.unwrap();
        }
        Standing::AppDisabled => {
            let mut tx = world.db.begin(tenant).await.unwrap();
            let app = apps::find(&mut tx, of.1.id).await.unwrap().unwrap();
            let change = Change { configuration: &app.configuration, enabled: is_back };
            assert!(apps::update(&mut tx, cx, &rules(), &app, change).await.unwrap());
            tx.commit().await.unwrap();
        }
        Standing::TenantSuspended => {
            let mut tx = world.db.begin_system().await.unwrap();
            assert!(standing::set_tenant_active(&mut tx, cx, tenant, is_back).await.unwrap());
            tx.commit().await.unwrap();
        }
        Standing::TenantDeleted => {
            let mut tx = world.db.begin_system().await.unwrap();
            if is_back {
                deletion::restore(&mut tx, cx, tenant).await.unwrap();
            } else {
                let _ = deletion::begin(&mut tx, cx, tenant, Seconds(60)).await.unwrap();
            }
            tx.commit().await.unwrap();
        }
    }
}

/// The same person signs in once more: the session that takes the place of the first.
async fn signed_in_again(tx: &mut Tx<Tenant>, world: &World, scene: &Scene) -> Session {
    let new = NewSession {
        digest: Digest([6; 32]),
        amr: &["pwd"],
        acr: "urn:svc:aal1",
        user_agent: "test",
        auth_time: world.cx.now,
    };
    let next = sessions::create(tx, &world.cx, &scene.person, new, LIFETIMES).unwrap();
    sessions::replace(tx, &world.cx, &scene.session, &next).await.unwrap();
    next
}

/// Begins one of each.
async fn under_way(tx: &mut Tx<Tenant>, world: &World, person: Person, app: App) -> Scene {
    let cx = &world.cx;
    let new = NewSession {
        digest: DIGEST,
        amr: &["pwd"],
        acr: "urn:svc:aal1",
        user_agent: "test",
        auth_time: world.cx.now,
    };
    let session = sessions::create(tx, cx, &person, new, LIFETIMES).unwrap();
    let agreed = grant(session.id, world);
    let spent = Spent { app: app.id, person: person.id, family: cx.id(), grant: agreed.clone() };
    codes::create(tx, cx, DIGEST, &spent, Seconds(60)).unwrap();

    let wanted = Wanted::default();
    let user_code = device_codes::create(tx, cx, DIGEST, (app.id, &wanted), PACE).unwrap();
    let device = device_codes::claim(tx, cx, &user_code, person.id).await.unwrap().unwrap();
    device_codes::decide(tx, cx, (device.id, person.id), Decision::Approve(&agreed)).await.unwrap();
    let request = ciba_requests::New {
        app: app.id,
        wanted: &wanted,
        login_hint: "ada@example.com",
        binding_message: None,
        pace: PACE,
    };
    ciba_requests::create(tx, cx, DIGEST, &request).unwrap();
    let page = ciba_requests::Page { cursor: None, limit: 1 };
    let asked = ciba_requests::of_person(tx, &person, cx.now, &page).await.unwrap().pop().unwrap();
    ciba_requests::decide(tx, cx, (asked.id, &person), Decision::Approve(&agreed)).await.unwrap();

    let expires_at = cx.now + Seconds(3600);
    let family =
        Family { id: cx.id(), app: app.id, person: person.id, grant: agreed, created_at: cx.now, expires_at };
    refresh::create_family(tx, &family).unwrap();
    refresh::add_token(tx, &family, DIGEST, expires_at);
    let delegation = Delegation {
        id: cx.id(),
        parent: None,
        family: cx.id(),
        person: person.id,
        actor: app.id,
        source: Source { client_id: app.client_id(), family: None, jti: "of the subject".to_owned() },
        session: Some(session.id),
        organization: None,
        vouched_by: None,
        audience: "https://api.example".to_owned(),
        scope: "notes:read".parse().unwrap(),
        authorization_details: Vec::new(),
        act: None,
        purpose: String::new(),
        state: delegations::State::Live,
        created_at: cx.now,
        expires_at,
        revoked_at: None,
    };
    delegations::create(tx, cx, &delegation).unwrap();
    Scene { person, app, session, family: family.id, delegation }
}

async fn end(tx: &mut Tx<Tenant>, cx: &Cx, scene: &Scene, ended: Ended) {
    let Scene { person, app, session, .. } = scene;
    match ended {
        Ended::SignOut => sessions::end(tx, cx, session).await.unwrap(),
        Ended::SessionByAdministrator => sessions::revoke(tx, cx, person, session.id).await.unwrap(),
        Ended::Suspended => {
            tenant_users::set_status(tx, cx, person, Status::Suspended).await.unwrap();
            let suspended = tenant_users::find(tx, person.id).await.unwrap().unwrap();
            tenant_users::set_status(tx, cx, &suspended, Status::Active).await.unwrap();
        }
        Ended::PasswordSet => {
            let account = Candidate::from(person.clone()).account;
            let new = ("$argon2id$", Action::PasswordChanged);
            changes::set_account_password(tx, cx, &account, new).await.unwrap();
        }
        Ended::ConsentTakenBack => {
            let taken = consents::take_back(tx, cx, person, (app.id, &app.client_id())).await.unwrap();
            assert!(!taken, "nothing was remembered");
        }
        Ended::AppDisabled => {
            let change = |enabled| Change { configuration: &app.configuration, enabled };
            assert!(apps::update(tx, cx, &rules(), app, change(false)).await.unwrap());
            let disabled = apps::find(tx, app.id).await.unwrap().unwrap();
            assert!(apps::update(tx, cx, &rules(), &disabled, change(true)).await.unwrap());
        }
        Ended::AppDeleted => {
            apps::delete(tx, cx, app.id).await.unwrap();
            let again = apps::delete(tx, cx, app.id).await.unwrap_err();
            assert_eq!(again.class(), Class::NotFound);
        }
    }
}

/// Tries everything.
async fn alive(tx: &mut Tx<Tenant>, cx: &Cx, scene: &Scene) -> Alive {
    let found = refresh::find(tx, DIGEST, cx.now).await.unwrap();
    let link = delegations::find(tx, scene.delegation.id).await.unwrap();
    Alive {
        code: matches!(codes::spend(tx, cx, DIGEST).await.unwrap(), Spending::Spent(..)),
        device: Polled::DeviceCode.redeem(tx, cx, DIGEST, scene.app.id).await.unwrap().is_some(),
        backchannel: Polled::CibaRequest.redeem(tx, cx, DIGEST, scene.app.id).await.unwrap().is_some(),
        family: found.is_some_and(|found| found.state == State::Live),
        delegation: link.is_some_and(|link| link.state == delegations::State::Live),
    }
}
