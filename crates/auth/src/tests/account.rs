//! The account centre: each section does what it says, for the person whose session it is, and asks for a recent sign-in where
//! it changes how they sign in.

use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::tenant_users::Person;
use svc_domain::people::{credentials, fields, guardians, terms};

use super::*;
use crate::account::{SECTIONS, Whose};

/// What every section needs to be there.
const EVERY_SECTION: &[(&str, &str)] = &[
    ("SVC_SOCIAL__ENABLED", "true"),
    ("SVC_SOCIAL__GOOGLE__CLIENT_ID", "svc"),
    ("SVC_SOCIAL__GOOGLE__CLIENT_SECRET", "upstream-secret"),
    ("SVC_SMS__ENABLED", "true"),
    ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
];

/// Has the tenant ask for what its people may leave out: the sections about it are there.
async fn ask_for_something(world: &World) {
    let terms = serde_json::json!({
        "key": "news", "label": "1", "language": "en", "effective_at": NOW, "required": false,
        "documents": { "en": { "title": "News", "url": "https://example.com/news" } },
    });
    let field = serde_json::json!({
        "name": "team", "type": "text", "language": "en", "asked": "later", "after_sign_ins": 100,
        "texts": { "en": { "label": "Team" } },
    });
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let cx = &world.ground.cx;
    terms::create(&mut tx, cx, &serde_json::from_value(terms).unwrap()).await.unwrap();
    fields::create(&mut tx, cx, &serde_json::from_value(field).unwrap()).await.unwrap();
    tx.commit().await.unwrap();
}

impl Browser<'_> {
    /// Signs Ada in on the way to a section, and opens it.
    pub async fn centre(&mut self, path: &str) -> Answer {
        let page = self.get(path).await;
        page.is_page(200, "login-submit");
        let answer = self.fill(&page, "ada", PASSWORD).await;
        assert_eq!(answer.header(header::LOCATION), path, "{answer:?}");
        self.get(path).await
    }

    /// Sends a form of a section, and opens the page that says what was done.
    pub async fn change(&mut self, path: &str, page: &Answer, fields: &[(&str, &str)]) -> Answer {
        let fields: Vec<_> = [("flow", page.flow())].into_iter().chain(fields.iter().copied()).collect();
        let answer = self.post(path, &fields).await;
        match answer.header(header::LOCATION).to_owned() {
            next if next.starts_with(path) => self.get(&next).await,
            _ => answer,
        }
    }
}

/// The key in the page that adds an app, and what an app with it shows now.
fn code(world: &World, page: &Answer) -> (String, String) {
    let key = page.body.split("id=\"totp-key\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let shown = shown_now(world, &key);
    (key, shown)
}

/// What an app with this key shows now.
fn shown_now(world: &World, key: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(key).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(world.ground.clock.now().as_secs()).unwrap()).to_string()
}

#[tokio::test]
async fn every_section_leads_to_sign_in_and_back_and_into_every_other() {
    let world = World::configured(EVERY_SECTION).await;
    ask_for_something(&world).await;
    let of_people = || SECTIONS.iter().filter(|section| section.whose != Whose::Guests);
    for section in of_people() {
        let mut browser = world.browser();
        let page = browser.centre(section.path).await;
        page.is_page(200, &format!("account-to-{}", section.id));
        for other in of_people() {
            assert!(page.body.contains(&format!("href=\"{}\"", other.path)), "{}: {page:?}", section.id);
        }
        assert_eq!(page.body.matches("aria-current=\"page\"").count(), 1, "{}", section.id);
        assert!(crate::pages::ACCOUNT_TITLES.contains(&section.title), "{}", section.id);
        if !page.body.contains("name=\"flow\"") {
            continue;
        }
        // What another person's page carried changes nothing here.
        world.account(&format!("{}@example.com", section.id), true, Some(PASSWORD), true).await;
        let mut other = world.browser();
        let sign_in = other.get(section.path).await;
        other.fill(&sign_in, &format!("{}@example.com", section.id), PASSWORD).await;
        other.post(section.path, &[("flow", page.flow())]).await.is_error(403, "forbidden");
    }
}

