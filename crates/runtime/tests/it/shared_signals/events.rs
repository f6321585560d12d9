//! What is told, of whom, and to whom.

use serde_json::{Map, Value, json};
use svc_core::{Actor, Cx};
use svc_domain::apps::SubjectForm;
use svc_domain::claims::profile::Profile;
use svc_domain::log::Action;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_http::Method;
use svc_keys::Algorithm;
use svc_runtime::admin::{self, AdminCommand};

use super::{
    ACCOUNT_DISABLED, ACCOUNT_ENABLED, ALL, CREDENTIAL_CHANGE, Receiver, SESSION_REVOKED,
    TOKEN_CLAIMS_CHANGE, event_of, iss_sub, steady, suspend, type_of,
};
use crate::backchannel_logout::endings::{reset_password, sign_in_again};
use crate::backchannel_logout::{manage, sid, sign_out};
use crate::harness::client::{Tokens, claims};
use crate::harness::{Browser, Client, Harness, Person, Site};

async fn tokens_in<'h>(client: &Client<'h>, browser: &mut Browser<'h>, person: &Person) -> Tokens {
    let code = client.code_in(browser, person).await;
    Tokens { response: client.exchange(&code).await.expect(200).json() }
}

/// The claims of a token about `sub_id`, made now.
fn expected(receiver: &Receiver<'_>, sub_id: &Value, (event_type, event): (&str, Value)) -> Value {
    let site = &receiver.client.site;
    let now = site.harness.operator().now.as_secs();
    json!({
        "iss": site.issuer(), "aud": receiver.client.id, "iat": now, "sub_id": sub_id, "events": { event_type: event },
    })
}

fn revoked(now: i64, by: &str, reason: &str) -> (&'static str, Value) {
    let event = json!({
        "event_timestamp": now, "initiating_entity": by, "reason_admin": { "en": reason },
    });
    (SESSION_REVOKED, event)
}

#[tokio::test]
async fn the_end_of_a_session_names_the_person_and_the_session() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (receiver, web) = (Receiver::new(&site, "gate").await, site.app("web").await);
    let (stream, ada) = (receiver.polls().await, site.user("ada").await);
    let now = h.operator().now.as_secs();
    for (by, reason) in [("user", "The person signed out."), ("admin", "The session was ended from outside.")]
    {
        let mut browser = site.browser();
        let tokens = tokens_in(&web, &mut browser, &ada).await;
        if by == "user" {
            sign_out(&mut browser, &tokens).await;
        } else {
            let path = format!("/api/v1/tenant-users/{}/sessions/{}", ada.id, sid(&tokens).as_str().unwrap());
            manage(&site, Method::DELETE, &path, None).await;
        }
        h.run_jobs().await;
        let told = receiver.waiting(&stream).await;
        assert_eq!(told.len(), 1, "{told:?}");
        let session = json!({ "format": "opaque", "id": sid(&tokens) });
        let sub_id = json!({ "format": "complex", "user": iss_sub(&site, &ada.subject), "session": session });
        assert_eq!(steady(&told[0]), expected(&receiver, &sub_id, revoked(now, by, reason)));
        let _ = receiver.poll_with(&stream, json!({ "ack": [told[0]["jti"]] })).await;
    }
}

#[tokio::test]
async fn the_end_of_all_access_names_the_person_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let receiver = Receiver::new(&site, "gate").await;
    let (stream, ada) = (receiver.polls().await, site.user("ada").await);
    let now = h.operator().now.as_secs();
    suspend(&site, &ada).await;
    h.run_jobs().await;
    h.run_jobs().await;
    let told = receiver.waiting(&stream).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let event = revoked(now, "admin", "All sessions of the person were ended.");
    assert_eq!(steady(&told[0]), expected(&receiver, &iss_sub(&site, &ada.subject), event));
}

