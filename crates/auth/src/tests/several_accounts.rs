//! Several accounts in one browser (OpenID Connect Core §3.1.2.1, §3.1.2.6): chooser, hints, two tabs, the way out.

use serde_json::json;
use svc_keys::{Algorithm, Typ};

use super::*;

const ADA: &str = "ada";
const BOB: &str = "bob@example.com";
const EVE: &str = "eve@example.com";
const BYE: &str = "https://app.example/bye";

async fn world(keys: &[(&'static str, &str)]) -> World {
    let change = |configuration: &mut apps::Configuration| {
        configuration.post_logout_redirect_uris = vec![BYE.to_owned()];
    };
    let world = Box::pin(World::built(change, (METHODS, &[]), keys)).await;
    for email in [BOB, EVE] {
        world.account(email, true, Some(PASSWORD), true).await;
    }
    world
}

impl World {
    async fn subject(&self, name: &str) -> String {
        let mut tx = self.app.db.read(self.tenant().await.id).await.unwrap();
        tenant_users::find_by_identifier(&mut tx, name).await.unwrap().unwrap().subject
    }

    /// An ID token as the token endpoint would issue it.
    async fn hint(&self, name: &str) -> String {
        let (sub, exp) = (self.subject(name).await, NOW.as_secs() + 1000);
        let claims = json!({
            "iss": "http://localhost:8080", "aud": self.shop.id, "sub": sub, "iat": 1, "exp": exp,
        });
        let ring = self.app.services.keys.ring_of_deployment();
        ring.held(Algorithm::Es256).unwrap().sign(Typ::Jwt, claims.to_string().as_bytes()).unwrap()
    }

    /// Whose the last code is.
    async fn last(&self) -> String {
        let mut tx = self.app.db.read_system().await.unwrap();
        let select = svc_db::system_sql!(
            "SELECT p.email FROM codes c JOIN people p ON p.tenant_id = c.tenant_id AND p.id = c.tenant_user_id \
             ORDER BY c.expires_at DESC LIMIT 1"
        );
        tx.all(select, &[]).await.unwrap()[0].text("email").unwrap()
    }

    /// How many sessions are live.
    async fn live(&self) -> usize {
        let mut tx = self.app.db.read_system().await.unwrap();
        let select = svc_db::system_sql!("SELECT id FROM sessions WHERE ended_at IS NULL");
        tx.all(select, &[]).await.unwrap().len()
    }
}

impl Browser<'_> {
    /// Signs a person in besides those who are signed in already.
    async fn add(&mut self, name: &str) {
        self.world.advance(1);
        let page = self.open(&[("prompt", "login")]).await;
        self.fill(&page, name, PASSWORD).await.code();
    }

    /// Signs all three in, Eve last.
    async fn with_three(&mut self) {
        for name in [ADA, BOB, EVE] {
            self.add(name).await;
        }
    }

    /// Asks for a code a second later, so that it expires after every code before it and
    /// [`World::last`] finds it.
    async fn asks(&mut self, changes: &[(&str, &str)]) -> Answer {
        self.world.advance(1);
        self.get(&self.world.authorize(changes)).await
    }

    /// The accounts that the account centre lists, the one in use first.
    async fn listed(&mut self) -> Vec<String> {
        let page = self.get("/account/accounts").await;
        let known = [("ada@example.com", "ada"), (BOB, "bob"), (EVE, "eve")];
        let at = |email: &str| page.body.split_once("id=\"account-0\"").unwrap().1.find(email);
        let mut found: Vec<_> =
            known.iter().filter_map(|(email, name)| Some((at(email)?, (*name).to_owned()))).collect();
        found.sort();
        found.into_iter().map(|(_, name)| name).collect()
    }
}

/// The value of the button of a page that shows an account.
fn value_of(page: &Answer, name: &str, shown: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let buttons = page.body.split(&start);
    let button = buttons.skip(1).find(|rest| rest.split("</button>").next().unwrap().contains(shown));
    button.unwrap().split_once('"').unwrap().0.to_owned()
}

#[tokio::test]
async fn a_second_account_is_added_and_the_person_chooses_where_nothing_says_which() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    browser.add(BOB).await;
    assert_eq!(world.live().await, 2, "neither sign-in ends the other");
    let page = browser.asks(&[]).await;
    page.is_page(200, "account-1");
    browser.asks(&[("prompt", "none")]).await.is_refusal("account_selection_required");
    let ada = value_of(&page, "account", "ada@example.com");
    browser.post("/auth/select-account", &[("flow", page.flow()), ("account", &ada)]).await.code();
    assert_eq!(world.last().await, "ada@example.com");
    browser.asks(&[]).await.code();
    browser.asks(&[("prompt", "none")]).await.code();
    assert_eq!(world.last().await, "ada@example.com", "the choice lasts");
    browser.asks(&[("prompt", "select_account")]).await.is_page(200, "account-1");
    browser.add(EVE).await;
    browser.asks(&[]).await.is_page(200, "account-2");
}

