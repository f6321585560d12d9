//! Who acts for whom, listed by the person, by who acts, and by the state, each alone and with every other.

use serde_json::{Value, json};
use svc_core::{Cx, ImpersonationId, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations::{self, Browser, Impersonation, NewImpersonation};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::Method;

use super::{send, walked};
use crate::harness::{Harness, Site};
use crate::isolation::records::delegation;

const DELEGATIONS: &str = "/api/v1/delegations";
const IMPERSONATIONS: &str = "/api/v1/impersonations";

/// A parameter, which is called like the member that it is about, and what it is asked for.
type Axis<'a> = (&'a str, Vec<&'a str>);

/// Each value of a parameter, and that it is not given.
fn options<'a>((name, values): &'a Axis<'a>) -> Vec<Option<(&'a str, &'a str)>> {
    values.iter().map(|value| Some((*name, *value))).chain([None]).collect()
}

/// Looks for each value of each parameter, and for each together with those of the others.
async fn check(site: &Site<'_>, path: &str, [one, other, third]: [Axis<'_>; 3]) {
    let all = walked(site, path, "").await;
    let (mut newest_first, mut met) = (all.clone(), 0);
    newest_first.sort_by(|one, other| other["id"].as_str().cmp(&one["id"].as_str()));
    assert_eq!(all, newest_first);
    for one in options(&one) {
        for other in options(&other) {
            for third in options(&third) {
                let asked: Vec<_> = [one, other, third].into_iter().flatten().collect();
                let fits = |record: &&Value| asked.iter().all(|(name, value)| record[*name] == *value);
                let expected: Vec<_> = all.iter().filter(fits).cloned().collect();
                let query: Vec<_> = asked.iter().map(|(name, value)| format!("{name}={value}")).collect();
                assert_eq!(walked(site, path, &query.join("&")).await, expected, "{query:?}");
                met += expected.len();
            }
        }
    }
    assert!(met > all.len());
}

#[tokio::test]
async fn delegations_are_found_by_person_actor_and_state() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await.id, site.user("bob").await.id);
    let (tool, agent, idle) =
        (site.app("tool").await.id, site.app("agent").await.id, site.app("idle").await.id);
    for (number, (actor, person)) in
        [(&tool, ada), (&tool, bob), (&agent, ada), (&tool, ada), (&tool, ada), (&agent, bob)]
            .into_iter()
            .enumerate()
    {
        h.advance(1);
        let id = delegation(&site, actor.parse().unwrap(), person).await;
        if number % 2 == 0 {
            send(&site, Method::POST, &format!("{DELEGATIONS}/{id}/revoke"), None, 200).await;
        }
    }
    let (ada, bob) = (ada.to_string(), bob.to_string());
    let people = ("tenant_user_id", vec![ada.as_str(), &bob]);
    let actors = ("actor", vec![tool.as_str(), &agent, &idle]);
    check(&site, DELEGATIONS, [people, actors, ("state", vec!["live", "revoked"])]).await;
}

/// Begins to act, by a link in a browser.
async fn begin(tx: &mut Tx<Tenant>, cx: &Cx, ready: &Impersonation, (person, staff): (&Person, &Person)) {
    let secret = svc_keys::token(&*cx.entropy);
    impersonations::link(tx, cx, ready, (cx.id(), svc_keys::digest(&secret))).await.unwrap();
    let browser = Browser { digest: svc_keys::digest(&svc_keys::token(&*cx.entropy)), user_agent: "" };
    impersonations::begin(tx, cx, ready, (person, staff), browser).await.unwrap();
}