#[tokio::test]
async fn what_changes_how_a_person_signs_in_asks_for_a_recent_sign_in() {
    let world = World::configured(EVERY_SECTION).await;
    ask_for_something(&world).await;
    let mut browser = world.browser();
    let open = browser.centre("/account/password").await;
    world.advance(16 * 60);
    for section in SECTIONS.iter().filter(|section| section.whose != Whose::Guests) {
        let page = browser.get(section.path).await;
        let id = if section.is_sensitive { "login-submit" } else { "centre-menu" };
        assert!(page.body.contains(id), "{}: {page:?}", section.id);
    }
    let late = [("flow", open.flow()), ("password", "another long battery staple")];
    browser.post("/account/password", &late).await.is_page(200, "login-submit");
    let mut other = world.browser();
    other.sign_in().await.code();
}

#[tokio::test]
async fn a_profile_is_saved_and_read_back() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.centre("/account/profile").await;
    assert!(page.body.contains("value=\"Ada Lovelace\""), "{page:?}");
    let fields = [("name", "Ada King"), ("given_name", "Ada"), ("family_name", " "), ("nickname", "")];
    let saved = browser.change("/account/profile", &page, &fields).await;
    saved.is_page(200, "notice");
    assert!(saved.body.contains("value=\"Ada King\"") && saved.body.contains("value=\"Ada\""), "{saved:?}");
    let bad = browser.change("/account/profile", &saved, &[("name", "A\nB")]).await;
    bad.is_page(200, "form-error");
    assert_eq!(world.events("account.profile_changed").await, 1);
}

#[tokio::test]
async fn a_new_password_ends_every_other_session_and_is_told_to_the_owner() {
    let world = World::new().await;
    let (mut elsewhere, mut browser) = (world.browser(), world.browser());
    elsewhere.sign_in().await.code();
    let page = browser.centre("/account/password").await;
    let weak = browser.change("/account/password", &page, &[("password", "short")]).await;
    weak.is_page(200, "form-error");
    let new = "a wholly different staple";
    let done = browser.change("/account/password", &weak, &[("password", new)]).await;
    done.is_page(200, "notice");
    elsewhere.get("/account").await.is_page(200, "login-submit");
    browser.get("/account").await.is_page(200, "account-to-profile");
    let page = elsewhere.open(&[]).await;
    elsewhere.fill(&page, "ada", PASSWORD).await.is_page(200, "login-submit");
    elsewhere.fill(&page, "ada", new).await.code();
    let mails = world.mails().await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].subject.contains("password"), "{mails:?}");
}

