//! Registration that is closed stays closed, whatever parameters ask for it (N67).

use svc_db::SystemSql;
use svc_http::Method;

use super::errands::{self, asked};
use super::{NEW_PASSWORD, flow_of, refused, state_of, world};
use crate::harness::browser::Form;
use crate::harness::{Harness, Site};

const CLOSED: &[(&str, &str)] = &[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")];

#[tokio::test]
async fn where_the_deployment_closes_registration_no_parameter_opens_it() {
    let h = Harness::with(CLOSED).await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    for changes in
        [&[][..], &[("prompt", "create")], &[("prompt", "create login")], &[("screen_hint", "signup")]]
    {
        let page = asked(&home, &mut browser, changes).await;
        assert!(!page.body.contains("register"), "{changes:?}: {page:?}");
    }
    let page = home.sign_in_page(&mut browser).await;
    let flow = flow_of(&page);
    let before = state_of(&h).await;
    refused(&browser.get(&format!("/auth/register?flow={flow}")).await, 404, "not_found");
    let fields =
        [("flow", flow.as_str()), ("email", "eve@new.example"), ("name", "Eve"), ("password", NEW_PASSWORD)];
    refused(&browser.post("/auth/register", &fields).await, 404, "not_found");
    assert_eq!(state_of(&h).await, before);
    assert!(h.mails().await.is_empty());
}

#[tokio::test]
async fn where_the_tenant_closes_registration_another_tenants_page_does_not_open_it() {
    let h = Harness::new().await;
    let (open, closed) = (world(&h, "main").await, world(&h, "closed").await);
    let mut tx = h.app().db.begin_system().await.unwrap();
    let close = SystemSql::new(
        "UPDATE tenants SET settings = '{\"registration\":false}', updated_at = 1900000000000000 WHERE slug = 'closed'",
    );
    tx.execute(close, &[]).await.unwrap();
    tx.commit().await.unwrap();
    let after = h.restarted().await;
    let site = Site { harness: &after, ..closed.site.clone() };
    let mut browser = site.browser();
    let page = browser.get(&closed.first.authorize_path(&closed.first.verifier(), &[])).await.expect(200);
    assert!(!page.body.contains("register"), "{page:?}");
    let errand = errands::open(&open, "/auth/register", "eve").await;
    browser.cookies = errand.browser.cookies.clone();
    let flow = Form::of(&errand.page).hidden[0].1.clone();
    let mut fields = errand.fields();
    fields.push(("flow", &flow));
    let answer = browser.post("/auth/register", &fields).await;
    assert!([403, 404].contains(&answer.status), "{answer:?}");
    assert!(h.mails().await.is_empty());
}

#[tokio::test]
async fn a_link_that_was_mailed_before_makes_one_person_of_the_lowest_rights() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut errand = errands::open(&home, "/auth/verify", "eve").await;
    assert!(errands::is_done(&errand.run().await));
    let token = home.site.mint(|_| ());
    let list =
        home.site.call(Method::GET, "/api/v1/tenant-users", Some(&token), None).await.expect(200).json();
    let eve =
        list["data"].as_array().unwrap().iter().find(|user| user["email"] == "eve@new.example").unwrap();
    assert_eq!(eve["roles"], serde_json::json!([]));
    assert_eq!(eve["email_verified"], true);
}

#[tokio::test]
async fn the_form_starts_with_the_hint_of_the_application_where_that_is_an_address() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (hint, value) in [("new@main.example", "new@main.example"), ("ada", "")] {
        let mut browser = home.site.browser();
        let page = asked(&home, &mut browser, &[("prompt", "create"), ("login_hint", hint)]).await;
        let field = format!("spellcheck=\"false\" required value=\"{value}\"");
        assert!(page.body.contains("name=\"email\"") && page.body.contains(&field), "{hint}: {page:?}");
    }
}
