//! Trials: simulations, policies in the shadow, and dry runs.

use super::*;
use crate::harness::Harness;

#[tokio::test]
async fn a_simulation_answers_for_texts_and_entities_that_are_stored_nowhere() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    policy(&site, "active", READERS).await;
    let simulate = async |policies: Value, with_active: bool, entities: Value| {
        let body = json!({
            "question": { "subject": { "type": "user", "id": ada }, "action": { "name": "read" },
                "resource": { "type": "document", "id": "1", "properties": { "parents": [{ "type": "folder", "id": "secret" }] } } },
            "policies": policies, "with_active": with_active, "entities": entities
        });
        send(&site, Method::POST, &format!("{POLICIES}/simulate"), Some(body)).await.expect(200).json()
    };
    let none = simulate(json!([]), true, json!([])).await;
    assert_eq!((&none["decision"], &none["present_decision"]), (&json!(true), &json!(true)));
    let alone = simulate(json!([]), false, json!([])).await;
    assert_eq!((&alone["decision"], &alone["present_decision"]), (&json!(false), &json!(true)));
    let forbid =
        json!([{ "text": "@id(\"vault\") forbid(principal, action, resource in folder::\"vault\");" }]);
    assert_eq!(simulate(forbid.clone(), true, json!([])).await["decision"], json!(true));
    let folder = json!([{ "type": "folder", "id": "secret", "properties": { "parents": [{ "type": "folder", "id": "vault" }] } }]);
    let within = simulate(forbid, true, folder).await;
    assert_eq!(
        (&within["decision"], &within["policies"][0]["statement"]),
        (&json!(false), &json!("vault")),
        "{within}"
    );
    assert_eq!(within["policies"][0]["policy_id"], Value::Null);
    h.run_jobs().await;
    let recorded = send(&site, Method::GET, &format!("{POLICIES}/decisions"), None).await.expect(200).json();
    assert_eq!(recorded["data"], json!([]), "a simulation is no decision");
}

#[tokio::test]
async fn a_shadow_never_changes_an_answer_and_what_it_would_change_is_counted_and_listed() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    policy(&site, "active", READERS).await;
    let shadow =
        policy(&site, "shadow", "forbid(principal, action, resource) when { context.risk > 5 };").await;
    for (risk, times) in [(9, 2), (1, 3)] {
        for _ in 0..times {
            assert_eq!(ask(&site, &ada, "read", json!({ "risk": risk })).await["decision"], json!(true));
        }
    }
    assert_eq!(ask(&site, &ada, "write", json!({ "risk": 9 })).await["decision"], json!(false));
    h.run_jobs().await;
    let counts =
        send(&site, Method::GET, &format!("{}/shadow", path_of(&shadow)), None).await.expect(200).json();
    let counts = &counts["data"][0];
    assert_eq!(
        (&counts["version"], &counts["evaluated"], &counts["differed"]),
        (&json!(1), &json!(6), &json!(2))
    );
    assert_eq!(counts["last_differed_at"], json!("2027-01-15T08:00:00Z"));
    let list = send(&site, Method::GET, &format!("{POLICIES}/decisions"), None).await.expect(200).json();
    let differing =
        list["data"].as_array().unwrap().iter().filter(|one| one["differing"] == json!([shadow["id"]]));
    assert_eq!((list["data"].as_array().unwrap().len(), differing.count()), (6, 2));
    ask(&site, &ada, "read", json!({ "risk": 9 })).await;
    h.run_jobs().await;
    let counts =
        send(&site, Method::GET, &format!("{}/shadow", path_of(&shadow)), None).await.expect(200).json();
    assert_eq!(counts["data"][0]["differed"], json!(3), "it adds up");
    let _ =
        send(&site, Method::PATCH, &path_of(&shadow), Some(json!({ "status": "active" }))).await.expect(200);
    assert_eq!(ask(&site, &ada, "read", json!({ "risk": 9 })).await["decision"], json!(false));
}

#[tokio::test]
async fn a_dry_run_tells_which_of_the_last_decisions_would_be_others() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    policy(&site, "active", READERS).await;
    for action in ["read", "read", "write"] {
        ask(&site, &ada, action, json!({})).await;
    }
    h.run_jobs().await;
    let draft = policy(&site, "draft", "permit(principal, action == Action::\"write\", resource);").await;
    let run = async |body: Value| {
        let path = format!("{}/dry-run", path_of(&draft));
        send(&site, Method::POST, &path, Some(body)).await.expect(200).json()
    };
    let told =
        |run: &Value| [run["evaluated"].clone(), run["newly_permitted"].clone(), run["newly_denied"].clone()];
    let first = run(json!({})).await;
    assert_eq!(told(&first), [json!(3), json!(1), json!(0)]);
    let change = &first["changes"][0];
    assert_eq!((&change["decision"], &change["decision_with"]), (&json!(false), &json!(true)));
    assert_eq!(change["recorded"]["question"]["action"]["name"], json!("write"));
    let other = run(json!({ "text": "forbid(principal, action == Action::\"read\", resource);" })).await;
    assert_eq!(told(&other), [json!(3), json!(0), json!(2)]);
    assert_eq!(ask(&site, &ada, "write", json!({})).await["decision"], json!(false), "nothing was changed");
}

#[tokio::test]
async fn the_last_thousand_decisions_of_a_tenant_are_kept_for_a_week() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let count = async || {
        let mut tx = h.app().db.read_system().await.unwrap();
        let select = svc_db::SystemSql::new("SELECT COUNT(*) AS count FROM policy_decisions");
        tx.one(select, &[]).await.unwrap().int("count").unwrap()
    };
    let evaluations: Vec<_> =
        (0..100).map(|id| json!({ "resource": { "type": "document", "id": id.to_string() } })).collect();
    let body = json!({ "subject": { "type": "user", "id": ada }, "action": { "name": "read" }, "evaluations": evaluations });
    for _ in 0..11 {
        let _ = send(&site, Method::POST, "/access/v1/evaluations", Some(body.clone())).await.expect(200);
        h.run_jobs().await;
    }
    assert_eq!(count().await, 1_000);
    let _ = send(&site, Method::POST, "/access/v1/evaluations", Some(body.clone())).await.expect(200);
    let _ = send(&site, Method::POST, "/access/v1/evaluations", Some(body.clone())).await.expect(200);
    h.run_jobs().await;
    assert_eq!(count().await, 1_000, "no more wait to be written than a hundred of a tenant");
    h.advance(8 * 86_400);
    h.run_jobs().await;
    assert_eq!(count().await, 0);
}
