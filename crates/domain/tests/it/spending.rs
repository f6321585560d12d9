//! Whatever may be used once is used once, however many try at the same time.

use svc_core::{Digest, FamilyId, Scope, Seconds, SessionId, Timestamp};
use svc_domain::claims::claims_request::ClaimsRequest;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::grants::refresh::{self, Family, State};
use svc_domain::log::Action;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::sessions::{self, Lifetimes, NewSession};
use svc_domain::tokens::revocations::{self, Revocations, Revoked};

use crate::world::World;

const DIGEST: Digest = Digest([7; 32]);
const LIFETIMES: Lifetimes = Lifetimes { idle: Seconds(600), absolute: Seconds(3600) };

pub fn grant(session: SessionId, world: &World) -> AuthorizationGrant {
    AuthorizationGrant {
        redirect_uri: "https://app.example/cb".to_owned(),
        code_challenge: None,
        nonce: None,
        scope: "openid".parse::<Scope>().unwrap(),
        audience: "https://api.example".to_owned(),
        authentication: Authentication {
            session,
            auth_time: world.cx.now,
            amr: vec!["pwd".to_owned()],
            acr: "urn:svc:aal1".to_owned(),
            acting: None,
        },
        dpop_jkt: None,
        x5t_s256: None,
        authorization_details: Vec::new(),
        claims: ClaimsRequest::default(),
        actor: None,
        organization: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_attempts_to_spend_a_code_at_once_one_wins() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let session: SessionId = world.cx.id();
    let new = Spent { app: app.id, person: person.id, family: world.cx.id(), grant: grant(session, &world) };
    let mut tx = world.db.begin(tenant).await.unwrap();
    codes::create(&mut tx, &world.cx, DIGEST, &new, Seconds(60)).unwrap();
    tx.commit().await.unwrap();

    let cx = world.cx.clone();
    let attempts = world
        .at_once(tenant, 50, move |tx, _| {
            let cx = cx.clone();
            Box::pin(async move { codes::spend(tx, &cx, DIGEST).await })
        })
        .await;
    let mut outcomes = (0, 0);
    for attempt in attempts {
        match attempt.unwrap() {
            Spending::Spent(spent, _) => {
                assert_eq!(spent.family, new.family);
                outcomes.0 += 1;
            }
            Spending::Replayed { family, .. } => {
                assert_eq!(family, new.family);
                outcomes.1 += 1;
            }
            Spending::Unknown => panic!("the code exists"),
        }
    }
    assert_eq!(outcomes, (1, 49));
}

#[tokio::test]
async fn a_code_ends_at_the_very_instant_of_its_expiry() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let session: SessionId = world.cx.id();
    let new = Spent { app: app.id, person: person.id, family: world.cx.id(), grant: grant(session, &world) };
    let mut tx = world.db.begin(tenant).await.unwrap();
    codes::create(&mut tx, &world.cx, DIGEST, &new, Seconds(60)).unwrap();
    let mut cx = world.cx.clone();
    cx.now = world.cx.now + Seconds(60);
    assert!(matches!(codes::spend(&mut tx, &cx, DIGEST).await.unwrap(), Spending::Unknown));
    cx.now = world.cx.now + Seconds(59);
    assert!(matches!(codes::spend(&mut tx, &cx, DIGEST).await.unwrap(), Spending::Spent(..)));
}

#[tokio::test]
async fn a_revoked_family_has_no_live_token_and_its_revocation_is_stored() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, app) = (world.person(tenant, "ada").await, world.app(tenant, "web").await);
    let id: FamilyId = world.cx.id();
    let family = Family {
        id,
        app: app.id,
        person: person.id,
        grant: grant(world.cx.id(), &world),
        created_at: world.cx.now,
        expires_at: world.cx.now + Seconds(3600),
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    refresh::create_family(&mut tx, &family).unwrap();
    refresh::add_token(&mut tx, &family, DIGEST, family.expires_at);
    let found = refresh::find(&mut tx, DIGEST, world.cx.now).await.unwrap().unwrap();
    assert_eq!(found.state, State::Live);
    refresh::report_reuse(&mut tx, &world.cx, &family).await.unwrap();
    let found = refresh::find(&mut tx, DIGEST, world.cx.now).await.unwrap().unwrap();
    assert_eq!(found.state, State::Ended);
    revocations::revoke(&mut tx, &world.cx, &Revoked::Family(id));
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_session_ends_when_idle_when_old_and_when_the_credential_changes() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let new = NewSession {
        digest: DIGEST,
        amr: &["pwd"],
        acr: "urn:svc:aal1",
        user_agent: "test",
        auth_time: world.cx.now,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    sessions::create(&mut tx, &world.cx, &person, new, LIFETIMES).unwrap();
    let now = world.cx.now;
    assert!(sessions::find(&mut tx, DIGEST, now + Seconds(599), LIFETIMES).await.unwrap().is_some());
    assert!(sessions::find(&mut tx, DIGEST, now + Seconds(600), LIFETIMES).await.unwrap().is_none());
    let mut later = world.cx.clone();
    later.now = now + Seconds(1);
    let new = ("$argon2id$", Action::PasswordChanged);
    changes::set_account_password(&mut tx, &later, &Candidate::from(person).account, new).await.unwrap();
    assert!(sessions::find(&mut tx, DIGEST, now + Seconds(2), LIFETIMES).await.unwrap().is_none());
}

#[tokio::test]
async fn a_revocation_that_was_stamped_earlier_and_is_committed_later_takes_nothing_back() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (mark, later) = (Revoked::Subject("ada".to_owned()), world.cx.at(world.cx.now + Seconds(30)));
    for cx in [&later, &world.cx] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        revocations::revoke(&mut tx, cx, &mark);
        tx.commit().await.unwrap();
    }
    // A node that starts knows what the database says.
    let started = Revocations::default();
    let mut tx = world.db.read_system().await.unwrap();
    started.refresh(&mut tx, Timestamp::from_secs(0), world.cx.now).await.unwrap();
    assert!(started.has_ended(tenant.reference(), later.now, [mark.clone(), mark]));
}
