//! Decisions over the standard's API.

use super::*;
use crate::harness::Harness;

#[tokio::test]
async fn nothing_is_permitted_unless_a_policy_says_so_and_what_forbids_wins() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let answer = ask(&site, &ada, "read", json!({})).await;
    assert_eq!(answer["decision"], json!(false));
    assert_eq!(answer["context"]["reason_admin"]["en"], json!("no active policy permits it"));
    let permit = policy(&site, "active", &format!("@id(\"readers\") {READERS}")).await;
    let answer = ask(&site, &ada, "read", json!({})).await;
    assert_eq!(answer["decision"], json!(true));
    assert_eq!(
        answer["context"]["policies"],
        json!([{ "policy_id": permit["id"], "version": 1, "statement": "readers" }])
    );
    assert_eq!(ask(&site, &ada, "write", json!({})).await["decision"], json!(false));
    let forbid = "@id(\"night\") @reason(\"Come back tomorrow.\") forbid(principal, action, resource) \
                  unless { context.acr == \"aal2\" };";
    policy(&site, "active", forbid).await;
    let refused = ask(&site, &ada, "read", json!({ "acr": "aal1" })).await;
    assert_eq!(refused["decision"], json!(false));
    assert_eq!(refused["context"]["reason_user"]["en"], json!("Come back tomorrow."));
    assert_eq!(refused["context"]["policies"][0]["statement"], json!("night"));
    assert_eq!(ask(&site, &ada, "read", json!({ "acr": "aal2" })).await["decision"], json!(true));
    // A statement that cannot be evaluated says nothing, and the answer tells of it.
    let failed = ask(&site, &ada, "read", json!({})).await;
    assert_eq!(
        (&failed["decision"], &failed["context"]["failed"][0]["statement"]),
        (&json!(true), &json!("night"))
    );
}

#[tokio::test]
async fn people_are_who_our_records_say_whatever_the_request_says() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let (ada, bob) = (site.user_with_roles("ada", &["editor"]).await, site.user("bob").await);
    let outer = site.group("Writers", &[]).await;
    let inner = site.group("Novelists", &[]).await;
    site.nest(&outer, &inner).await;
    policy(&site, "active", "permit(principal in Role::\"editor\", action == Action::\"edit\", resource);")
        .await;
    policy(
        &site,
        "active",
        "permit(principal in Group::\"Writers\", action == Action::\"write\", resource);",
    )
    .await;
    let own = "permit(principal is User, action == Action::\"own\", resource) when { resource.owner == principal.sub };";
    policy(&site, "active", own).await;
    let decision =
        async |who: &str, action: &str| ask(&site, who, action, json!({})).await["decision"].clone();
    assert_eq!(decision(&ada.id.to_string(), "edit").await, json!(true));
    assert_eq!(decision(&ada.subject, "edit").await, json!(true), "a `sub` names the same person");
    assert_eq!(decision(&bob.id.to_string(), "edit").await, json!(false));
    let claimed = json!({
        "subject": { "type": "user", "id": bob.id, "properties": { "roles": ["editor"], "sub": ada.subject,
            "parents": [{ "type": "Role", "id": "editor" }] } },
        "action": { "name": "edit" }, "resource": { "type": "document", "id": "1", "properties": { "owner": ada.subject } }
    });
    for action in ["edit", "own"] {
        let mut claimed = claimed.clone();
        claimed["action"]["name"] = json!(action);
        let answer = send(&site, Method::POST, "/access/v1/evaluation", Some(claimed)).await.expect(200);
        assert_eq!(answer.json()["decision"], json!(false), "{action}");
    }
    let decided = async |question: Value| {
        let answer = send(&site, Method::POST, "/access/v1/evaluation", Some(question)).await.expect(200);
        answer.json()["decision"].clone()
    };
    let novelists = json!([{ "type": "Group", "id": "Writers" }]);
    site.add(&site.group("Readers", &[]).await, bob.id).await;
    let through_group = json!({ "subject": { "type": "user", "id": bob.id }, "action": { "name": "write" },
        "resource": { "type": "Group", "id": "Readers", "properties": { "parents": novelists } } });
    assert_eq!(decided(through_group).await, json!(false), "a request does not say what a group is in");
    let stranger = json!({ "subject": { "type": "user", "id": "nobody", "properties": { "parents": novelists } },
        "action": { "name": "write" }, "resource": { "type": "document", "id": "1" } });
    assert_eq!(decided(stranger).await, json!(false), "nor who is in it");
    // What changes counts on every node when a second is over.
    assert_eq!(decision(&bob.id.to_string(), "write").await, json!(false));
    let put = format!("/api/v1/groups/{}/members/{}", inner.id, bob.id);
    let _ = send(&site, Method::PUT, &put, None).await.expect(204);
    h.advance(2);
    assert_eq!(decision(&bob.id.to_string(), "write").await, json!(true));
    let _ = send(&site, Method::DELETE, &put, None).await.expect(204);
    h.advance(2);
    assert_eq!(decision(&bob.id.to_string(), "write").await, json!(false));
    let suspend = format!("/api/v1/tenant-users/{}/suspend", ada.id);
    let _ = send(&site, Method::POST, &suspend, None).await.expect(200);
    h.advance(2);
    let answer = ask(&site, &ada.id.to_string(), "edit", json!({})).await;
    assert_eq!(
        (&answer["decision"], &answer["context"]["reason_admin"]["en"]),
        (&json!(false), &json!("the person may not sign in"))
    );
}