#[tokio::test]
async fn an_app_is_added_renamed_and_removed_and_backup_codes_go_with_it() {
    const PATH: &str = "/account/second-factors";
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.centre(PATH).await;
    page.is_page(200, "app-begin");
    let useless = browser.get("/account/backup-codes").await;
    useless.is_page(200, "backup-codes-useless");
    let shown = browser.change(PATH, &page, &[("action", "begin")]).await;
    shown.is_page(200, "app-add");
    let (key, right) = code(&world, &shown);
    let wrong = browser.change(PATH, &shown, &[("action", "add"), ("code", "000000")]).await;
    assert_eq!(code(&world, &wrong).0, key);
    let misnamed = [("action", "add"), ("code", right.as_str()), ("name", "My\tphone")];
    let wrong = browser.change(PATH, &wrong, &misnamed).await;
    assert!(wrong.body.contains("at most 60 characters"), "{wrong:?}");
    assert_eq!(code(&world, &wrong).0, key);
    let add = [("action", "add"), ("code", right.as_str()), ("name", "My phone")];
    let added = browser.change(PATH, &wrong, &add).await;
    added.is_page(200, "notice");
    assert!(added.body.contains("My phone"), "{added:?}");
    let codes = browser.get("/account/backup-codes").await;
    let codes = browser.change("/account/backup-codes", &codes, &[("action", "make")]).await;
    assert_eq!(codes.body.matches("<li><code>").count(), 10, "{codes:?}");
    let left = browser.get("/account/backup-codes").await;
    assert!(left.body.contains("10 codes left") && !left.body.contains("<li><code>"), "{left:?}");
    let id = added.body.split("name=\"credential\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let rename = [("action", "rename"), ("credential", id), ("name", "Old phone")];
    let renamed = browser.change(PATH, &added, &rename).await;
    assert!(renamed.body.contains("Old phone"), "{renamed:?}");
    for bad in [" ", &"x".repeat(61)] {
        let rename = [("action", "rename"), ("credential", id), ("name", bad)];
        let refused = browser.change(PATH, &renamed, &rename).await;
        assert!(refused.body.contains("at most 60 characters"), "{refused:?}");
    }
    world.browser().sign_in().await.is_page(200, "backup-code-submit");
    let removed = browser.change(PATH, &renamed, &[("action", "remove"), ("credential", id)]).await;
    assert!(!removed.body.contains("Old phone"), "{removed:?}");
    world.browser().sign_in().await.code();
    assert_eq!(world.events("account.credential_removed").await, 2);
    assert_eq!(world.mails().await.len(), 3);
}

#[tokio::test]
async fn no_app_is_added_to_an_account_that_its_owner_takes_back_at_that_moment() {
    const PATH: &str = "/account/second-factors";
    let world = World::new().await;
    let mut thief = world.browser();
    let page = thief.centre(PATH).await;
    let shown = thief.change(PATH, &page, &[("action", "begin")]).await;
    let (_, right) = code(&world, &shown);
    let (tx, ada) = taken_back(&world).await;
    let fields = [("action", "add"), ("code", right.as_str())];
    svc_testkit::meanwhile(&world.app.db, tx, thief.change(PATH, &shown, &fields)).await;
    let mut tx = world.app.db.read_system().await.unwrap();
    let left = credentials::of_account(&mut tx, ada.account_id).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn no_guardian_is_invited_for_an_account_that_its_owner_takes_back_at_that_moment() {
    const PATH: &str = "/account/guardians";
    let world = World::configured(EVERY_SECTION).await;
    let mut thief = world.browser();
    let page = thief.centre(PATH).await;
    let (tx, ada) = taken_back(&world).await;
    let fields = [("action", "invite"), ("email", "eve@example.com")];
    svc_testkit::meanwhile(&world.app.db, tx, thief.change(PATH, &page, &fields)).await;
    let mut tx = world.app.db.read(world.tenant().await.id).await.unwrap();
    let left = guardians::of_person(&mut tx, &world.ground.cx, ada.id).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

/// The owner of Ada's account takes it back: what was added is removed, and the transaction that does it is open.
async fn taken_back(world: &World) -> (svc_db::Tx<svc_db::Tenant>, Person) {
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now() + Seconds(1)) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = changes::candidate_named(&mut tx, "ada").await.unwrap().unwrap().member.unwrap();
    credentials::held_of_account(&mut tx, ada.account_id).await.unwrap();
    guardians::remove_since(&mut tx, &cx, &ada, cx.now).await.unwrap();
    let account = Candidate::from(ada.clone()).account;
    changes::end_everything(&mut tx, &cx, &account).await.unwrap();
    (tx, ada)
}

#[tokio::test]
async fn a_session_that_was_never_asked_for_a_new_app_changes_nothing_before_it_is() {
    const PATH: &str = "/account/second-factors";
    let world = World::new().await;
    let (mut browser, mut other) = (world.browser(), world.browser());
    let (page, open) = (browser.centre(PATH).await, other.centre(PATH).await);
    world.advance(1);
    let shown = browser.change(PATH, &page, &[("action", "begin")]).await;
    let (key, right) = code(&world, &shown);
    let added = browser.change(PATH, &shown, &[("action", "add"), ("code", &right)]).await;
    let id = added.body.split("name=\"credential\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    for fields in [&[("action", "begin")][..], &[("action", "remove"), ("credential", id)]] {
        other.change(PATH, &open, fields).await.is_page(200, "login-submit");
    }
    for section in SECTIONS.iter().filter(|section| section.is_sensitive && section.whose != Whose::Guests) {
        assert!(!other.get(section.path).await.body.contains("centre-menu"), "{}", section.id);
    }
    // The session that has added the app goes on.
    let codes = browser.get("/account/backup-codes").await;
    let codes = browser.change("/account/backup-codes", &codes, &[("action", "make")]).await;
    assert_eq!(codes.body.matches("<li><code>").count(), 10, "{codes:?}");
    world.advance(30);
    let page = other.get(PATH).await;
    let page = other.fill(&page, "ada", PASSWORD).await;
    page.is_page(200, "totp-submit");
    let right = shown_now(&world, &key);
    let fields = [("flow", page.flow()), ("method", "totp"), ("code", right.as_str())];
    assert_eq!(other.post("/auth/sign-in", &fields).await.header(header::LOCATION), PATH);
    other.get(PATH).await.is_page(200, "app-begin");
}

#[tokio::test]
async fn a_page_with_backup_codes_that_is_loaded_again_shows_the_same_ones_until_others_are_made() {
    const PATH: &str = "/account/backup-codes";
    const MAKE: &[(&str, &str)] = &[("action", "make")];
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.centre("/account/second-factors").await;
    let shown = browser.change("/account/second-factors", &page, &[("action", "begin")]).await;
    let right = code(&world, &shown).1;
    browser.change("/account/second-factors", &shown, &[("action", "add"), ("code", &right)]).await;
    let codes = |page: &Answer| -> Vec<String> {
        let items = page.body.split("<li><code>").skip(1);
        items.map(|item| item.split('<').next().unwrap().to_owned()).collect()
    };
    let form = browser.get(PATH).await;
    let first = codes(&browser.change(PATH, &form, MAKE).await);
    assert_eq!((first.len(), codes(&browser.change(PATH, &form, MAKE).await)), (10, first.clone()));
    assert_eq!(world.mails().await.len(), 2);
    let later = browser.get(PATH).await;
    let second = codes(&browser.change(PATH, &later, MAKE).await);
    assert!(second.len() == 10 && first.iter().all(|code| !second.contains(code)), "{second:?}");
    let stale = browser.change(PATH, &form, MAKE).await;
    assert!(codes(&stale).is_empty() && stale.body.contains("10 codes left"), "{stale:?}");
    assert_eq!(codes(&browser.change(PATH, &later, MAKE).await), second);
}

#[tokio::test]
async fn another_persons_credential_is_neither_renamed_nor_removed() {
    const PATH: &str = "/account/second-factors";
    let world = World::new().await;
    let mut ada = world.browser();
    let page = ada.centre(PATH).await;
    let shown = ada.change(PATH, &page, &[("action", "begin")]).await;
    let right = code(&world, &shown).1;
    let hers = ada.change(PATH, &shown, &[("action", "add"), ("code", &right)]).await;
    let id = hers.body.split("name=\"credential\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let mut eve = world.browser();
    let sign_in = eve.get(PATH).await;
    eve.fill(&sign_in, "eve@example.com", PASSWORD).await;
    let page = eve.get(PATH).await;
    for action in ["rename", "remove"] {
        eve.change(PATH, &page, &[("action", action), ("credential", id), ("name", "Mine")]).await;
    }
    let after = ada.get(PATH).await;
    assert!(after.body.contains("Authenticator app") && !after.body.contains("Mine"), "{after:?}");
}

#[tokio::test]
async fn the_last_app_stays_where_a_second_factor_is_demanded() {
    const PATH: &str = "/account/second-factors";
    let world = World::configured(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let mut browser = world.browser();
    let page = browser.get(PATH).await;
    let page = browser.fill(&page, "ada", PASSWORD).await;
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    let right = code(&world, &shown).1;
    let fields = [("flow", shown.flow()), ("method", "set_up_totp"), ("code", right.as_str())];
    assert_eq!(browser.post("/auth/sign-in", &fields).await.header(header::LOCATION), PATH);
    let page = browser.get(PATH).await;
    let id = page.body.split("name=\"credential\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let refused = browser.change(PATH, &page, &[("action", "remove"), ("credential", id)]).await;
    refused.is_page(200, "form-error");
    world.browser().sign_in().await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn sessions_are_ended_one_by_one_and_all_others_at_once() {
    const PATH: &str = "/account/sessions";
    let world = World::new().await;
    let mut browsers = [world.browser(), world.browser(), world.browser()];
    for browser in &mut browsers {
        browser.sign_in().await.code();
        world.advance(1);
    }
    let [first, second, third] = &mut browsers;
    let page = third.get(PATH).await;
    assert_eq!(page.body.matches("id=\"session-end-").count(), 2, "{page:?}");
    let id = page.body.split("name=\"session\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let ended = third.change(PATH, &page, &[("session", id)]).await;
    ended.is_page(200, "notice");
    second.get(PATH).await.is_page(200, "login-submit");
    first.get(PATH).await.is_page(200, "sessions-end-others");
    third.change(PATH, &ended, &[("session", "others")]).await;
    first.get(PATH).await.is_page(200, "login-submit");
    third.get(PATH).await.is_page(200, "account-to-sessions");
}

#[tokio::test]
async fn a_person_takes_everything_along_but_secrets() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.centre("/account/data").await;
    let file = browser.post("/account/data", &[("flow", page.flow())]).await;
    assert_eq!(file.header(header::CONTENT_TYPE), "application/json");
    assert!(file.header(header::CONTENT_DISPOSITION).starts_with("attachment"));
    let data: serde_json::Value = serde_json::from_str(&file.body).unwrap();
    assert_eq!(data["email"], "ada@example.com");
    assert_eq!(data["profile"]["name"], "Ada Lovelace");
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    assert!(!file.body.contains("argon2"), "{file:?}");
}
