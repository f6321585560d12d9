//! People delete their account: at once nothing of theirs works any more, for a while they may keep it, and then it is gone.

use std::future::poll_fn;
use std::task::Poll;

use serde_json::json;
use svc_core::Seconds;
use svc_db::{SystemSql, args};
use svc_domain::people::operators::Role;
use svc_domain::people::{changes, leaving, tenant_users};
use svc_http::Method;
use svc_runtime::operators;

use super::own;
use crate::changes::left_by;
use crate::harness::{Harness, Person, Site};

const GRACE: i64 = 14 * 86_400;

pub async fn begin(site: &Site<'_>, person: &Person) {
    let begun = own(site, person, (Method::POST, "/deletion"), None).await.expect(200).json();
    assert!(begun["delete_at"].is_string(), "{begun}");
}

/// Lets the time of grace go by, and the jobs run.
pub async fn pass(h: &Harness) {
    h.advance(GRACE + 120);
    h.run_jobs().await;
    h.run_jobs().await;
}

async fn column(h: &Harness, person: &Person, column: &str) -> Option<String> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new(match column {
        "email" => {
            "SELECT a.email AS value FROM accounts a JOIN tenant_users u ON u.account_id = a.id WHERE u.id = $1"
        }
        _ => "SELECT status AS value FROM tenant_users WHERE id = $1",
    });
    tx.one(select, args![person.id]).await.unwrap().maybe_text("value").unwrap()
}

/// The membership that a person has in another tenant too.
pub async fn joined(site: &Site<'_>, person: &Person) -> Person {
    let (db, cx) = (&site.harness.app().db, site.harness.operator());
    let select = SystemSql::new("SELECT account_id FROM tenant_users WHERE id = $1");
    let row = db.read_system().await.unwrap().one(select, args![person.id]).await.unwrap();
    let mut tx = db.begin(site.tenant.id).await.unwrap();
    let joined = changes::join(&mut tx, &cx, row.parse("account_id").unwrap()).await.unwrap();
    tx.commit().await.unwrap();
    Person { id: joined.id, subject: joined.subject, ..person.clone() }
}

#[tokio::test]
async fn a_deleted_account_is_gone_after_the_time_of_grace_and_its_address_is_free() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let email = column(&h, &ada, "email").await.unwrap();
    let tokens = web.tokens(&ada).await;
    h.advance(1);
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get("/account/deletion").await.expect(200);
    let page = browser.submit(&page, &[("action", "delete")]).await.expect(200);
    assert!(page.body.contains("id=\"sure-fault\">Tick the box to delete your account.<"), "{page:?}");
    let done = browser.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    assert!(done.body.contains("will be deleted"), "{done:?}");
    let _ = web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let page = browser.get("/account").await.expect(200);
    assert!(page.body.contains("login-submit"), "every session has ended: {page:?}");
    let mails = h.mails().await;
    let told = mails.iter().find(|mail| mail.to == email && mail.subject.contains("deleted")).unwrap();
    assert!(told.text.contains("14 days"), "{told:?}");
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("removed"));
    assert_eq!(column(&h, &ada, "email").await, None);
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let refused = browser.submit(&page, &fields).await.expect(200);
    assert!(refused.body.contains("not right"), "{refused:?}");
    let again = site.user("ada").await;
    assert_ne!(again.subject, ada.subject, "a person who comes back is a new one");
}