#[tokio::test]
async fn a_policy_of_an_organization_decides_there_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("manager", &[]).await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let here = site.organization("initech", ada.id).await.id.to_string();
    let there = site.organization("initrode", ada.id).await.id.to_string();
    let member = format!("/api/v1/organizations/{here}/members/{}", ada.id);
    let _ = send(&site, Method::PUT, &member, Some(json!({ "roles": ["manager"] }))).await.expect(200);
    let text =
        "permit(principal, action, resource) when { principal.organization_roles.contains(\"manager\") };";
    let new = json!({ "name": "Ours", "status": "active", "text": text, "organization_id": here });
    let made = send(&site, Method::POST, POLICIES, Some(new)).await.expect(201).json();
    assert_eq!(made["organization_id"], json!(here));
    let decision = async |who: &svc_core::TenantUserId, context: Value| {
        ask(&site, &who.to_string(), "any", context).await["decision"].clone()
    };
    assert_eq!(decision(&ada.id, json!({ "organization": here })).await, json!(true));
    assert_eq!(decision(&ada.id, json!({ "organization": there })).await, json!(false));
    assert_eq!(decision(&ada.id, json!({})).await, json!(false));
    assert_eq!(decision(&eve.id, json!({ "organization": here })).await, json!(false));
    let _ = send(&site, Method::PUT, &member, Some(json!({ "roles": [] }))).await.expect(200);
    h.advance(2);
    assert_eq!(decision(&ada.id, json!({ "organization": here })).await, json!(false));
}

#[tokio::test]
async fn circumstances_are_what_the_application_says_and_the_time_is_ours() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let text = "permit(principal, action == Action::\"office\", resource) when { context.network.isInRange(ip(\"10.0.0.0/8\")) };\n\
                permit(principal, action == Action::\"day\", resource) when { context.time < datetime(\"2027-01-16\") };\n\
                permit(principal, action == Action::\"calm\", resource) when { context.risk.lessThan(decimal(\"0.5\")) && \
                  context.amr.contains(\"otp\") && context.agent == false };";
    policy(&site, "active", text).await;
    for (action, context, expected) in [
        ("office", json!({ "network": "10.1.2.3" }), true),
        ("office", json!({ "network": "192.0.2.1" }), false),
        ("office", json!({}), false),
        ("day", json!({}), true),
        ("day", json!({ "time": "2027-02-01T10:00:00+02:00" }), false),
        ("calm", json!({ "risk": 0.25, "amr": ["pwd", "otp"], "agent": false }), true),
        ("calm", json!({ "risk": 0.75, "amr": ["pwd", "otp"], "agent": false }), false),
        ("calm", json!({ "risk": 0.25, "amr": ["pwd"], "agent": false }), false),
    ] {
        assert_eq!(
            ask(&site, &ada, action, context.clone()).await["decision"],
            json!(expected),
            "{action} {context}"
        );
    }
    h.advance(2 * 86_400);
    assert_eq!(ask(&site, &ada, "day", json!({})).await["decision"], json!(false), "time went by");
}

