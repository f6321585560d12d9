//! Mailed links: one proof, one use, by POST, for the person and purpose they were sent for (N61, N63).

use futures_util::future::join_all;
use svc_db::SystemSql;
use svc_http::Method;

use super::errands::{self, is_done};
use super::{NEW_PASSWORD, World, state_of, world};
use crate::harness::{Answer, Harness};

/// The page of a link that leads nowhere: the same for spent, expired, invented and foreign ones.
#[track_caller]
fn is_dead(answer: &Answer) {
    assert_eq!(answer.status, 400, "{answer:?}");
    assert!(!answer.body.contains("<form") && answer.header("location").is_empty(), "{answer:?}");
}

async fn run_sql(h: &Harness, text: &'static str) {
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(text), &[]).await.unwrap();
    tx.commit().await.unwrap();
}

async fn signs_in(world: &World<'_>, password: &str) -> bool {
    world.guess("ada", password).await.status == 303
}

#[tokio::test]
async fn a_scanner_that_opens_every_link_uses_none_up() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (path, submit) in [("/auth/reset", "id=\"reset-submit\""), ("/auth/verify", "id=\"verify-submit\"")] {
        let mut errand = errands::open(&home, path, "scanned").await;
        let address = home.mailed().await;
        let before = state_of(&h).await;
        for method in [Method::GET, Method::HEAD, Method::GET, Method::OPTIONS] {
            let answer = home.site.browser().send(method.clone(), &address, &[], String::new()).await;
            assert!(method == Method::OPTIONS || answer.status == 200, "{answer:?}");
            assert!(method != Method::GET || answer.body.contains(submit), "{answer:?}");
        }
        assert_eq!(state_of(&h).await, before, "{path}");
        assert!(is_done(&errand.run().await), "{path}");
        h.advance(1);
    }
}

#[tokio::test]
async fn of_many_at_once_one_uses_the_link() {
    let h = Harness::new().await;
    h.expect_error("too many sign-ins at once");
    let home = world(&h, "main").await;
    for path in ["/auth/reset", "/auth/verify", "/auth/new-address"] {
        let errand = errands::open(&home, path, "raced").await;
        let mut racers: Vec<_> = (0..20).map(|_| errand.browser.clone()).collect();
        let fields = errand.fields();
        let runs = racers.iter_mut().map(|browser| browser.submit(&errand.page, &fields));
        let answers = join_all(runs).await;
        // A full queue for hashes answers 503 and uses nothing.
        let done = answers.iter().filter(|answer| is_done(answer)).count();
        assert_eq!(done, 1, "{path}: {:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
        assert!(answers.iter().all(|answer| is_done(answer) || [400, 503].contains(&answer.status)));
        is_dead(&home.site.browser().get(&home.mailed_link(path).await).await);
        h.advance(1);
    }
}

#[tokio::test]
async fn a_used_link_is_dead_and_so_is_the_page_that_it_had_opened() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for path in ["/auth/reset", "/auth/verify", "/auth/new-address"] {
        let mut errand = errands::open(&home, path, "twice").await;
        let address = home.mailed().await;
        assert!(is_done(&errand.run().await));
        is_dead(&errand.browser.get(&address).await);
        is_dead(&errand.run().await);
        h.advance(1);
    }
}

#[tokio::test]
async fn a_link_dies_on_its_second() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (path, lifetime) in [("/auth/reset", 30 * 60), ("/auth/verify", 24 * 3600)] {
        errands::open(&home, path, "late").await;
        let address = home.mailed().await;
        h.advance(lifetime - 1);
        let _ = home.site.browser().get(&address).await.expect(200);
        h.advance(1);
        is_dead(&home.site.browser().get(&address).await);
    }
}

#[tokio::test]
async fn a_link_is_good_for_its_purpose_its_tenant_and_letter_by_letter() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    for (path, other) in [("/auth/reset", "/auth/verify"), ("/auth/verify", "/auth/reset")] {
        let mut errand = errands::open(&home, path, "exact").await;
        let address = home.mailed().await;
        let secret = address.split("token=").nth(1).unwrap();
        let flipped: String = secret
            .chars()
            .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect();
        for bad in [&secret[1..], &secret[..42], &flipped, &format!("{secret}A"), &format!("{secret}%20"), ""]
        {
            is_dead(&home.site.browser().get(&format!("{path}?token={bad}")).await);
        }
        is_dead(&home.site.browser().get(&format!("{other}?token={secret}")).await);
        is_dead(&elsewhere.site.browser().get(&address).await);
        let doubled = home.site.browser().get(&format!("{address}&token={secret}")).await;
        super::refused(&doubled, 400, "invalid_request");
        assert!(is_done(&errand.run().await), "{path}");
        h.advance(1);
    }
}

#[tokio::test]
async fn a_link_dies_when_password_or_address_change_after_it_was_asked_for() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let older = errands::open(&home, "/auth/reset", "ada").await;
    let older_address = home.mailed().await;
    h.advance(1);
    let mut newer = errands::open(&home, "/auth/reset", "ada").await;
    assert!(is_done(&newer.run().await));
    let mut older = older;
    is_dead(&older.run().await);
    is_dead(&home.site.browser().get(&older_address).await);
    h.advance(1);
    let mut pending = errands::open(&home, "/auth/reset", "ada").await;
    run_sql(&h, "UPDATE accounts SET email = 'ada@elsewhere.example', email_key = 'ada@elsewhere.example'")
        .await;
    is_dead(&pending.run().await);
    assert!(signs_in(&home, &home.ada.password).await);
}

#[tokio::test]
async fn a_link_of_a_person_suspended_meanwhile_changes_the_password_and_opens_nothing() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut errand = errands::open(&home, "/auth/reset", "ada").await;
    let suspend = format!("/api/v1/tenant-users/{}/suspend", home.ada.id);
    let token = home.site.mint(|_| ());
    let _ = home.site.call(Method::POST, &suspend, Some(&token), None).await.expect(200);
    errand.fields = vec![("password", NEW_PASSWORD.to_owned())];
    assert!(is_done(&errand.run().await));
    assert!(!signs_in(&home, NEW_PASSWORD).await);
    let reactivate = format!("/api/v1/tenant-users/{}/reactivate", home.ada.id);
    h.advance(1);
    let token = home.site.mint(|_| ());
    let _ = home.site.call(Method::POST, &reactivate, Some(&token), None).await.expect(200);
    assert!(signs_in(&home, NEW_PASSWORD).await);
}

#[tokio::test]
async fn an_application_or_a_person_cannot_declare_an_address_verified() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut errand = errands::open(&home, "/auth/register", "eve").await;
    errand.fields.extend([
        ("email_verified", "true".to_owned()),
        ("tenant_id", "x".to_owned()),
        ("roles", "admin".to_owned()),
    ]);
    assert!(is_done(&errand.run().await));
    let _ = errand.browser.get(&home.mailed().await).await.expect(200);
    // There is no account before the address is proven.
    let mut tx = h.app().db.read_system().await.unwrap();
    let count =
        tx.one(SystemSql::new("SELECT count(*) AS n FROM accounts"), &[]).await.unwrap().int("n").unwrap();
    assert_eq!(count, 1);
}

impl World<'_> {
    /// The newest mailed link to a page.
    async fn mailed_link(&self, path: &str) -> String {
        let mails = self.harness().mails().await;
        let links = mails.iter().flat_map(|mail| mail.links.iter());
        let link = links.into_iter().find(|link| link.contains(path)).unwrap();
        link.strip_prefix(self.site.issuer()).unwrap().to_owned()
    }
}
