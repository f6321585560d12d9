//! What was written down is narrowed by its outcome: the sign-ins of a person, and the decisions of policies.

use serde_json::{Value, json};
use svc_core::TenantUserId;
use svc_domain::people::login_history::{self, NewLogin, Outcome};
use svc_http::Method;

use super::{send, walked};
use crate::harness::{Harness, Site};

/// Writes down an attempt of a person.
async fn attempt(site: &Site<'_>, person: TenantUserId, outcome: Outcome) {
    site.harness.advance(1);
    let new = NewLogin {
        member: Some(person),
        outcome,
        amr: &["pwd"],
        session: None,
        user_agent: "",
        is_known_device: false,
        rating: None,
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    login_history::note(&mut tx, &site.harness.operator(), new).unwrap();
    tx.commit().await.unwrap();
}

/// Looks for each of these values of a member among all.
async fn check(site: &Site<'_>, path: &str, member: &str, values: &[Value]) {
    let all = walked(site, path, "").await;
    for value in values {
        let expected: Vec<_> = all.iter().filter(|one| one[member] == *value).cloned().collect();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{path} {value}: {all:?}");
        let query = format!("{member}={}", value.to_string().trim_matches('"'));
        assert_eq!(walked(site, path, &query).await, expected, "{query}");
    }
    let wrong = send(site, Method::GET, &format!("{path}?{member}=lost"), None, 400).await;
    let told = wrong["error_description"].as_str().unwrap();
    assert!(told.starts_with(&format!("{member}: ")), "{wrong}");
}

#[tokio::test]
async fn the_sign_ins_of_a_person_are_found_by_their_outcome() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await.id, site.user("bob").await.id);
    for outcome in [
        Outcome::Failure,
        Outcome::Success,
        Outcome::Failure,
        Outcome::Refused,
        Outcome::Impersonated,
        Outcome::Disowned,
        Outcome::Success,
    ] {
        attempt(&site, ada, outcome).await;
        attempt(&site, bob, Outcome::Failure).await;
    }
    let path = format!("/api/v1/tenant-users/{ada}/login-history");
    let outcomes =
        ["success", "failure", "refused", "impersonated", "disowned"].map(|outcome| json!(outcome));
    check(&site, &path, "outcome", &outcomes).await;
    let of_bob = format!("/api/v1/tenant-users/{bob}/login-history");
    assert!(walked(&site, &of_bob, "outcome=success").await.is_empty());
}

#[tokio::test]
async fn recorded_decisions_are_found_by_their_answer() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id;
    let text = "permit(principal, action == Action::\"read\", resource is document);";
    let new = json!({ "name": "Readers", "status": "active", "text": text });
    send(&site, Method::POST, "/api/v1/policies", Some(new), 201).await;
    for action in ["read", "write", "write", "read", "write"] {
        h.advance(1);
        let question = json!({
            "subject": { "type": "user", "id": ada }, "action": { "name": action },
            "resource": { "type": "document", "id": "42" }
        });
        send(&site, Method::POST, "/access/v1/evaluation", Some(question), 200).await;
    }
    h.run_jobs().await;
    check(&site, "/api/v1/policies/decisions", "decision", &[json!(true), json!(false)]).await;
}