#[tokio::test]
async fn an_account_is_kept_by_its_owner_who_signs_in_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let [_, events] = left_by(&h, begin(&site, &ada)).await;
    assert!(events.contains(&"account.deletion_begun".to_owned()), "{events:?}");
    h.advance(1);
    let _ = own(&site, &ada, (Method::POST, "/deletion"), None).await.expect_problem(409, "conflict");
    let mail = h.newest_mail_to(&ada.email).await;
    assert!(mail.text.contains("Signing in alone is not enough."), "{}", mail.text);
    let mut browser = site.sign_in(&web, &ada).await;
    let overview = browser.get("/account").await.expect(200);
    assert!(overview.body.contains("deletion-due"), "signing in alone keeps nothing: {overview:?}");
    let open_menu = "<details class=\"centre-menu\" open>";
    assert!(
        !overview.body.contains(open_menu),
        "on a phone the menu would push it out of sight: {overview:?}"
    );
    let page = browser.get("/account/deletion").await.expect(200);
    assert!(page.body.contains("deletion-due"), "{page:?}");
    let keeping = async { browser.submit(&page, &[("action", "keep")]).await.expect(303) };
    let [_, events] = left_by(&h, keeping).await;
    assert_eq!(events, ["account.kept"]);
    let read = own(&site, &ada, (Method::GET, "/deletion"), None).await.expect(200).json();
    assert_eq!(read, json!({ "delete_at": null }));
    let _ = own(&site, &ada, (Method::DELETE, "/deletion"), None).await.expect(204);
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("active"));
    assert!(column(&h, &ada, "email").await.is_some());
}

#[tokio::test]
async fn who_keeps_the_account_while_its_time_ends_keeps_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "cleo", "dan", "eve", "finn"] {
        let person = site.user(name).await;
        begin(&site, &person).await;
        people.push(person);
    }
    h.advance(GRACE + 1);
    let (db, cx) = (&h.app().db, h.operator());
    let mut leavers = Vec::new();
    for person in &people {
        let mut tx = db.read(site.tenant.id).await.unwrap();
        leavers.push(tenant_users::find(&mut tx, person.id).await.unwrap().unwrap());
    }
    // The last ones first, so that they and the job meet in the middle.
    let keeping = async {
        let mut kept = Vec::new();
        for leaver in leavers.iter().rev() {
            let mut tx = db.begin(site.tenant.id).await.unwrap();
            kept.push(leaving::keep(&mut tx, &cx, leaver).await.unwrap());
            tx.commit().await.unwrap();
        }
        kept
    };
    let (ended, kept) = tokio::join!(leaving::end_due(db, &cx, (cx.now, 50)), keeping);
    ended.unwrap();
    for (person, is_kept) in people.iter().rev().zip(kept) {
        let status = column(&h, person, "status").await;
        assert_eq!(
            status.as_deref(),
            Some(if is_kept { "active" } else { "removed" }),
            "{}",
            person.username
        );
    }
}

#[tokio::test]
async fn wherever_the_end_is_interrupted_the_next_run_does_the_rest() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (db, cx) = (&h.app().db, h.operator());
    for polls in 1..=30 {
        let person = site.user(&format!("leaver{polls}")).await;
        let mut tx = db.begin(site.tenant.id).await.unwrap();
        let leaver = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
        leaving::begin(&mut tx, &cx, &leaver, Seconds(0)).await.unwrap();
        tx.commit().await.unwrap();
        let mut ending = Box::pin(leaving::end_due(db, &cx, (cx.now, 50)));
        let mut left = polls;
        poll_fn(|context| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            ending.as_mut().poll(context).map(drop)
        })
        .await;
        drop(ending);
        leaving::end_due(db, &cx, (cx.now, 50)).await.unwrap();
        assert_eq!(column(&h, &person, "status").await.as_deref(), Some("removed"), "after {polls} polls");
        assert_eq!(column(&h, &person, "email").await, None, "after {polls} polls");
    }
}

#[tokio::test]
async fn the_account_stays_for_the_other_tenants_of_the_person() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let ada = site.user("ada").await;
    let there = joined(&other, &ada).await;
    begin(&site, &ada).await;
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("removed"));
    assert!(column(&h, &ada, "email").await.is_some(), "another tenant has the account as a member");
    assert_eq!(column(&h, &there, "status").await.as_deref(), Some("active"));
}

#[tokio::test]
async fn the_owner_of_an_organization_stays_until_another_is() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    site.organization("club", bob.id).await;
    let _ = own(&site, &bob, (Method::POST, "/deletion"), None).await.expect_problem(409, "conflict");
    begin(&site, &ada).await;
    h.advance(1);
    site.organization("late", ada.id).await;
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("active"));
}