#[tokio::test]
async fn an_account_that_is_disabled_and_enabled_is_told_in_every_tenant_that_listens() {
    let h = Harness::new().await;
    let (acme, globex, deaf) = (h.tenant("acme").await, h.tenant("globex").await, h.tenant("deaf").await);
    let (ours, theirs) = (Receiver::new(&acme, "gate").await, Receiver::new(&globex, "gate").await);
    let (our_stream, their_stream) = (ours.polls().await, theirs.polls().await);
    let ada = acme.user("ada").await;
    let there = joins(&globex, &acme, &ada).await;
    let _ = joins(&deaf, &acme, &ada).await;
    let now = h.operator().now.as_secs();
    let ended = || revoked(now, "admin", "All sessions of the person were ended.");
    for (command, expected_events) in [
        (
            AdminCommand::DisableAccount { email: ada.email.clone() },
            vec![ended(), (ACCOUNT_DISABLED, json!({}))],
        ),
        (AdminCommand::EnableAccount { email: ada.email.clone() }, vec![(ACCOUNT_ENABLED, json!({}))]),
    ] {
        admin::execute(&command, &h.app().db, &h.operator()).await.unwrap();
        // What is so already is no news.
        admin::execute(&command, &h.app().db, &h.operator()).await.unwrap();
        h.run_jobs().await;
        for (receiver, stream, subject) in
            [(&ours, &our_stream, &ada.subject), (&theirs, &their_stream, &there)]
        {
            let about = iss_sub(&receiver.client.site, subject);
            let waiting = receiver.waiting(stream).await;
            let mut told: Vec<_> = waiting.iter().map(steady).collect();
            told.sort_by_key(|claims| type_of(claims).to_owned());
            let all = expected_events.iter().map(|event| expected(receiver, &about, event.clone()));
            assert_eq!(told, all.collect::<Vec<_>>());
            let taken: Vec<_> = waiting.iter().map(|claims| claims["jti"].clone()).collect();
            let _ = receiver.poll_with(stream, json!({ "ack": taken, "maxEvents": 0 })).await;
        }
    }
    let kept = svc_db::SystemSql::new("SELECT COUNT(*) AS count FROM outbox WHERE type = 'signal'");
    let mut tx = h.app().db.read_system().await.unwrap();
    assert_eq!(tx.one(kept, &[]).await.unwrap().int("count").unwrap(), 0);
}

/// Makes the account of a person of `home` a member of `site` too; returns the subject there.
async fn joins(site: &Site<'_>, home: &Site<'_>, person: &Person) -> String {
    let h = site.harness;
    let mut tx = h.app().db.begin(home.tenant.id).await.unwrap();
    let account = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().account_id;
    tx.commit().await.unwrap();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let new = NewMember { username: Some("ada"), ..NewMember::of(account) };
    let there = tenant_users::create(&mut tx, &h.operator(), new).await.unwrap();
    let there = tenant_users::find(&mut tx, there).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    there.subject
}

#[tokio::test]
async fn a_new_password_is_told_and_so_is_the_end_of_what_hung_on_the_old_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (receiver, web) = (Receiver::new(&site, "gate").await, site.app("web").await);
    let (stream, ada) = (receiver.polls().await, site.user("ada").await);
    reset_password(&web, &ada).await;
    h.run_jobs().await;
    let now = h.operator().now.as_secs();
    let mut told: Vec<_> = receiver.waiting(&stream).await.iter().map(steady).collect();
    told.sort_by_key(|claims| type_of(claims).to_owned());
    let changed = json!({
        "credential_type": "password", "change_type": "update", "event_timestamp": now, "initiating_entity": "user",
        "reason_admin": { "en": "The password of the person was set." },
    });
    let person = iss_sub(&site, &ada.subject);
    let ended = revoked(now, "user", "All sessions of the person were ended.");
    assert_eq!(
        told,
        [expected(&receiver, &person, (CREDENTIAL_CHANGE, changed)), expected(&receiver, &person, ended)]
    );
}

#[tokio::test]
async fn signing_in_once_more_ends_nothing_and_the_end_names_the_sessions_of_before() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (receiver, web) = (Receiver::new(&site, "gate").await, site.app("web").await);
    let (stream, ada) = (receiver.polls().await, site.user("ada").await);
    let mut browser = site.browser();
    let mut sids = vec![sid(&tokens_in(&web, &mut browser, &ada).await)];
    let mut last = None;
    for _ in 0..2 {
        let tokens = sign_in_again(&mut browser, &web, &ada).await;
        sids.push(sid(&tokens));
        last = Some(tokens);
    }
    h.run_jobs().await;
    assert_eq!(receiver.waiting(&stream).await, Vec::<Value>::new());
    sign_out(&mut browser, &last.unwrap()).await;
    h.run_jobs().await;
    let told = receiver.waiting(&stream).await;
    let mut named: Vec<_> = told.iter().map(|claims| claims["sub_id"]["session"]["id"].clone()).collect();
    named.sort_by_key(Value::to_string);
    sids.sort_by_key(Value::to_string);
    assert_eq!(named, sids);
}