/// One that waits, one that is ready, one that is active, one that was refused, and one that was ended.
async fn one_of_each(site: &Site<'_>, [person, staff]: [TenantUserId; 2]) {
    let (cx, mut tx) = (site.harness.operator(), site.harness.app().db.begin(site.tenant.id).await.unwrap());
    let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let staff = tenant_users::find(&mut tx, staff).await.unwrap().unwrap();
    let new = |needs_approval: bool| NewImpersonation {
        person: &person,
        staff: &staff,
        app: None,
        reason: "Ticket 1",
        minutes: 15,
        needs_approval,
    };
    impersonations::ask(&mut tx, &cx, &new(true)).await.unwrap();
    impersonations::ask(&mut tx, &cx, &new(false)).await.unwrap();
    let begun = impersonations::ask(&mut tx, &cx, &new(false)).await.unwrap();
    begin(&mut tx, &cx, &begun, (&person, &staff)).await;
    let refused = impersonations::ask(&mut tx, &cx, &new(true)).await.unwrap();
    impersonations::decide(&mut tx, &cx, (refused.id, person.id), false).await.unwrap();
    let ended = impersonations::ask(&mut tx, &cx, &new(false)).await.unwrap();
    assert!(impersonations::end(&mut tx, &cx, &ended).await.unwrap());
    tx.commit().await.unwrap();
}

/// A tenant says that it wants it.
async fn enable(site: &Site<'_>) {
    let body = json!({ "settings": { "impersonation": { "enabled": true } } });
    send(site, Method::PATCH, "/api/v1/tenant-settings", Some(body), 200).await;
}

#[tokio::test]
async fn impersonations_are_found_by_person_staff_and_the_state_that_they_are_in_by_now() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    enable(&site).await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "sue", "tom"] {
        people.push(site.user(name).await.id);
    }
    let pairs = [[people[0], people[2]], [people[1], people[2]], [people[0], people[3]]];
    for pair in pairs {
        one_of_each(&site, pair).await;
    }
    // What is under way runs out, but for what comes now.
    h.advance(impersonations::WAITS.0 + 1);
    one_of_each(&site, pairs[0]).await;
    let names: Vec<String> = people.iter().map(ToString::to_string).collect();
    let states = vec!["waiting", "ready", "active", "refused", "expired", "ended"];
    for state in &states {
        let found = walked(&site, IMPERSONATIONS, &format!("state={state}")).await;
        assert!(!found.is_empty() && found.iter().all(|one| one["state"] == *state), "{state}: {found:?}");
    }
    let helped = ("tenant_user_id", vec![names[0].as_str(), &names[1], &names[2]]);
    let staff = ("staff_id", vec![names[2].as_str(), &names[3]]);
    check(&site, IMPERSONATIONS, [helped, staff, ("state", states)]).await;
}

#[tokio::test]
async fn what_waits_for_a_day_is_found_until_its_last_moment() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    enable(&site).await;
    let (ada, sue) = (site.user("ada").await.id, site.user("sue").await.id);
    one_of_each(&site, [ada, sue]).await;
    let path = IMPERSONATIONS;
    h.advance(impersonations::WAITS.0 - 1);
    let found = walked(&site, path, "state=waiting").await;
    assert_eq!(found.len(), 1);
    let waiting: ImpersonationId = found[0]["id"].as_str().unwrap().parse().unwrap();
    // Approved at the last moment, it can be begun for an hour, and lasts for an hour more.
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    impersonations::decide(&mut tx, &h.operator(), (waiting, ada), true).await.unwrap();
    tx.commit().await.unwrap();
    h.advance(impersonations::READY.0 - 1);
    assert_eq!(walked(&site, path, "state=ready").await.len(), 1);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let cx = h.operator();
    let ready = impersonations::find(&mut tx, waiting, cx.now).await.unwrap().unwrap();
    let person = tenant_users::find(&mut tx, ada).await.unwrap().unwrap();
    let staff = tenant_users::find(&mut tx, sue).await.unwrap().unwrap();
    let ready = Impersonation { minutes: 60, ..ready };
    begin(&mut tx, &cx, &ready, (&person, &staff)).await;
    tx.commit().await.unwrap();
    h.advance(60 * 60 - 1);
    let active = walked(&site, path, "state=active").await;
    assert_eq!(active.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [&json!(waiting)]);
    h.advance(1);
    assert!(walked(&site, path, "state=active").await.is_empty());
    assert_eq!(walked(&site, path, "state=ended").await.len(), 3);
}
