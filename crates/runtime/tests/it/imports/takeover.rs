//! What an import never does: take over an account, open another tenant, or give what the caller does not have.

use super::*;
use crate::changes::left_by;

#[tokio::test]
async fn an_account_that_is_there_keeps_its_password_and_becomes_a_member_when_its_owner_agrees() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let ada = other.user("ada").await;
    let before = stored(&h, &ada.email).await;
    let line =
        json!({ "email": ada.email, "profile": { "name": "Mallory" }, "password_hash": { "value": BCRYPT } });
    let [_, events] = left_by(&h, async {
        let done = imported(&site, json!({ "on_conflict": "update" }), &[line]).await;
        assert_eq!(done["counts"]["linked"], 1);
    })
    .await;
    let is_told = |name: &str| events.iter().any(|event| event == name);
    assert!(is_told("admin.import.begun"), "{events:?}");
    assert!(is_told("tenant_user.pre_provisioned") && !is_told("tenant_user.activated"), "{events:?}");
    assert_eq!(stored(&h, &ada.email).await, before);
    let shown = member(&site, &ada.email).await;
    assert_eq!((&shown["status"], &shown["name"]), (&json!("pre_provisioned"), &Value::Null));
    assert_eq!(shown["email_verified"], false, "nothing of the account is shown");
    let app = site.app("old").await;
    let (_, wrong) = attempt(&app, &ada.email, PASSWORD).await;
    assert!(wrong.status == 200 && wrong.body.contains("login-submit"), "{wrong:?}");
    let (mut browser, asked) = attempt(&app, &ada.email, &ada.password).await;
    assert!(asked.body.contains("/auth/join"), "{asked:?}");
    let answer = browser.submit(&asked, &[]).await;
    assert!(answer.status == 303 || answer.body.contains("consent-allow"), "{answer:?}");
    assert_eq!(member(&site, &ada.email).await["status"], "active");
}

#[tokio::test]
async fn an_imported_password_opens_no_other_tenant() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let line = json!({ "email": "victim@old.example", "email_verified": true, "password_hash": { "value": BCRYPT } });
    assert_eq!(imported(&site, json!({}), &[line.clone()]).await["counts"]["created"], 1);
    let app = other.app("elsewhere").await;
    let (_, stranger) = attempt(&app, "victim@old.example", PASSWORD).await;
    assert!(stranger.status == 200 && stranger.body.contains("login-submit"), "{stranger:?}");
    // Not even where the other tenant expects the person.
    assert_eq!(imported(&other, json!({}), &[line]).await["counts"]["linked"], 1);
    let (_, expected) = attempt(&app, "victim@old.example", PASSWORD).await;
    assert!(expected.status == 200 && expected.body.contains("login-submit"), "{expected:?}");
    assert_eq!(member(&other, "victim@old.example").await["status"], "pre_provisioned");
}

#[tokio::test]
async fn a_tenant_that_manages_an_account_does_not_sign_in_elsewhere_with_it_though_its_address_is_proven() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let line = json!({ "email": "victim@old.example", "password_hash": { "value": BCRYPT } });
    assert_eq!(imported(&site, json!({}), &[line.clone()]).await["counts"]["created"], 1);
    let mut tx = h.app().db.begin_system().await.unwrap();
    let verify = SystemSql::new("UPDATE accounts SET email_verified = $1 WHERE email = $2");
    tx.execute(verify, args![true, "victim@old.example"]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(imported(&other, json!({}), &[line]).await["counts"]["linked"], 1);
    let (_, answer) = attempt(&other.app("elsewhere").await, "victim@old.example", PASSWORD).await;
    assert!(answer.status == 200 && !answer.body.contains("/auth/join"), "{answer:?}");
    assert_eq!(member(&other, "victim@old.example").await["status"], "pre_provisioned");
}

#[tokio::test]
async fn a_caller_gives_no_role_that_it_does_not_hold() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let import = begun(&site, json!({})).await;
    let token = site.mint(|claims| claims["scope"] = json!("imports:write"));
    let lines =
        [json!({ "email": "one@old.example", "roles": ["editor"] }), json!({ "email": "two@old.example" })];
    let outcome = sent(&site, &token, (&import, 1), &lines).await.expect(200).json();
    assert_eq!(
        (&outcome["counts"]["created"], &outcome["failures"][0]["line"]),
        (&json!(1), &json!(1)),
        "{outcome}"
    );
    assert_eq!(outcome["failures"][0]["errors"][0]["field"], "roles", "{outcome}");
}

#[tokio::test]
async fn a_caller_changes_no_claims_of_one_who_has_roles_that_it_does_not_hold() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let named = |email: &str, name: &str| json!({ "email": email, "profile": { "name": name } });
    let mut editor = named("one@old.example", "Ada");
    editor["roles"] = json!(["editor"]);
    imported(&site, json!({}), &[editor, named("two@old.example", "Bob")]).await;
    let import = begun(&site, json!({ "on_conflict": "update" })).await;
    let token = site.mint(|claims| claims["scope"] = json!("imports:write"));
    let renamed = json!({ "email": "one@old.example", "username": "ada" });
    let by_that_name = json!({ "username": "ada", "profile": { "name": "Mallory" } });
    let lines =
        [named("one@old.example", "Mallory"), renamed, by_that_name, named("two@old.example", "Robert")];
    let outcome = sent(&site, &token, (&import, 1), &lines).await.expect(200).json();
    assert_eq!((&outcome["counts"]["updated"], &outcome["counts"]["failed"]), (&json!(2), &json!(2)));
    let refused = outcome["failures"].as_array().unwrap().iter().map(|failure| failure["line"].clone());
    assert_eq!(refused.collect::<Vec<_>>(), [json!(1), json!(3)], "{outcome}");
    assert_eq!(member(&site, "one@old.example").await["name"], "Ada");
    assert_eq!(member(&site, "two@old.example").await["name"], "Robert");
}

#[tokio::test]
async fn an_import_of_one_tenant_is_unknown_to_another() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let import = begun(&site, json!({})).await;
    let lines = [json!({ "email": "one@old.example" })];
    let _ = sent(&other, &other.mint(|_| ()), (&import, 1), &lines).await.expect_problem(404, "not_found");
    let path = format!("{IMPORTS}/{import}");
    let answer = other.call(Method::GET, &path, Some(&other.mint(|_| ())), None).await;
    let _ = answer.expect_problem(404, "not_found");
}