#[tokio::test]
async fn only_the_types_that_were_asked_for_arrive() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (receiver, web) = (Receiver::new(&site, "gate").await, site.app("web").await);
    let none = receiver.stream(json!({})).await;
    let mut streams = Vec::new();
    for wanted in ALL {
        streams.push(receiver.stream(json!({ "events_requested": [wanted] })).await);
    }
    reset_password(&web, &site.user("ada").await).await;
    h.run_jobs().await;
    assert_eq!(receiver.waiting(&none).await, Vec::<Value>::new());
    for (stream, wanted, count) in
        [(0, SESSION_REVOKED, 1), (1, CREDENTIAL_CHANGE, 1), (2, TOKEN_CLAIMS_CHANGE, 0)]
    {
        let told = receiver.waiting(&streams[stream]).await;
        assert_eq!(told.len(), count, "{told:?}");
        assert!(told.iter().all(|claims| type_of(claims) == wanted), "{told:?}");
    }
}

/// Changes what is known of a person, as an operator does.
async fn rewrite(site: &Site<'_>, person: &Person, profile: &Profile, roles: &[String]) {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    changes::set_profile(&mut tx, &cx, &found, profile).await.unwrap();
    tenant_users::set_roles(&mut tx, &cx, &found, roles).await.unwrap();
    tx.commit().await.unwrap();
    site.harness.run_jobs().await;
}

/// The claims that were told to have changed, all together.
async fn changed(receiver: &Receiver<'_>, stream: &str) -> Map<String, Value> {
    let mut all = Map::new();
    for told in receiver.waiting(stream).await {
        assert_eq!(type_of(&told), TOKEN_CLAIMS_CHANGE);
        assert_eq!(event_of(&told)["initiating_entity"], "admin");
        all.extend(event_of(&told)["claims"].as_object().unwrap().clone());
    }
    all
}

#[tokio::test]
async fn changed_claims_are_told_as_far_as_the_application_may_know_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let all = Receiver::new(&site, "all").await;
    let some = Receiver::with(&site, "some", |configuration| {
        configuration.scope = "openid email phone ssf.manage ssf.read".parse().unwrap();
    })
    .await;
    let (all_stream, some_stream) = (all.polls().await, some.polls().await);
    let ada = site.user("ada").await;
    let profile = Profile { name: Some("Ada Lovelace".to_owned()), ..Profile::default() };
    rewrite(&site, &ada, &profile, &["admin".to_owned()]).await;
    let gone = json!({ "phone_number": null, "phone_number_verified": null });
    let mut whole = json!({ "name": "Ada Lovelace", "roles": ["admin"] });
    whole.as_object_mut().unwrap().extend(gone.as_object().unwrap().clone());
    assert_eq!(Value::Object(changed(&all, &all_stream).await), whole);
    let mut part = gone;
    part["roles"] = json!(["admin"]);
    assert_eq!(Value::Object(changed(&some, &some_stream).await), part);
}

#[tokio::test]
async fn a_change_of_a_group_is_told_of_those_who_have_other_roles_by_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let receiver = Receiver::new(&site, "all").await;
    let stream = receiver.polls().await;
    let (ada, bob) = (site.user("ada").await, site.user_with_roles("bob", &["editor"]).await);
    let (outer, inner) = (site.group("Editors", &[]).await, site.group("Interns", &[]).await);
    site.add(&inner, ada.id).await;
    site.add(&outer, bob.id).await;
    site.nest(&outer, &inner).await;
    let group = format!("/api/v1/groups/{}", outer.id);
    let nested = format!("{group}/groups/{}", inner.id);
    for (method, path, body, roles) in [
        (Method::PATCH, &group, Some(json!({ "roles": ["editor"] })), json!(["editor"])),
        (Method::DELETE, &nested, None, json!([])),
        (Method::PUT, &nested, None, json!(["editor"])),
        (Method::PATCH, &group, Some(json!({ "roles": [] })), json!([])),
        (Method::PATCH, &group, Some(json!({ "roles": ["editor"] })), json!(["editor"])),
        (Method::PATCH, &group, Some(json!({ "name": "Writers" })), Value::Null),
        (Method::DELETE, &group, None, json!([])),
    ] {
        manage(&site, method.clone(), path, body).await;
        h.run_jobs().await;
        let told = receiver.waiting(&stream).await;
        let taken: Vec<_> = told.iter().map(|claims| claims["jti"].clone()).collect();
        receiver.poll_with(&stream, json!({ "ack": taken, "maxEvents": 0 })).await;
        let told: Vec<_> =
            told.iter().map(|claims| (&claims["sub_id"], &event_of(claims)["claims"])).collect();
        // Who has the role by other means as well has what they had.
        let (who, what) = (iss_sub(&site, &ada.subject), json!({ "roles": roles }));
        let expected = if roles.is_null() { Vec::new() } else { vec![(&who, &what)] };
        assert_eq!(told, expected, "{method} {path}");
    }
}

