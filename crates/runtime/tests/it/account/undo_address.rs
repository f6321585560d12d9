//! The way back for whom a thief has locked out by another address: the link of the mail to the address before (N63).

use futures_util::future::join_all;
use svc_db::{args, quiet_system_sql};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::people::{address_changes, credentials};

use super::deletion;
use crate::changes::left_by;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const THIEF: &str = "thief@evil.example";
const OTHER: &str = "other@evil.example";
const STOLEN: &str = "relay tangerine lighthouse";
const CHOSEN: &str = "compiler nanosecond moth";

/// Gives the account of a browser another address on the pages; the path of the link that the address before is mailed, if it is.
pub async fn moved(site: &Site<'_>, browser: &mut Browser<'_>, (to, from): (&str, &str)) -> Option<String> {
    let page = browser.get("/account/email").await.expect(200);
    let _ = browser.submit(&page, &[("email", to)]).await.expect(303);
    let link = mailed(site, (to, "/auth/new-address")).await.expect("a link to the new address");
    let page = browser.get(&link).await.expect(200);
    let _ = browser.submit(&page, &[]).await.expect(200);
    mailed(site, (from, "/auth/undo-address")).await
}

/// The path of the newest link of a kind that an address was mailed.
async fn mailed(site: &Site<'_>, (to, kind): (&str, &str)) -> Option<String> {
    let mails = site.harness.mails().await;
    let links = mails.iter().filter(|mail| mail.to == to).filter_map(|mail| {
        let link = mail.links.iter().find(|link| link.contains(kind))?;
        Some((mail.sent_at, link))
    });
    let (_, link) = links.max_by_key(|(sent_at, _)| *sent_at)?;
    Some(link.strip_prefix(site.issuer()).expect("links stay at the issuer").to_owned())
}

/// The address of a person, and the kinds of credentials besides the password.
async fn kept(site: &Site<'_>, person: &Person) -> (Option<String>, Vec<&'static str>) {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    let all = credentials::of_account(&mut tx, found.account_id).await.unwrap();
    assert!(found.email.is_none() || found.email_verified);
    (found.email, all.iter().map(|one| one.kind.unwrap().name()).collect())
}

async fn address_of(site: &Site<'_>, person: &Person) -> String {
    kept(site, person).await.0.expect("an address")
}

/// Follows a link and sends its form.
async fn taken_back(site: &Site<'_>, link: &str) -> Answer {
    let mut owner = site.browser();
    let page = owner.get(link).await.expect(200);
    owner.submit(&page, &[]).await
}

fn asks_to_sign_in(answer: &Answer) -> bool {
    answer.body.contains("id=\"login-submit\"")
}

async fn signs_in(web: &Client<'_>, site: &Site<'_>, (name, password): (&str, &str)) -> bool {
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    browser.submit(&page, &[("username", name), ("password", password)]).await.is_signed_in()
}

