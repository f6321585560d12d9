//! Texts and questions of those who mean no good.

use std::time::{Duration, Instant};

use super::*;
use crate::harness::Harness;

#[tokio::test]
async fn hostile_texts_are_refused_in_time() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let when = |condition: &str| format!("permit(principal, action, resource) when {{ {condition} }};");
    for (name, text) in [
        ("brackets", when(&format!("{}true{}", "(".repeat(8_000), ")".repeat(8_000)))),
        ("lists", when(&format!("{}1{}", "[".repeat(8_000), "]".repeat(8_000)))),
        ("members", when(&format!("context{}", ".a".repeat(9_000)))),
        ("conditions", when(&vec!["true"; 6_000].join("&&"))),
        ("choices", when(&"if true then true else ".repeat(1_000))),
        ("negations", when(&"!".repeat(9_000))),
        ("patterns", when(&vec!["context.a like \"*a*\""; 400].join("||"))),
        ("statements", READERS.repeat(400)),
        ("literals", when(&format!("context.a like \"{}\"", "*a".repeat(4_000)))),
        ("unknown functions", when("exec(\"/bin/sh\")")),
        ("wrong literals", when("decimal(\"1.23456\").lessThan(decimal(\"2.0\"))")),
        ("unfinished", "permit(principal, action, resource) when { \"".to_owned()),
        ("controls", "\u{1b}[2J".to_owned()),
        ("reserved", when("__cedar::x::\"a\" == principal")),
        ("templates", "permit(principal == ?principal, action, resource == ?resource);".to_owned()),
    ] {
        let began = Instant::now();
        let new = json!({ "name": "Hostile", "status": "active", "text": text });
        let refused = send(&site, Method::POST, POLICIES, Some(new)).await;
        let refused = refused.expect_problem(400, "bad_request").json();
        assert_eq!(refused["errors"][0]["pointer"], json!("/text"), "{name}: {refused}");
        assert!(began.elapsed() < Duration::from_secs(10), "{name} took {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn what_is_as_long_and_deep_as_it_may_be_is_evaluated() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let deep = format!("{}true{}", "(".repeat(20), ")".repeat(20));
    let long = vec!["context.a like \"*a*a*a*a*b\""; 49].join(" || ");
    policy(&site, "active", &format!("permit(principal, action, resource) when {{ {deep} && !({long}) }};"))
        .await;
    let conditions = vec!["true"; 90].join(" && ");
    policy(&site, "active", &format!("permit(principal, action, resource) when {{ {conditions} }};")).await;
    let began = Instant::now();
    let answer = ask(&site, &ada, "any", json!({ "a": "a".repeat(2_000) })).await;
    assert_eq!((&answer["decision"], answer["context"].get("failed")), (&json!(true), None));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn malformed_questions_are_refused_by_the_name_of_their_member() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let fine = json!({ "subject": { "type": "user", "id": "x" }, "action": { "name": "read" }, "resource": { "type": "document", "id": "1" } });
    for (member, value, told) in [
        ("subject", Value::Null, "subject"),
        ("subject", json!("user:x"), "subject"),
        ("subject", json!({ "type": "user" }), "subject"),
        ("subject", json!({ "type": "user", "id": 7 }), "subject.id"),
        ("subject", json!({ "type": "no type", "id": "x" }), "subject.type"),
        ("subject", json!({ "type": "a::", "id": "x" }), "subject.type"),
        ("subject", json!({ "type": "user", "id": "x".repeat(513) }), "subject.id"),
        ("subject", json!({ "type": "user", "id": "a\nb" }), "subject.id"),
        ("action", json!({}), "action"),
        ("action", json!({ "name": "" }), "action.name"),
        ("action", json!({ "name": "x".repeat(129) }), "action.name"),
        ("resource", json!([]), "resource"),
        (
            "resource",
            json!({ "type": "document", "id": "1", "properties": { "parents": "x" } }),
            "resource.properties.parents",
        ),
        (
            "resource",
            json!({ "type": "a", "id": "1", "properties": { "parents": [{ "type": "a", "id": "1" }] } }),
            "resource.properties.parents: an entity would be in itself",
        ),
        ("context", json!([]), "context"),
        ("context", json!({ "network": "not an address" }), "context.network"),
        ("context", json!({ "time": "yesterday" }), "context.time"),
        ("context", json!({ "organization": 7 }), "context.organization"),
        ("context", json!({ "organization": "initech" }), "context.organization"),
        ("context", json!({ "organization": "" }), "context.organization"),
        ("context", json!({ "x": 1.000_01 }), "context.x"),
        ("context", json!({ "x": { "__extn": { "fn": "ip" }, "y": "z".repeat(3_000) } }), "context.x.y"),
        ("tenant_id", json!("tnt_x"), "tenant_id"),
    ] {
        let mut question = fine.clone();
        question[member] = value;
        let refused = send(&site, Method::POST, "/access/v1/evaluation", Some(question)).await;
        let refused = refused.expect_problem(400, "bad_request").json();
        assert!(refused["detail"].as_str().unwrap().contains(told), "{member}: {refused}");
    }
    let many: Vec<_> = (0..101).map(|_| json!({})).collect();
    let body = json!({ "evaluations": many });
    let _ = send(&site, Method::POST, "/access/v1/evaluations", Some(body))
        .await
        .expect_problem(400, "bad_request");
    let body = json!({ "evaluations": [fine], "options": { "evaluations_semantic": "sometimes" } });
    let _ = send(&site, Method::POST, "/access/v1/evaluations", Some(body))
        .await
        .expect_problem(400, "bad_request");
}

#[tokio::test]
async fn one_tenant_neither_sees_nor_asks_the_policies_or_people_of_another() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let ada = acme.user("ada").await;
    let theirs =
        policy(&acme, "active", "permit(principal is User, action, resource) when { principal has email };")
            .await;
    assert_eq!(ask(&acme, &ada.id.to_string(), "any", json!({})).await["decision"], json!(true));
    assert_eq!(ask(&globex, &ada.id.to_string(), "any", json!({})).await["decision"], json!(false));
    policy(&globex, "active", "permit(principal is User, action, resource) when { principal has email };")
        .await;
    let stranger = ask(&globex, &ada.id.to_string(), "any", json!({})).await;
    assert_eq!(stranger["decision"], json!(false), "nothing is known there of a person of another tenant");
    for suffix in ["", "/versions", "/versions/1", "/shadow"] {
        let path = format!("{}{suffix}", path_of(&theirs));
        let _ = send(&globex, Method::GET, &path, None).await.expect_problem(404, "not_found");
    }
    h.run_jobs().await;
    let list = send(&globex, Method::GET, &format!("{POLICIES}/decisions"), None).await.expect(200).json();
    assert!(
        !list["data"].to_string().contains(acme.issuer()) && list["data"].as_array().unwrap().len() <= 2,
        "{list}"
    );
}
