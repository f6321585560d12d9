//! Domains of organizations: who claims them, what proves them, and what does not. A name server on this machine answers.

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_http::{Body, Method, Request};

use super::World;
use crate::changes::left_by;
use crate::harness::names::Names;
use crate::harness::{Answer, Site};

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

fn domains(organization: &Organization) -> String {
    format!("/api/v1/organizations/{}/domains", organization.id)
}

async fn try_claim(site: &Site<'_>, organization: &Organization, domain: &str) -> Answer {
    send(site, Method::POST, &domains(organization), Some(json!({ "domain": domain }))).await
}

async fn claim(site: &Site<'_>, organization: &Organization, domain: &str) -> Value {
    try_claim(site, organization, domain).await.expect(201).json()
}

fn path(organization: &Organization, claim: &Value) -> String {
    format!("{}/{}", domains(organization), claim["id"].as_str().unwrap())
}

async fn verify(site: &Site<'_>, organization: &Organization, claim: &Value) -> Answer {
    send(site, Method::POST, &format!("{}/verify", path(organization, claim)), None).await
}

#[tokio::test]
async fn a_domain_is_proven_by_the_record_that_its_claim_names() {
    let names = Names::serve().await;
    let h = names.harness(&[]).await;
    let world = World::new(&h).await;
    let claimed = claim(&world.site, &world.initech, "Bücher.Example").await;
    assert_eq!(claimed["domain"], "xn--bcher-kva.example");
    assert_eq!(claimed["record_name"], "_svc-challenge.xn--bcher-kva.example");
    assert_eq!((&claimed["status"], claimed.get("verified_at")), (&json!("pending"), None));
    names.publish(&claimed);
    let [actions, events] = left_by(&h, verify(&world.site, &world.initech, &claimed)).await;
    assert_eq!(actions, ["organization.domain_verified"]);
    assert_eq!(events, ["org.domain.verified"]);
    let read = send(&world.site, Method::GET, &path(&world.initech, &claimed), None).await.expect(200).json();
    assert_eq!(read["status"], "verified");
    assert!(read["verified_at"].is_string());
    let [actions, _] = left_by(&h, verify(&world.site, &world.initech, &claimed)).await;
    assert!(actions.is_empty(), "{actions:?}");
    let list = send(&world.site, Method::GET, &domains(&world.initech), None).await.expect(200).json();
    assert_eq!(list["data"], json!([read]));
    let _ = send(&world.site, Method::DELETE, &path(&world.initech, &claimed), None).await.expect(204);
    let _ = send(&world.site, Method::GET, &path(&world.initech, &claimed), None).await.expect(404);
}

#[tokio::test]
async fn without_the_value_at_the_name_a_domain_stays_unproven() {
    let names = Names::serve().await;
    let h = names.harness(&[("SVC_VERIFIED_DOMAINS__RECORD_LABEL", "_acme")]).await;
    let world = World::new(&h).await;
    let claimed = claim(&world.site, &world.initech, "acme.example").await;
    let (name, value) = ("_acme.acme.example", claimed["record_value"].as_str().unwrap());
    assert_eq!(claimed["record_name"], name);
    let another = claim(&world.site, &world.hooli, "acme.example").await;
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(409);
    names.set("acme.example", &[value]);
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(409);
    names.set(name, &[another["record_value"].as_str().unwrap(), &format!("{value} "), &value[1..]]);
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(409);
    names.set(name, &[]);
    let failed = verify(&world.site, &world.initech, &claimed).await.expect(409);
    assert!(failed.body.contains("gave no answer"), "{failed:?}");
    let read = send(&world.site, Method::GET, &path(&world.initech, &claimed), None).await.expect(200).json();
    assert_eq!(read["status"], "pending");
}

#[tokio::test]
async fn one_organization_of_a_tenant_proves_a_domain_and_each_tenant_counts_for_itself() {
    let names = Names::serve().await;
    let h = names.harness(&[]).await;
    let world = World::new(&h).await;
    let other = h.tenant("other").await;
    let owner = other.user("olga").await;
    let umbrella = other.organization("umbrella", owner.id).await;
    let first = claim(&world.site, &world.initech, "acme.example").await;
    let second = claim(&world.site, &world.hooli, "acme.example").await;
    let third = claim(&other, &umbrella, "acme.example").await;
    for (site, organization, claimed, status) in [
        (&world.site, &world.hooli, &second, 200),
        (&world.site, &world.initech, &first, 409),
        (&other, &umbrella, &third, 200),
    ] {
        names.publish(claimed);
        let _ = verify(site, organization, claimed).await.expect(status);
    }
    // The claim of one organization is none of the other, and none of another tenant.
    for (site, organization) in [(&world.site, &world.initech), (&other, &umbrella)] {
        let foreign = path(organization, &second);
        let _ = send(site, Method::GET, &foreign, None).await.expect(404);
        let _ = send(site, Method::DELETE, &foreign, None).await.expect(404);
        let _ = verify(site, organization, &second).await.expect(404);
    }
    let _ = send(&other, Method::GET, &domains(&world.initech), None).await.expect(404);
    let _ = send(&world.site, Method::DELETE, &path(&world.hooli, &second), None).await.expect(204);
    names.publish(&first);
    let _ = verify(&world.site, &world.initech, &first).await.expect(200);
}

