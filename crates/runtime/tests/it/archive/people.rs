//! Whose account is whose, when a tenant comes from elsewhere.

use serde_json::json;
use svc_core::AccountId;
use svc_db::{SystemSql, args};
use svc_domain::people::guests;
use svc_domain::people::tenant_users::{self, NewMember, Status};

use super::hostile::rewritten;
use super::*;

/// An account as it stands there.
async fn stored(there: &Harness, email: &str) -> (String, Option<String>, Option<String>, bool) {
    let mut tx = there.app().db.read_system().await.unwrap();
    let select =
        SystemSql::new("SELECT id, password, managed_by, email_verified FROM accounts WHERE email_key = $1");
    let row = tx.one(select, args![email]).await.unwrap();
    let text = |name: &str| row.maybe_text(name).unwrap();
    (row.text("id").unwrap(), text("password"), text("managed_by"), row.flag("email_verified").unwrap())
}

#[tokio::test]
async fn a_new_account_is_managed_by_the_tenant_and_its_address_is_not_proven() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    moved(&there, &bytes).await;
    let (id, password, manager, is_proven) = stored(&there, &ada.email).await;
    let was = stored(&h, &ada.email).await;
    assert_eq!((&id, &password), (&was.0, &was.1));
    assert_eq!((manager, is_proven), (Some(site.tenant.id.to_string()), false));
}

#[tokio::test]
async fn who_has_an_account_keeps_it_and_becomes_a_member_when_they_agree() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let (ada, app) = (site.user("ada").await, site.app("shop").await);
    site.second_factor(ada.id).await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let other = there.tenant("globex").await;
    // The same address, another password and no second factor.
    let eve = other.user("eve").await;
    let mut tx = there.app().db.begin_system().await.unwrap();
    let rename = SystemSql::new("UPDATE accounts SET email = $1, email_key = $1 WHERE email_key = $2");
    tx.execute(rename, args![&ada.email, &eve.email]).await.unwrap();
    tx.commit().await.unwrap();
    let before = stored(&there, &ada.email).await;
    let (checked, imported) = brought(&there, &bytes, &options(None), Some(PASSPHRASE)).await.unwrap();
    assert_eq!((checked.people, checked.linked), (1, 1));
    assert_eq!(stored(&there, &ada.email).await, before);
    let mut tx = there.app().db.read(imported.id).await.unwrap();
    let person = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    drop(tx);
    assert_eq!((person.status, person.subject), (Status::PreProvisioned, ada.subject.clone()));
    assert_eq!(person.account_id.to_string(), before.0);
    let tenant = there.app().services.tenants.by_id(imported.id).await.unwrap();
    let moved = Site { harness: &there, tenant, host: site.host.clone() };
    let here = crate::harness::Client { site: moved.clone(), ..app };
    let mut browser = moved.browser();
    let page = browser.get(&here.authorize_path(&here.verifier(), &[])).await.expect(200);
    let page = browser.submit(&page, &[("username", &ada.email), ("password", &ada.password)]).await;
    assert!(
        page.body.contains("login-submit"),
        "the password of the other deployment opens nothing: {page:?}"
    );
    let asked = browser.submit(&page, &[("username", &ada.email), ("password", &eve.password)]).await;
    assert!(asked.body.contains("/auth/join"), "{asked:?}");
}

#[tokio::test]
async fn a_guest_stays_a_guest_of_the_same_subject() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let app = site.app("shop").await.id.parse().unwrap();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let guest = guests::create(&mut tx, &h.operator(), app).await.unwrap();
    tx.commit().await.unwrap();
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let home = moved(&there, &bytes).await;
    let mut tx = there.app().db.read(home.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, guest.id).await.unwrap().unwrap();
    assert_eq!((found.is_guest(), found.guest_used_at), (true, guest.guest_used_at));
    assert_eq!((found.subject, found.email), (guest.subject, None));
    assert_eq!(guests::came_by(&mut tx, guest.id).await.unwrap(), Some(app));
}

/// Makes the account of a member a member of another tenant.
async fn joins(site: &Site<'_>, account: AccountId) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    tenant_users::create(&mut tx, &site.harness.operator(), NewMember::of(account)).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_account_that_opens_other_tenants_travels_without_what_opens_them() {
    let h = Harness::with(OFFERED).await;
    let (site, other) = (h.tenant("acme").await, h.tenant("globex").await);
    let [ada, gone, waiting] = [site.user("ada").await, site.user("gone").await, other.user("waiting").await];
    site.second_factor(ada.id).await;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let member = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    let leaving = tenant_users::find(&mut tx, gone.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    joins(&other, member.account_id).await;
    joins(&other, leaving.account_id).await;
    let mut tx = h.app().db.begin(other.tenant.id).await.unwrap();
    let asked = tenant_users::find(&mut tx, waiting.id).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    tenant_users::set_status(&mut tx, &h.operator(), &leaving, Status::Removed).await.unwrap();
    tenant_users::provision(&mut tx, &h.operator(), NewMember::of(asked.account_id)).await.unwrap();
    tx.commit().await.unwrap();
    let bytes = archive(&site).await;
    let accounts = part(&bytes, "accounts");
    let of = |id: AccountId| accounts.iter().find(|account| account["id"] == json!(id.to_string())).unwrap();
    let shared = of(member.account_id);
    assert_eq!((&shared["email"], &shared["password"]), (&json!(ada.email), &Value::Null));
    assert_eq!(shared["profile"], json!(json!({ "name": "ada of acme" }).to_string()));
    assert_eq!(part(&bytes, "account_credentials"), Vec::<Value>::new());
    let asked = of(asked.account_id);
    assert_eq!(
        (&asked["email"], &asked["password"], &asked["profile"]),
        (&json!(waiting.email), &Value::Null, &json!("{}"))
    );
    let left = of(leaving.account_id);
    assert_eq!(
        (&left["email"], &left["password"], &left["profile"]),
        (&Value::Null, &Value::Null, &json!("{}"))
    );
    let there = elsewhere().await;
    moved(&there, &bytes).await;
}

#[tokio::test]
async fn who_is_suspended_and_has_an_account_stands_in_the_way() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &h.operator(), &person, Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
    let there = elsewhere().await;
    let eve = there.tenant("globex").await.user("eve").await;
    let bytes = rewritten(&archive(&site).await, |name, columns, rows| {
        if name == "accounts" {
            let at = columns.iter().position(|known| known == "email").unwrap();
            rows[0][at] = json!(eve.email);
        }
    });
    let failure = brought(&there, &bytes, &options(None), Some(PASSPHRASE)).await.err().unwrap().to_string();
    assert!(failure.contains(&format!("tenant user {}: suspended", ada.id)), "{failure}");
}