#[tokio::test]
async fn hints_select_the_account_and_leave_the_choice_as_it_is() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    let (ada, bob) = (world.hint("ada").await, world.subject(BOB).await);
    let claims = json!({ "id_token": { "sub": { "value": bob } } }).to_string();
    for (field, whose) in [
        (("login_hint", "ADA"), "ada@example.com"),
        (("login_hint", "Bob@Example.com"), BOB),
        (("id_token_hint", &*ada), "ada@example.com"),
        (("claims", &*claims), BOB),
    ] {
        for prompt in ["", "none"] {
            browser.asks(&[field, ("prompt", prompt)]).await.code();
            assert_eq!(world.last().await, whose, "{field:?}");
        }
    }
    browser.asks(&[("prompt", "none")]).await.is_refusal("account_selection_required");
    let stranger = ("login_hint", "stranger@example.com");
    browser.asks(&[stranger, ("prompt", "none")]).await.is_refusal("account_selection_required");
    browser.asks(&[stranger]).await.is_page(200, "account-2");
    let mut only_bob = world.browser();
    only_bob.add(BOB).await;
    only_bob.add(EVE).await;
    only_bob.asks(&[("id_token_hint", &ada), ("prompt", "none")]).await.is_refusal("login_required");
    only_bob.asks(&[("id_token_hint", &ada)]).await.is_page(200, "login-submit");
}

#[tokio::test]
async fn a_stranger_cannot_find_out_by_hints_who_is_signed_in_here() {
    let change = |configuration: &mut apps::Configuration| configuration.first_party = false;
    let world = Box::pin(World::built(change, (METHODS, &[]), &[])).await;
    world.account(BOB, true, Some(PASSWORD), true).await;
    let mut browser = world.browser();
    for name in [ADA, BOB] {
        world.advance(1);
        let page = browser.open(&[("prompt", "login")]).await;
        browser.fill(&page, name, PASSWORD).await.is_page(200, "consent-allow");
    }
    for hint in [BOB, "ada", "stranger@example.com"] {
        let silent = browser.asks(&[("prompt", "none"), ("login_hint", hint)]).await;
        silent.is_refusal("account_selection_required");
    }
    let page = browser.asks(&[("login_hint", "ada")]).await;
    browser.post("/auth/consent", &[("flow", page.flow()), ("decision", "allow")]).await.code();
    browser.asks(&[("prompt", "none"), ("login_hint", "ada")]).await.code();
}

