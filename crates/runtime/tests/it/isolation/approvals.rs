//! Requests that wait for the decision of a person.

use svc_domain::grants::{ciba_requests, device_codes};
use svc_domain::people::tenant_users;

use crate::harness::{Client, Person};

/// The request of a device whose code the person has entered, and that code.
pub async fn device_request(app: &Client<'_>, user: &Person) -> (String, String) {
    let begun = app.post("/oauth/device/code", &[("scope", "openid")], &[]).await.expect(200).json();
    let user_code = begun["user_code"].as_str().unwrap().to_owned();
    let code = device_codes::normalised(&user_code).unwrap();
    let (site, cx) = (&app.site, app.site.harness.operator());
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let claimed = device_codes::claim(&mut tx, &cx, &code, user.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    (claimed.id.to_string(), user_code)
}

/// A backchannel request that waits for the person.
pub async fn ciba_request(app: &Client<'_>, user: &Person) -> String {
    let form = [("scope", "openid"), ("login_hint", user.username.as_str())];
    let _ = app.post("/bc-authorize", &form, &[]).await.expect(200);
    let mut tx = app.site.harness.app().db.read(app.site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, user.id).await.unwrap().unwrap();
    let page = ciba_requests::Page { cursor: None, limit: 1 };
    let now = app.site.harness.operator().now;
    ciba_requests::of_person(&mut tx, &person, now, &page).await.unwrap().remove(0).id.to_string()
}
