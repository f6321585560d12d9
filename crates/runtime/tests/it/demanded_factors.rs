//! Second factors that are demanded of the people of a role, and of everyone who comes to an application.

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Client, Harness, Person, Site};

const SETTINGS: &str = "/api/v1/tenant-settings";
const SETS_UP: &str = "id=\"set-up-totp-begin\"";

async fn set(site: &Site<'_>, settings: Value) -> Answer {
    let change = json!({ "settings": settings });
    site.call(Method::PATCH, SETTINGS, Some(&site.mint(|_| ())), Some(change)).await
}

/// What follows the password of a person at an application, in a new browser.
async fn after_password(site: &Site<'_>, app: &Client<'_>, person: &Person) -> Answer {
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path("v", &[])).await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", &person.password)];
    let answer = browser.submit(&page, &fields).await;
    browser.settled(answer).await
}

#[tokio::test]
async fn the_people_of_a_role_need_a_second_factor_and_others_do_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    site.role("billing", &[]).await;
    let ada = site.user_with_roles("ada", &["billing"]).await;
    let (bob, cyd) = (site.user("bob").await, site.user("cyd").await);
    let accountants = site.group("accountants", &["billing"]).await;
    site.add(&accountants, cyd.id).await;
    let mut earlier = site.sign_in(&web, &ada).await;
    let _ = set(&site, json!({ "second_factor_roles": ["billing"] })).await.expect(200);
    let _ = h.informed_app().await;
    for (person, is_asked) in [(&ada, true), (&bob, false), (&cyd, true)] {
        let page = after_password(&site, &web, person).await;
        assert_eq!(page.body.contains(SETS_UP), is_asked, "{}: {page:?}", person.username);
    }
    let silent = earlier.get(&web.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = earlier.get(&web.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(SETS_UP) && !page.body.contains("name=\"password\""), "{page:?}");
    let many: Vec<_> = (0..51).map(|number| format!("role-{number}")).collect();
    let refused = set(&site, json!({ "second_factor_roles": many })).await.expect(400);
    assert!(refused.body.contains("second_factor_roles"), "{refused:?}");
}

#[tokio::test]
async fn an_application_may_demand_a_second_factor_of_everyone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let vault = site.app_with("vault", |app| app.second_factor_required = true).await;
    let ada = site.user("ada").await;
    let page = after_password(&site, &vault, &ada).await;
    assert!(page.body.contains(SETS_UP), "{page:?}");
    let mut browser = site.sign_in(&web, &ada).await;
    let silent = browser.get(&vault.authorize_path("v", &[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
    let page = browser.get(&vault.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(SETS_UP) && !page.body.contains("name=\"password\""), "{page:?}");
    let elsewhere = browser.get(&web.authorize_path("v", &[])).await;
    assert!(elsewhere.redirect_param("code").is_some(), "{elsewhere:?}");
}