#[tokio::test]
async fn what_no_organization_can_own_is_refused_and_their_number_is_bounded() {
    let names = Names::serve().await;
    let h = names.harness(&[("SVC_VERIFIED_DOMAINS__MAX_PER_ORGANIZATION", "2")]).await;
    let world = World::new(&h).await;
    let own = world.site.issuer().trim_start_matches("https://").trim_start_matches("http://");
    let own = own.split(':').next().unwrap();
    for bad in [
        "",
        "com",
        "co.uk",
        "127.0.0.1",
        "[::1]",
        "https://acme.example",
        "a_b.example",
        own,
        &format!("a.{own}"),
    ] {
        let _ = try_claim(&world.site, &world.initech, bad).await.expect(400);
    }
    claim(&world.site, &world.initech, "acme.example").await;
    let _ = try_claim(&world.site, &world.initech, "ACME.example").await.expect(409);
    claim(&world.site, &world.initech, "mail.acme.example").await;
    let _ = try_claim(&world.site, &world.initech, "third.example").await.expect(409);
    claim(&world.site, &world.hooli, "third.example").await;
}

#[tokio::test]
async fn where_domains_are_switched_off_their_addresses_do_not_exist() {
    let names = Names::serve().await;
    let h = names.harness(&[("SVC_VERIFIED_DOMAINS__ENABLED", "false")]).await;
    let world = World::new(&h).await;
    let _ = try_claim(&world.site, &world.initech, "acme.example").await.expect(404);
    let _ = send(&world.site, Method::GET, &domains(&world.initech), None).await.expect(404);
}

#[tokio::test]
async fn a_proven_domain_lapses_when_its_proof_is_gone_for_a_week_and_no_sooner() {
    const DAY: i64 = 86_400;
    let names = Names::serve().await;
    let h = names.harness(&[]).await;
    let world = World::new(&h).await;
    let claimed = claim(&world.site, &world.initech, "acme.example").await;
    names.publish(&claimed);
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(200);
    let record = claimed["record_name"].as_str().unwrap().to_owned();
    let pass = async |days: i64| {
        for _ in 0..days {
            h.advance(DAY + 60);
            h.run_jobs().await;
        }
        let read = send(&world.site, Method::GET, &path(&world.initech, &claimed), None).await.expect(200);
        let read = read.json();
        (read["status"].as_str().unwrap().to_owned(), read["failing_since"].is_string())
    };
    assert_eq!(pass(2).await, ("verified".to_owned(), false));
    // Answers that do not come count for nothing, however long.
    names.set(&record, &[]);
    assert_eq!(pass(9).await, ("verified".to_owned(), false));
    names.set(&record, &["v=spf1 -all"]);
    assert_eq!(pass(6).await, ("verified".to_owned(), true));
    names.publish(&claimed);
    assert_eq!(pass(1).await, ("verified".to_owned(), false));
    names.set(&record, &["v=spf1 -all"]);
    assert_eq!(pass(7).await, ("verified".to_owned(), true));
    let before = h.mails().await.len();
    let [actions, events] = left_by(&h, pass(1)).await;
    assert_eq!(actions, ["organization.domain_lapsed"]);
    assert_eq!(events, ["org.domain.lapsed"]);
    let mails = h.mails().await;
    assert_eq!(mails.len(), before + 1);
    assert_eq!(mails.last().unwrap().subject, "A domain is no longer proven");
    assert_eq!(pass(2).await, ("pending".to_owned(), false));
    names.publish(&claimed);
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(200);
}

#[tokio::test]
async fn a_proof_is_looked_for_again_after_the_hours_of_the_deployment() {
    let names = Names::serve().await;
    let h = names.harness(&[("SVC_VERIFIED_DOMAINS__RECHECK_HOURS", "2")]).await;
    let world = World::new(&h).await;
    let claimed = claim(&world.site, &world.initech, "acme.example").await;
    names.publish(&claimed);
    let _ = verify(&world.site, &world.initech, &claimed).await.expect(200);
    names.set(claimed["record_name"].as_str().unwrap(), &["v=spf1 -all"]);
    for (wait, is_missed) in [(6_600, false), (660, true)] {
        h.advance(wait);
        h.run_jobs().await;
        let read = send(&world.site, Method::GET, &path(&world.initech, &claimed), None).await.expect(200);
        assert_eq!(read.json()["failing_since"].is_string(), is_missed, "after {wait} more seconds");
    }
}

#[tokio::test]
async fn a_deletion_is_meant_for_a_version() {
    let names = Names::serve().await;
    let h = names.harness(&[]).await;
    let world = World::new(&h).await;
    let claimed = claim(&world.site, &world.initech, "acme.example").await;
    let path = path(&world.initech, &claimed);
    let read = send(&world.site, Method::GET, &path, None).await.expect(200);
    names.publish(&claimed);
    let verified = verify(&world.site, &world.initech, &claimed).await.expect(200);
    for (version, status) in [(read.header("etag"), 409), (verified.header("etag"), 204)] {
        let request = Request::builder().method(Method::DELETE).uri(&path).header("host", &world.site.host);
        let request = request.header("authorization", format!("Bearer {}", world.site.mint(|_| ())));
        let request = request.header("if-match", version).body(Body::empty()).unwrap();
        let _ = h.send(request).await.expect(status);
    }
}