#[tokio::test]
async fn a_member_that_may_be_left_out_may_be_null() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    policy(&site, "active", READERS).await;
    let question = json!({
        "subject": { "type": "user", "id": "x", "properties": null }, "action": { "name": "read", "properties": null },
        "resource": { "type": "document", "id": "1", "properties": null }, "context": null
    });
    let sent =
        async |path: &str, body: Value| send(&site, Method::POST, path, Some(body)).await.expect(200).json();
    assert_eq!(sent("/access/v1/evaluation", question.clone()).await["decision"], json!(true));
    let several = json!({ "evaluations": [question], "context": null, "options": null });
    assert_eq!(sent("/access/v1/evaluations", several).await["evaluations"][0]["decision"], json!(true));
    let simulation = json!({ "question": question, "policies": [], "entities": [question["subject"]] });
    assert_eq!(sent(&format!("{POLICIES}/simulate"), simulation).await["decision"], json!(true));
    let mut search = question.clone();
    search["resource"] = json!({ "type": "document", "properties": null });
    search["page"] = json!({ "properties": null });
    assert_eq!(sent("/access/v1/search/resource", search).await["results"], json!([]));
}

#[tokio::test]
async fn several_questions_share_what_is_said_once_and_end_where_they_should() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await.id.to_string();
    let odd = "permit(principal, action == Action::\"read\", resource is document) when { [\"1\", \"3\"].contains(resource.id) };";
    policy(&site, "active", odd).await;
    let ids = |ids: &[&str]| {
        ids.iter().map(|id| json!({ "resource": { "type": "document", "id": id } })).collect::<Vec<_>>()
    };
    let body = |evaluations: Vec<Value>, options: Value| json!({ "subject": { "type": "user", "id": ada }, "action": { "name": "read" }, "evaluations": evaluations, "options": options });
    let asked = async |body: Value| {
        send(&site, Method::POST, "/access/v1/evaluations", Some(body)).await.expect(200).json()
    };
    let decisions = |answer: &Value| -> Vec<bool> {
        answer["evaluations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["decision"].as_bool().unwrap())
            .collect()
    };
    for (options, expected) in [
        (json!({}), vec![true, false, true]),
        (
            json!({ "evaluations_semantic": "execute_all", "another_option": "value" }),
            vec![true, false, true],
        ),
        (json!({ "evaluations_semantic": "deny_on_first_deny" }), vec![true, false]),
        (json!({ "evaluations_semantic": "permit_on_first_permit" }), vec![true]),
    ] {
        let answer = asked(body(ids(&["1", "2", "3"]), options.clone())).await;
        assert_eq!(decisions(&answer), expected, "{options}");
        assert!(answer.get("decision").is_none());
    }
    let mut overridden = ids(&["1", "1"]);
    overridden[1]["action"] = json!({ "name": "write" });
    assert_eq!(decisions(&asked(body(overridden, json!({}))).await), [true, false]);
    let mut wrong = body(ids(&["1"]), json!({}));
    wrong["evaluations"].as_array_mut().unwrap().push(json!({ "action": { "name": "read" } }));
    let answer = asked(wrong).await;
    assert_eq!(decisions(&answer), [true, false]);
    let error = &answer["evaluations"][1]["context"]["error"];
    assert_eq!(
        (&error["status"], error["message"].as_str().unwrap().starts_with("resource: ")),
        (&json!(400), true)
    );
    let single = json!({ "subject": { "type": "user", "id": ada }, "action": { "name": "read" }, "resource": { "type": "document", "id": "1" } });
    let answer = asked(single).await;
    assert_eq!(
        (&answer["decision"], answer.get("evaluations")),
        (&json!(true), None),
        "without a list it is one question"
    );
}

#[tokio::test]
async fn the_metadata_leads_to_endpoints_that_answer_and_the_request_id_comes_back() {
    let h = Harness::new().await;
    let site = h.tenant("acme").await;
    let metadata = h.get(&site.host, "/.well-known/authzen-configuration").await.expect(200).json();
    assert_eq!(metadata["policy_decision_point"], json!(site.issuer()));
    let token = site.mint(|claims| claims["scope"] = json!("access:evaluate"));
    for member in [
        "access_evaluation_endpoint",
        "access_evaluations_endpoint",
        "search_subject_endpoint",
        "search_resource_endpoint",
        "search_action_endpoint",
    ] {
        let path = metadata[member].as_str().unwrap().strip_prefix(site.issuer()).unwrap();
        let question = json!({ "subject": { "type": "user", "id": "nobody" }, "action": { "name": "read" },
            "resource": { "type": "document", "id": "1" } });
        let mut question = question;
        if member == "search_action_endpoint" {
            question.as_object_mut().unwrap().remove("action");
        }
        let answer = site
            .call_with(
                Method::POST,
                path,
                &token,
                ("x-request-id", "bfe9eb29-ab87-4ca3-be83-a1d5d8305716"),
                question,
            )
            .await;
        let answer = answer.expect(200);
        assert_eq!(answer.header("x-request-id"), "bfe9eb29-ab87-4ca3-be83-a1d5d8305716", "{member}");
    }
}
