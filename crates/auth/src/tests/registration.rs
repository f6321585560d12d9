//! Self-registration: no account exists before its address is proven, and a stranger does not learn who has one.

use svc_domain::log::Action;
use svc_domain::people::changes;

use super::*;

pub async fn register(browser: &mut Browser<'_>, email: &str) -> Answer {
    let page = browser.open(&[]).await;
    let form = browser.get(&page.link("/auth/register")).await;
    form.is_page(200, "register-submit");
    let fields = [("flow", form.flow()), ("email", email)];
    browser.post("/auth/register", &fields).await
}

pub fn path_of(mail: &NewMail) -> String {
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    link.strip_prefix("http://localhost:8080").unwrap().to_owned()
}

async fn confirm(browser: &mut Browser<'_>, path: &str) -> Answer {
    let page = browser.get(path).await;
    page.is_page(200, "verify-submit");
    let fields = [("flow", page.flow()), ("name", "Grace Hopper"), ("password", PASSWORD)];
    browser.post("/auth/verify", &fields).await
}

#[tokio::test]
async fn a_confirmed_address_becomes_a_person_who_goes_on_to_the_application() {
    let world = World::new().await;
    let mut browser = world.browser();
    let sent = register(&mut browser, "grace@example.com").await;
    assert!(sent.status == StatusCode::OK && sent.body.contains("grace@example.com"));
    let mail = world.mails().await.remove(0);
    assert_eq!(mail.to, "grace@example.com");
    let path = path_of(&mail);
    assert!(path.starts_with("/auth/verify?token="));
    let page = browser.open(&[]).await;
    browser.fill(&page, "grace@example.com", PASSWORD).await.is_page(200, "login-submit");
    world.advance(3600);
    // A mail scanner's GETs consume nothing.
    world.browser().get(&path).await.is_page(200, "verify-submit");
    confirm(&mut browser, &path).await.code();
    assert!(browser.session().is_some());
    assert_eq!(browser.get(&path).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn resending_is_one_action_and_another_address_starts_with_the_first() {
    let world = World::new().await;
    let mut browser = world.browser();
    let sent = register(&mut browser, "grace@example.com").await;
    sent.is_page(200, "resend-submit");
    let form = browser.get(&sent.link("/auth/register")).await;
    assert!(form.body.contains("value=\"grace@example.com\""), "{form:?}");
    assert!(sent.body.contains("name=\"email\" value=\"grace@example.com\""), "{sent:?}");
    assert_eq!(world.mails().await.len(), 1);
    browser.post("/auth/register", &[("flow", sent.flow()), ("email", "grace@example.com")]).await;
    assert_eq!(world.mails().await.len(), 1);
}

#[tokio::test]
async fn in_another_browser_the_address_is_confirmed_but_no_one_is_signed_in() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "grace@example.com").await;
    let path = path_of(&world.mails().await[0]);
    let mut phone = world.browser();
    let done = confirm(&mut phone, &path).await;
    assert_eq!(done.status, StatusCode::OK);
    assert!(done.body.contains("Email confirmed") && phone.session().is_none());
    done.leads_on_to("/");
    let page = browser.open(&[]).await;
    browser.fill(&page, "grace@example.com", PASSWORD).await.code();
}

#[tokio::test]
async fn a_known_address_gets_the_same_page_and_a_mail_that_says_so() {
    let world = World::new().await;
    let mut browser = world.browser();
    let known = register(&mut browser, "Ada@Example.com").await;
    let fresh = register(&mut browser, "Abc@Example.com").await;
    let shape = |answer: &Answer| (answer.status, answer.body.len());
    assert_eq!(shape(&known), shape(&fresh));
    let mails = world.mails().await;
    let about = |to: &str| mails.iter().find(|mail| mail.to == to).unwrap().subject.clone();
    assert_eq!(about("Ada@Example.com"), "Acme: sign in with your account");
    assert_eq!(about("Abc@Example.com"), "Confirm your email for Acme");
}

#[tokio::test]
async fn the_link_to_a_known_address_signs_in_without_a_password() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "ada@example.com").await;
    let path = path_of(&world.mails().await[0]);
    let page = browser.get(&path).await;
    page.is_page(200, "verify-submit");
    assert!(!page.body.contains("name=\"password\""), "{page:?}");
    let mut stranger = world.browser();
    let done = confirm(&mut stranger, &path).await;
    assert!(done.status == StatusCode::OK && stranger.session().is_none(), "{done:?}");
    register(&mut browser, "ada@example.com").await;
    confirm(&mut browser, &path_of(&world.mails().await[0])).await.code();
    assert!(browser.session().is_some());
}

#[tokio::test]
async fn a_link_to_a_known_address_is_one_proof_and_the_second_factor_is_asked_for_all_the_same() {
    let world = World::new().await;
    second_factor::give_app(&world, "ada").await;
    let mut browser = world.browser();
    register(&mut browser, "ada@example.com").await;
    let next = confirm(&mut browser, &path_of(&world.mails().await[0])).await;
    next.is_page(200, "totp-submit");
    assert!(browser.session().is_none());
    next.is_page(200, "login-submit");
}