#[tokio::test]
async fn a_page_that_one_account_was_shown_never_acts_for_another() {
    let change = |configuration: &mut apps::Configuration| configuration.first_party = false;
    let world = Box::pin(World::built(change, (METHODS, &[]), &[])).await;
    world.account(BOB, true, Some(PASSWORD), true).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let consent = browser.fill(&page, ADA, PASSWORD).await;
    consent.is_page(200, "consent-allow");
    let profile = browser.get("/account/profile").await;
    // Another tab.
    world.advance(1);
    let page = browser.open(&[("prompt", "login")]).await;
    browser.fill(&page, BOB, PASSWORD).await.is_page(200, "consent-allow");
    let answer = browser.post("/account/profile", &[("flow", profile.flow()), ("name", "Mallory")]).await;
    assert!(
        answer.header(header::LOCATION).starts_with("/account?done=notice-other-account&told="),
        "{answer:?}"
    );
    for name in ["ada", BOB] {
        let mut tx = world.app.db.read(world.tenant().await.id).await.unwrap();
        let person = tenant_users::find_by_identifier(&mut tx, name).await.unwrap().unwrap();
        assert_ne!(person.profile.name.as_deref(), Some("Mallory"), "nothing is changed, of neither");
    }
    browser.post("/auth/consent", &[("flow", consent.flow()), ("decision", "allow")]).await.code();
    assert_eq!(world.last().await, "ada@example.com", "the page goes on for whom it was shown");
    let mut tx = world.app.db.read_system().await.unwrap();
    let consents = svc_db::system_sql!("SELECT app_id FROM consents");
    assert_eq!(tx.all(consents, &[]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_page_of_an_account_that_has_signed_out_leads_to_sign_in() {
    let change = |configuration: &mut apps::Configuration| configuration.first_party = false;
    let world = Box::pin(World::built(change, (METHODS, &[]), &[])).await;
    world.account(BOB, true, Some(PASSWORD), true).await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let consent = browser.fill(&page, ADA, PASSWORD).await;
    let page = browser.open(&[("prompt", "login")]).await;
    browser.fill(&page, BOB, PASSWORD).await.is_page(200, "consent-allow");
    let out = browser.get(&end(&[("id_token_hint", &world.hint("ada").await)])).await;
    out.is_page(200, "accounts-link");
    let answer = browser.post("/auth/consent", &[("flow", consent.flow()), ("decision", "allow")]).await;
    answer.is_page(200, "login-submit");
}

#[tokio::test]
async fn max_age_asks_the_chosen_account_to_sign_in_again() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    world.advance(600);
    let page = browser.asks(&[("max_age", "60")]).await;
    let bob = value_of(&page, "account", BOB);
    let page = browser.post("/auth/select-account", &[("flow", page.flow()), ("account", &bob)]).await;
    page.is_page(200, "login-submit");
    assert!(page.body.contains(&format!("value=\"{BOB}\"")), "the form starts with the chosen account");
    browser.fill(&page, BOB, PASSWORD).await.code();
    assert_eq!((world.last().await, world.live().await), (BOB.to_owned(), 3));
    assert_eq!(browser.listed().await, ["bob", "eve", "ada"]);
}

#[tokio::test]
async fn the_account_centre_switches_adds_and_signs_out_one_or_all() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    assert_eq!(browser.listed().await, ["eve", "bob", "ada"]);
    let page = browser.get("/account/accounts").await;
    let section = |name: &str| page.body.split("<section").skip(1).find(|part| part.contains(name)).unwrap();
    let value = |name: &str, button: &str| {
        let rest = section(name).split_once(&format!("name=\"{button}\" value=\"")).unwrap().1;
        rest.split_once('"').unwrap().0.to_owned()
    };
    let flow = page.flow().to_owned();
    let answer = browser.post("/account/accounts", &[("flow", &flow), ("use", &value("ada@", "use"))]).await;
    assert!(
        answer.header(header::LOCATION).starts_with("/account/accounts?done=notice-account-switched&told="),
        "{answer:?}"
    );
    assert_eq!(browser.listed().await, ["ada", "eve", "bob"]);
    browser.asks(&[("prompt", "none")]).await.code();
    assert_eq!(world.last().await, "ada@example.com", "the account in use is chosen");
    // The page was Eve's.
    let answer = browser.post("/account/accounts", &[("flow", &flow), ("end", "all")]).await;
    assert!(
        answer.header(header::LOCATION).starts_with("/account?done=notice-other-account&told="),
        "{answer:?}"
    );
    assert_eq!(world.live().await, 3);
    let page = browser.get("/account/accounts").await;
    let answer = browser.post("/account/accounts", &[("flow", page.flow())]).await;
    answer.is_page(200, "login-submit");
    let answer = browser.fill(&answer, BOB, PASSWORD).await;
    assert_eq!(answer.header(header::LOCATION), "/account/accounts");
    assert_eq!(
        (browser.listed().await, world.live().await.to_string()),
        (vec!["bob".to_owned(), "ada".to_owned(), "eve".to_owned()], "3".to_owned())
    );
    let page = browser.get("/account/accounts").await;
    let own = page.body.split("<section").nth(1).unwrap();
    let own = own.split_once("name=\"end\" value=\"").unwrap().1.split_once('"').unwrap().0;
    let answer = browser.post("/account/accounts", &[("flow", page.flow()), ("end", own)]).await;
    assert!(
        answer.header(header::LOCATION).starts_with("/account/accounts?done=notice-account-signed-out&told="),
        "{answer:?}"
    );
    assert_eq!(browser.listed().await, ["ada", "eve"]);
    let page = browser.get("/account/accounts").await;
    let answer = browser.post("/account/accounts", &[("flow", page.flow()), ("end", "all")]).await;
    assert!(answer.body.contains("You are signed out"), "{answer:?}");
    assert_eq!((world.live().await, browser.session()), (0, None));
    assert_eq!(world.events("auth.logout").await, 3 + 1, "each is told");
}

#[tokio::test]
async fn the_account_that_acted_longest_ago_makes_room() {
    let world = world(&[("SVC_SESSION_COOKIE__ACCOUNTS_PER_BROWSER", "2")]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    assert_eq!((browser.listed().await, world.live().await), (vec!["eve".to_owned(), "bob".to_owned()], 2));
    browser.add(BOB).await;
    assert_eq!((browser.listed().await, world.live().await), (vec!["bob".to_owned(), "eve".to_owned()], 2));
}

#[tokio::test]
async fn with_one_account_to_a_browser_each_sign_in_ends_the_one_before() {
    let world = world(&[("SVC_SESSION_COOKIE__ACCOUNTS_PER_BROWSER", "1")]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    assert_eq!((browser.listed().await, world.live().await), (vec!["eve".to_owned()], 1));
    assert!(!browser.cookies.contains_key("svc_session_others"));
    browser.asks(&[("prompt", "none")]).await.code();
}

#[tokio::test]
async fn sign_out_ends_the_account_that_the_hint_names_and_asks_otherwise() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    let bye = ("post_logout_redirect_uri", BYE);
    let answer = browser.get(&end(&[("id_token_hint", &world.hint(BOB).await), bye])).await;
    assert_eq!(answer.header(header::LOCATION), BYE);
    assert_eq!((browser.listed().await, world.live().await), (vec!["eve".to_owned(), "ada".to_owned()], 2));
    let page = browser.get(&end(&[])).await;
    page.is_page(200, "logout-confirm");
    let unsaid = browser.post("/auth/sign-out", &[("flow", page.flow())]).await;
    unsaid.is_error(400, "invalid_request");
    let eve = value_of(&page, "account", EVE);
    let answer = browser.post("/auth/sign-out", &[("flow", page.flow()), ("account", &eve)]).await;
    answer.is_page(200, "accounts-link");
    assert_eq!((browser.listed().await, world.live().await), (vec!["ada".to_owned()], 1));
    // The page with one account is about that account, also when another has come since.
    let page = browser.get(&end(&[])).await;
    browser.add(BOB).await;
    browser.post("/auth/sign-out", &[("flow", page.flow())]).await.is_page(200, "accounts-link");
    assert_eq!((browser.listed().await, world.live().await), (vec!["bob".to_owned()], 1));
    browser.add(ADA).await;
    let page = browser.get(&end(&[])).await;
    browser.post("/auth/sign-out", &[("flow", page.flow()), ("account", "all")]).await;
    assert_eq!(world.live().await, 0);
    assert!(browser.session().is_none() && !browser.cookies.contains_key("svc_session_others"));
}

#[tokio::test]
async fn what_another_browser_or_a_forger_says_of_the_accounts_counts_for_nothing() {
    let world = world(&[]).await;
    let (mut browser, mut other) = (world.browser(), world.browser());
    browser.with_three().await;
    other.add(BOB).await;
    other.add(EVE).await;
    let page = other.get("/account/accounts").await;
    let foreign =
        page.body.split_once("name=\"use\" value=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    let page = browser.get("/account/accounts").await;
    let flow = page.flow().to_owned();
    for field in [("use", &*foreign), ("end", &*foreign), ("use", "x"), ("end", "")] {
        browser.post("/account/accounts", &[("flow", &flow), field]).await;
        assert_eq!(world.live().await, 5, "{field:?}");
        assert_eq!(browser.listed().await, ["eve", "bob", "ada"], "{field:?}");
    }
    let page = browser.asks(&[("prompt", "select_account")]).await;
    let answer = browser.post("/auth/select-account", &[("flow", page.flow()), ("account", &foreign)]).await;
    answer.is_page(200, "login-submit");
    assert!(!answer.body.contains(&foreign));
    for forged in ["1.x", "", &"A".repeat(5000)] {
        browser.cookies.insert("svc_session_others".to_owned(), forged.to_owned());
        assert_eq!(browser.listed().await, ["eve"], "{forged}");
    }
}

#[tokio::test]
async fn when_the_account_in_use_ends_the_one_before_it_acts_unchosen() {
    let world = world(&[]).await;
    let mut browser = world.browser();
    browser.with_three().await;
    browser.cookies.remove("svc_session");
    assert_eq!(browser.listed().await, ["bob", "ada"]);
    browser.asks(&[("prompt", "none")]).await.is_refusal("account_selection_required");
    world.advance(14 * 86_400);
    browser.asks(&[("prompt", "none")]).await.is_refusal("login_required");
    browser.asks(&[]).await.is_page(200, "login-submit");
}

fn end(fields: &[(&str, &str)]) -> String {
    crate::hosted::with_query("/oauth/end-session", fields.iter().copied())
}