async fn make_operator(site: &Site<'_>, person: &Person) {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    let who = (person.username.as_str(), Role::Administrator);
    operators::grant(&app.db, &app.config, &cx, who).await.unwrap();
}

#[tokio::test]
async fn the_last_operator_stays_until_another_is() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    make_operator(&site, &ada).await;
    let refused = own(&site, &ada, (Method::POST, "/deletion"), None).await.expect_problem(409, "conflict");
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("the last operator"), "{detail}");
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get("/account/deletion").await.expect(200);
    let refused = browser.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    assert!(refused.body.contains("the last person who can administer this service"), "{refused:?}");
    make_operator(&site, &bob).await;
    begin(&site, &ada).await;
    let _ = own(&site, &bob, (Method::POST, "/deletion"), None).await.expect_problem(409, "conflict");
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("removed"));
    assert_eq!(column(&h, &bob, "status").await.as_deref(), Some("active"));
}

#[tokio::test]
async fn who_becomes_the_last_operator_while_leaving_stays() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    begin(&site, &ada).await;
    make_operator(&site, &ada).await;
    pass(&h).await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("active"));
    let read = own(&site, &ada, (Method::GET, "/deletion"), None).await.expect(200).json();
    assert_eq!(read, json!({ "delete_at": null }));
}

#[tokio::test]
async fn where_people_may_not_delete_their_account_there_is_no_page_for_it() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__DELETION_ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let _ = browser.get("/account/deletion").await.expect(404);
    assert!(!browser.get("/account").await.expect(200).body.contains("/account/deletion"));
    let _ = own(&site, &ada, (Method::POST, "/deletion"), None).await.expect_problem(404, "not_found");
    let _ = own(&site, &ada, (Method::GET, "/deletion"), None).await.expect_problem(404, "not_found");
    let _ = own(&site, &ada, (Method::DELETE, "/deletion"), None).await.expect_problem(404, "not_found");
}

/// Begins the deletion as it was begun before it was switched off.
async fn begun_before(site: &Site<'_>, person: &Person) {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let leaver = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    leaving::begin(&mut tx, &cx, &leaver, Seconds(GRACE)).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn who_is_to_be_deleted_keeps_the_account_where_the_deletion_was_switched_off_meanwhile() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__DELETION_ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let (web, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    begun_before(&site, &ada).await;
    begun_before(&site, &bob).await;
    h.advance(1);
    let mut browser = site.sign_in(&web, &ada).await;
    let overview = browser.get("/account").await.expect(200);
    assert!(overview.body.contains("deletion-due"), "{overview:?}");
    let page = browser.get("/account/deletion").await.expect(200);
    assert!(page.body.contains("deletion-keep"), "{page:?}");
    let kept = browser.submit(&page, &[("action", "keep")]).await.expect(303);
    let overview = browser.get(kept.location()).await.expect(200);
    assert!(!overview.body.contains("/account/deletion"), "{overview:?}");
    assert!(overview.body.contains("<details class=\"centre-menu\" open>"), "{overview:?}");
    let _ = browser.get("/account/deletion").await.expect(404);
    let read = own(&site, &bob, (Method::GET, "/deletion"), None).await.expect(200).json();
    assert!(read["delete_at"].is_string(), "{read}");
    let _ = own(&site, &bob, (Method::DELETE, "/deletion"), None).await.expect(204);
    pass(&h).await;
    for person in [&ada, &bob] {
        assert_eq!(column(&h, person, "status").await.as_deref(), Some("active"));
    }
}

#[tokio::test]
async fn the_time_of_grace_is_as_long_as_the_deployment_says() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__DELETION_GRACE_DAYS", "3")]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    begin(&site, &ada).await;
    let mails = h.mails().await;
    assert!(mails[0].to == ada.email && mails[0].text.contains("3 days"), "{:?}", mails[0]);
    h.advance(3 * 86_400 - 60);
    h.run_jobs().await;
    h.run_jobs().await;
    assert_ne!(column(&h, &ada, "status").await.as_deref(), Some("removed"));
    h.advance(180);
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(column(&h, &ada, "status").await.as_deref(), Some("removed"));
}