#[tokio::test]
async fn a_newcomer_sets_up_a_second_factor_where_one_is_demanded() {
    let world = World::configured(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let mut browser = world.browser();
    register(&mut browser, "grace@example.com").await;
    let next = confirm(&mut browser, &path_of(&world.mails().await[0])).await;
    next.is_page(200, "set-up-totp-begin");
    assert!(browser.session().is_none());
}

#[tokio::test]
async fn a_link_that_would_sign_in_dies_when_the_password_changes_after_it_was_asked_for() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "ada@example.com").await;
    let path = path_of(&world.mails().await[0]);
    world.advance(1);
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now()) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = accounts::find_by_email(&mut tx, &Email::parse("ada@example.com").unwrap()).await.unwrap();
    let hash =
        world.app.services.passwords.of(None).hash(&Secret::new("a new one of hers"), &*cx.entropy).await;
    let password = (hash.unwrap(), Action::PasswordReset);
    changes::set_account_password(&mut tx, &cx, &ada.unwrap(), (&password.0, password.1)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(browser.get(&path).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_was_added_to_an_account_before_its_address_was_proven_is_gone_at_the_proof() {
    let world = World::new().await;
    world.account("grace@example.com", false, Some("attackers lighthouse ten"), true).await;
    second_factor::give(&world, "grace@example.com").await;
    second_factor::give_app(&world, "grace@example.com").await;
    let mut browser = world.browser();
    world.advance(1);
    register(&mut browser, "grace@example.com").await;
    let page = browser.get(&path_of(&world.mails().await[0])).await;
    browser.post("/auth/verify", &[("flow", page.flow()), ("password", PASSWORD)]).await.code();
    let mut tx = world.app.db.read_system().await.unwrap();
    let select = svc_db::system_sql!("SELECT id FROM account_credentials");
    assert_eq!(tx.all(select, &[]).await.unwrap().len(), 0);
    assert_eq!(world.events("account.credential_removed").await, 2);
}

#[tokio::test]
async fn a_password_that_no_proven_address_vouches_for_is_replaced_at_the_proof() {
    let world = World::new().await;
    world.account("grace@example.com", false, Some("attackers lighthouse ten"), false).await;
    let mut browser = world.browser();
    // By itself it joins nothing.
    let page = browser.open(&[]).await;
    browser.fill(&page, "grace@example.com", "attackers lighthouse ten").await.is_page(200, "login-submit");
    world.advance(1);
    register(&mut browser, "grace@example.com").await;
    let path = path_of(&world.mails().await[0]);
    let page = browser.get(&path).await;
    assert!(page.body.contains("name=\"password\"") && !page.body.contains("name=\"name\""), "{page:?}");
    browser.post("/auth/verify", &[("flow", page.flow()), ("password", PASSWORD)]).await.code();
    let page = browser.open(&[("prompt", "login")]).await;
    browser.fill(&page, "grace@example.com", "attackers lighthouse ten").await.is_page(200, "login-submit");
    browser.fill(&page, "grace@example.com", PASSWORD).await.code();
}

#[tokio::test]
async fn what_is_wrong_behind_the_link_is_said_there_and_the_link_stays_good() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "grace@example.com").await;
    let path = path_of(&world.mails().await[0]);
    for (name, password) in [("", PASSWORD), ("Grace", "short"), ("Grace", "")] {
        let page = browser.get(&path).await;
        let fields = [("flow", page.flow()), ("name", name), ("password", password)];
        browser.post("/auth/verify", &fields).await.is_page(200, "form-error");
    }
    confirm(&mut browser, &path).await.code();
}

#[tokio::test]
async fn of_two_links_for_one_address_the_first_wins() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "grace@example.com").await;
    register(&mut browser, "grace@example.com").await;
    let mails = world.mails().await;
    confirm(&mut browser, &path_of(&mails[0])).await.code();
    let second = browser.get(&path_of(&mails[1])).await;
    assert!(second.status == StatusCode::BAD_REQUEST && second.body.contains("no longer works"));
    second.leads_on_to("/");
}

#[tokio::test]
async fn too_many_registrations_from_one_address_wait() {
    let world = World::new().await;
    let mut browser = world.browser();
    for n in 0..4 {
        assert_eq!(register(&mut browser, &format!("u{n}@example.com")).await.status, StatusCode::OK);
    }
    register(&mut browser, "u5@example.com").await.is_page(429, "register-submit");
}

#[tokio::test]
async fn prompt_create_leads_to_the_form() {
    let world = World::new().await;
    let page = world.browser().get(&world.authorize(&[("prompt", "create")])).await;
    page.is_page(200, "register-submit");
}

#[tokio::test]
async fn an_expired_or_invented_link_is_dead() {
    let world = World::new().await;
    let mut browser = world.browser();
    register(&mut browser, "grace@example.com").await;
    let path = path_of(&world.mails().await[0]);
    world.advance(86_400);
    for path in [path.as_str(), "/auth/verify?token=x", "/auth/verify"] {
        let answer = browser.get(path).await;
        assert!(
            answer.status == StatusCode::BAD_REQUEST && answer.body.contains("no longer works"),
            "{path}"
        );
    }
}