#[tokio::test]
async fn a_third_party_hears_of_people_it_knows_by_its_own_subject_and_of_what_they_allowed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for (handle, form) in [("chosen", Some(SubjectForm::Pairwise)), ("usual", None)] {
        let third = Receiver::with(&site, handle, |configuration| {
            configuration.first_party = false;
            configuration.subject_type = form;
        })
        .await;
        let stream = third.polls().await;
        let ada = site.user(&format!("ada-{handle}")).await;
        let bob = site.user(&format!("bob-{handle}")).await;
        let code = third.client.code_with(&mut site.browser(), &ada, &[("scope", "openid profile")]).await;
        let tokens = third.client.exchange(&code).await.expect(200).json();
        let subject = claims(tokens["id_token"].as_str().unwrap())["sub"].clone();
        assert_ne!(subject, json!(ada.subject));
        let profile = Profile { name: Some("Somebody".to_owned()), ..Profile::default() };
        for person in [&ada, &bob] {
            rewrite(&site, person, &profile, &["editor".to_owned()]).await;
            suspend(&site, person).await;
        }
        h.run_jobs().await;
        let told = third.waiting(&stream).await;
        assert_eq!(told.len(), 2, "{handle}: {told:?}");
        assert!(told.iter().all(|claims| claims["sub_id"]["sub"] == subject), "{handle}: {told:?}");
        let claims = told.iter().find(|claims| type_of(claims) == TOKEN_CLAIMS_CHANGE).unwrap();
        assert_eq!(event_of(claims)["claims"], json!({ "name": "Somebody" }));
    }
}

#[tokio::test]
async fn tenants_hear_of_their_own_people_and_of_an_account_by_their_own_names_for_it() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (ours, theirs) = (Receiver::new(&acme, "gate").await, Receiver::new(&globex, "gate").await);
    let (our_stream, their_stream) = (ours.polls().await, theirs.polls().await);
    let ada = acme.user("ada").await;
    suspend(&acme, &acme.user("bob").await).await;
    // Ada belongs to both.
    let cx = h.operator();
    let mut tx = h.app().db.begin(acme.tenant.id).await.unwrap();
    let here = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let there = joins(&globex, &acme, &ada).await;
    let itself = Cx { actor: Actor::User(here.subject.clone()), ..cx };
    let mut tx = h.app().db.begin(acme.tenant.id).await.unwrap();
    let new = ("$argon2id$", Action::PasswordChanged);
    changes::set_account_password(&mut tx, &itself, &Candidate::from(here).account, new).await.unwrap();
    tx.commit().await.unwrap();
    h.run_jobs().await;
    assert_eq!(ours.waiting(&our_stream).await.len(), 3);
    let told = theirs.waiting(&their_stream).await;
    let mut types: Vec<_> = told.iter().map(type_of).collect();
    types.sort_unstable();
    assert_eq!(types, [CREDENTIAL_CHANGE, SESSION_REVOKED]);
    for claims in &told {
        assert_eq!(claims["sub_id"], iss_sub(&globex, &there));
        assert_eq!(event_of(claims)["initiating_entity"], "user");
    }
}

#[tokio::test]
async fn tokens_are_signed_like_the_applications_id_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for algorithm in [Algorithm::Rs256, Algorithm::EdDsa] {
        let receiver = Receiver::with(&site, &algorithm.name().to_lowercase(), |configuration| {
            configuration.id_token_signed_response_alg = Some(algorithm);
        })
        .await;
        let stream = receiver.polls().await;
        let _ = receiver.verify(&stream, "x").await.expect(204);
        let answer = receiver.poll_with(&stream, json!({})).await;
        let token = answer["sets"].as_object().unwrap().values().next().unwrap().as_str().unwrap();
        let header = svc_keys::from_base64url(token.split('.').next().unwrap()).unwrap();
        let header: Value = serde_json::from_slice(&header).unwrap();
        assert_eq!((&header["alg"], &header["typ"]), (&json!(algorithm.name()), &json!("secevent+jwt")));
    }
}

#[tokio::test]
async fn nothing_is_kept_for_a_tenant_without_receivers() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    suspend(&site, &site.user("ada").await).await;
    let waiting = svc_db::SystemSql::new("SELECT COUNT(*) AS count FROM outbox WHERE type = 'signal'");
    let mut tx = h.app().db.read_system().await.unwrap();
    assert_eq!(tx.one(waiting, &[]).await.unwrap().int("count").unwrap(), 0);
    drop(tx);
    // A stream that is made later does not get what was before.
    let receiver = Receiver::new(&site, "gate").await;
    let stream = receiver.polls().await;
    h.run_jobs().await;
    assert_eq!(receiver.waiting(&stream).await, Vec::<Value>::new());
}