#[tokio::test]
async fn the_address_before_takes_its_account_back_whatever_the_thief_has_changed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    site.identity(ada.id).await;
    h.advance(2 * 86_400);
    let mut thief = site.sign_in(&web, &ada).await;
    h.advance(1);
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let page = thief.get("/account/password").await.expect(200);
    let changed = thief.submit(&page, &[("password", STOLEN)]).await;
    assert!(changed.begins_session(), "{changed:?}");
    h.advance(1);
    let tokens = web.tokens(&Person { password: STOLEN.to_owned(), ..ada.clone() }).await;
    site.second_factor(ada.id).await;
    h.advance(60);
    let mut owner = site.browser();
    let page = owner.get(&link).await.expect(200);
    assert!(page.body.contains(&ada.email) && !page.body.contains(THIEF), "{page:?}");
    assert!(!asks_to_sign_in(&thief.get("/account").await.expect(200)), "opening the link changes nothing");
    assert_eq!(address_of(&site, &ada).await, THIEF);
    let mut answer = None;
    let [actions, events] = left_by(&h, async { answer = Some(owner.submit(&page, &[]).await) }).await;
    for action in ["account.email_change_undone", "account.email_changed", "password.reset"] {
        assert!(actions.contains(&action.to_owned()), "{action}: {actions:?}");
    }
    assert!(events.contains(&"account.email_changed".to_owned()), "{events:?}");
    let answer = answer.unwrap().expect(303);
    assert_eq!(kept(&site, &ada).await, (Some(ada.email.clone()), vec!["identity"]));
    assert!(asks_to_sign_in(&thief.get("/account").await.expect(200)));
    let _ = web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    h.advance(1);
    assert!(!signs_in(&web, &site, (&ada.email, STOLEN)).await, "the password of the thief is worth nothing");
    let form = owner.get(answer.location()).await.expect(200);
    let done = owner.submit(&form, &[("password", CHOSEN)]).await.expect(200);
    assert!(done.body.contains("Password changed"), "{done:?}");
    h.advance(1);
    assert!(signs_in(&web, &site, (&ada.email, CHOSEN)).await);
    assert!(!signs_in(&web, &site, (THIEF, CHOSEN)).await);
}

#[tokio::test]
async fn who_takes_an_account_back_in_two_ways_at_once_has_it_back() {
    let h = Harness::pooled().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    h.advance(1);
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    h.advance(1);
    let mut owner = site.browser();
    let page = owner.get(&link).await.expect(200);
    let (db, cx) = (&h.app().db, h.operator());
    let mut open = db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut open, ada.id).await.unwrap().unwrap();
    let account = Candidate::from(found).account;
    credentials::held_of_account(&mut open, account.id).await.unwrap();
    let answer = svc_testkit::meanwhile_then(db, open, owner.submit(&page, &[]), async |open: &mut _| {
        changes::end_everything(open, &cx, &account).await.unwrap();
    });
    let _ = answer.await.expect(303);
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn who_takes_the_address_back_keeps_the_account_that_the_thief_has_set_out_to_delete() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let page = thief.get("/account/deletion").await.expect(200);
    let done = thief.submit(&page, &[("sure", "yes"), ("action", "delete")]).await.expect(200);
    assert!(done.body.contains("will be deleted"), "{done:?}");
    h.advance(60);
    let [_, events] = left_by(&h, taken_back(&site, &link)).await;
    assert!(events.contains(&"account.kept".to_owned()), "{events:?}");
    deletion::pass(&h).await;
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn the_address_that_loses_the_account_is_mailed_no_way_to_get_it_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let _ = taken_back(&site, &link).await.expect(303);
    assert_eq!(mailed(&site, (THIEF, "/auth/undo-address")).await, None);
    let mails = h.mails().await;
    let told = mails.iter().filter(|mail| mail.to == THIEF && mail.subject.contains("another email address"));
    assert_eq!(told.count(), 1);
}

#[tokio::test]
async fn a_link_works_once_and_for_seven_days() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let mut owner = site.browser();
    let page = owner.get(&link).await.expect(200);
    let _ = owner.submit(&page, &[]).await.expect(303);
    let _ = owner.submit(&page, &[]).await.expect(400);
    let _ = owner.get(&link).await.expect(400);
    let _ = owner.get("/auth/undo-address?token=unknown").await.expect(400);
    let bob = site.user("bob").await;
    let mut thief = site.sign_in(&web, &bob).await;
    let link = moved(&site, &mut thief, (OTHER, &bob.email)).await.expect("a link");
    h.advance(address_changes::LIFETIME.0 - 1);
    let _ = site.browser().get(&link).await.expect(200);
    h.advance(1);
    let _ = site.browser().get(&link).await.expect(400);
}

#[tokio::test]
async fn of_many_that_take_a_change_back_at_once_one_does() {
    let h = Harness::new().await;
    h.expect_error("too many sign-ins at once");
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let mut owner = site.browser();
    let page = owner.get(&link).await.expect(200);
    let mut racers: Vec<_> = (0..8).map(|_| owner.clone()).collect();
    let answers = join_all(racers.iter_mut().map(|browser| browser.submit(&page, &[]))).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 303).count(), 1, "{statuses:?}");
    // A full queue for hashes answers 503 and uses nothing.
    assert!(statuses.iter().all(|status| [303, 400, 503].contains(status)), "{statuses:?}");
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn a_thief_who_has_changed_the_address_twice_cannot_take_back_what_the_owner_took_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let first = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    h.advance(1);
    let second = moved(&site, &mut thief, (OTHER, THIEF)).await.expect("a link");
    let mut waiting = site.browser();
    let page = waiting.get(&second).await.expect(200);
    let _ = taken_back(&site, &first).await.expect(303);
    let _ = waiting.get(&second).await.expect(400);
    let _ = waiting.submit(&page, &[]).await.expect(400);
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn a_thief_who_takes_the_second_change_back_first_keeps_the_owner_from_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let first = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    h.advance(1);
    let second = moved(&site, &mut thief, (OTHER, THIEF)).await.expect("a link");
    let _ = taken_back(&site, &second).await.expect(303);
    assert_eq!(address_of(&site, &ada).await, THIEF);
    h.advance(1);
    let _ = taken_back(&site, &first).await.expect(303);
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn a_change_at_another_tenant_is_taken_back_with_the_one_before_and_by_no_link_of_this_one() {
    let h = Harness::new().await;
    let (site, there) = (h.tenant("main").await, h.tenant("other").await);
    let (web, web_there, ada) = (site.app("web").await, there.app("web").await, site.user("ada").await);
    let mut tx = h.app().db.begin(there.tenant.id).await.unwrap();
    let email = Email::parse(&ada.email).unwrap();
    let account = accounts::find_by_email(&mut tx, &email).await.unwrap().unwrap().id;
    let _ = tenant_users::create(&mut tx, &h.operator(), NewMember::of(account)).await.unwrap();
    tx.commit().await.unwrap();
    let mut thief = site.sign_in(&web, &ada).await;
    let first = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    h.advance(1);
    let _ = there.browser().get(&first).await.expect(400);
    let named = Person { username: THIEF.to_owned(), ..ada.clone() };
    let mut thief = there.sign_in(&web_there, &named).await;
    let second = moved(&there, &mut thief, (OTHER, THIEF)).await.expect("a link");
    h.advance(1);
    let _ = taken_back(&site, &first).await.expect(303);
    let _ = there.browser().get(&second).await.expect(400);
    assert!(asks_to_sign_in(&thief.get("/account").await.expect(200)));
    assert_eq!(address_of(&site, &ada).await, ada.email);
}

#[tokio::test]
async fn where_another_account_has_the_address_by_now_the_page_says_so_and_nothing_changes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut thief = site.sign_in(&web, &ada).await;
    let link = moved(&site, &mut thief, (THIEF, &ada.email)).await.expect("a link");
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let email = Some(Email::parse(&ada.email).unwrap());
    let new = NewAccount { email, email_verified: true, password: None, profile: Profile::default() };
    let _ = accounts::create(&mut tx, &h.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    let refused = taken_back(&site, &link).await.expect(400);
    assert!(refused.body.contains("Another account has this address now"), "{refused:?}");
    assert_eq!(address_of(&site, &ada).await, THIEF);
    assert!(!asks_to_sign_in(&thief.get("/account").await.expect(200)));
    let _ = site.browser().get(&link).await.expect(200);
}

#[tokio::test]
async fn an_address_that_was_never_proven_gets_no_account_by_the_mail_to_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let unproven = quiet_system_sql!("a test", "UPDATE accounts SET email_verified = $2 WHERE email = $1");
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(unproven, args![&ada.email, false]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(moved(&site, &mut browser, ("ada@new.example", &ada.email)).await, None);
    let told = h.newest_mail_to(&ada.email).await;
    assert!(told.subject.contains("another email address"), "{told:?}");
}
