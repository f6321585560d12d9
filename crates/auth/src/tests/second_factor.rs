//! Second factors: set up where a sign-in cannot do without, asked for from then on, guessed at in vain.

use serde_json::{Value, json};
use svc_domain::people::changes;
use svc_domain::people::credentials::{self, Kind, NewCredential, Owner, backup_codes, lookup_of, totp};

use super::*;
use crate::signin::methods::new_totp::New;
use crate::signin::methods::{METHODS, backup_code};

const DEMANDED: &[(&str, &str)] = &[("SVC_TWO_FACTOR__REQUIRED", "true")];
pub(super) const TRUSTING: &[(&str, &str)] =
    &[("SVC_TWO_FACTOR__REQUIRED", "true"), ("SVC_TWO_FACTOR__TRUSTED_DEVICE_DAYS", "30")];
const ESSENTIAL: (&str, &str) =
    ("claims", r#"{"id_token":{"acr":{"essential":true,"value":"urn:svc:aal2"}}}"#);

/// The key in the page that sets up an app.
fn key(page: &Answer) -> String {
    let after = page.body.split("id=\"totp-key\">").nth(1).unwrap_or_else(|| panic!("no key: {page:?}"));
    after.split('<').next().unwrap().to_owned()
}

/// What an app with this key shows.
pub(super) fn code(world: &World, key: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(key).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(world.ground.clock.now().as_secs()).unwrap()).to_string()
}

async fn answer(browser: &mut Browser<'_>, page: &Answer, method: &str, code: &str) -> Answer {
    browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", method), ("code", code)]).await
}

/// Ada signs in where a second factor is demanded, and sets up an app; returns its key.
async fn set_up(world: &World, browser: &mut Browser<'_>) -> String {
    let page = browser.sign_in().await;
    page.is_page(200, "set-up-totp-begin");
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    shown.is_page(200, "set-up-totp-submit");
    assert!(shown.body.contains("<svg xmlns"), "{shown:?}");
    let key = key(&shown);
    let wrong = answer(browser, &shown, "set_up_totp", "000000").await;
    wrong.is_page(200, "set-up-totp-submit");
    assert_eq!(self::key(&wrong), key, "the app was scanned already");
    answer(browser, &wrong, "set_up_totp", &code(world, &key)).await.code();
    key
}

/// Sets up an app and signs in with it once more, in a browser that is to be trusted from then on.
pub(super) async fn set_up_and_trusted(world: &World, browser: &mut Browser<'_>) -> String {
    let key = set_up(world, browser).await;
    world.advance(30);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    let page = browser.fill(&page, "ada", PASSWORD).await;
    let code = code(world, &key);
    let fields = [("flow", page.flow()), ("method", "totp"), ("code", code.as_str()), ("trust", "yes")];
    browser.post("/auth/sign-in", &fields).await.code();
    key
}

/// `amr` and `acr` of the latest session.
pub async fn latest(world: &World) -> (Value, String) {
    let mut tx = world.app.db.read_system().await.unwrap();
    let select =
        svc_db::system_sql!("SELECT amr, acr FROM sessions WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1");
    let row = tx.one(select, &[]).await.unwrap();
    (serde_json::from_str(&row.text("amr").unwrap()).unwrap(), row.text("acr").unwrap())
}

#[tokio::test]
async fn where_a_second_factor_is_demanded_it_is_set_up_once_and_asked_for_from_then_on() {
    let world = World::configured(DEMANDED).await;
    let mut browser = world.browser();
    let key = set_up(&world, &mut browser).await;
    let both = (json!(["pwd", "otp", "mfa"]), "urn:svc:aal2".to_owned());
    assert_eq!(latest(&world).await, both);
    assert_eq!(world.events("account.credential_added").await, 1);
    let mut other = world.browser();
    let page = other.sign_in().await;
    page.is_page(200, "totp-submit");
    assert!(!page.body.contains("login-submit") && !page.body.contains("set-up-totp"), "{page:?}");
    assert!(!page.body.contains("register-link"), "{page:?}");
    page.is_page(200, "switch-link");
    other.get(&page.link("/auth/continue?")).await.is_page(200, "login-submit");
    assert!(other.session().is_none());
    // The step that set the app up has been used.
    answer(&mut other, &page, "totp", &code(&world, &key)).await.is_page(200, "totp-submit");
    world.advance(30);
    answer(&mut other, &page, "totp", &code(&world, &key)).await.code();
    assert_eq!(latest(&world).await, both);
    // Its own pages, sent again, begin no other session.
    let session = other.session().map(str::to_owned);
    answer(&mut other, &page, "totp", &code(&world, &key)).await.is_page(200, "totp-submit");
    world.advance(30);
    answer(&mut other, &page, "totp", &code(&world, &key)).await.is_page(200, "login-submit");
    assert_eq!(other.session().map(str::to_owned), session);
    assert!(world.events("auth.mfa.challenge").await >= 2 && world.events("auth.mfa.verify").await >= 3);
}

/// How many apps Ada has.
async fn apps(world: &World) -> i64 {
    count(world, Kind::Totp).await
}

/// How many credentials of a kind there are.
pub(super) async fn count(world: &World, kind: Kind) -> i64 {
    let mut tx = world.app.db.read_system().await.unwrap();
    let count = svc_db::system_sql!("SELECT count(*) AS count FROM account_credentials WHERE kind = $1");
    tx.one(count, svc_db::args![kind.name()]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn who_has_a_second_factor_is_not_let_past_it_by_setting_up_another() {
    let world = World::configured(DEMANDED).await;
    // Eve knows the password before Ada has an app, and keeps the page that would have set one up.
    let mut early = world.browser();
    let page = early.sign_in().await;
    let shown = early.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    let hers = key(&shown);
    set_up(&world, &mut world.browser()).await;
    let late = answer(&mut early, &shown, "set_up_totp", &code(&world, &hers)).await;
    late.is_page(200, "totp-submit");
    // Or she comes later, and makes the form herself.
    let mut eve = world.browser();
    let page = eve.sign_in().await;
    let asked = eve.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    asked.is_page(200, "totp-submit");
    assert!(!asked.body.contains("totp-key"), "{asked:?}");
    assert!(early.session().is_none() && eve.session().is_none());
    assert_eq!(apps(&world).await, 1);
}

#[tokio::test]
async fn what_the_page_does_not_offer_is_refused_however_it_is_asked_for() {
    let world = World::configured(DEMANDED).await;
    set_up(&world, &mut world.browser()).await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    page.is_page(200, "totp-submit");
    for method in METHODS.iter().filter(|method| method.id != "totp") {
        let form =
            [("flow", page.flow()), ("method", method.id), ("username", "ada"), ("password", PASSWORD)];
        let query = format!("/auth/begin?flow={}&method={}", page.flow(), method.id);
        let answers = [browser.post("/auth/sign-in", &form).await, browser.get(&query).await];
        for answer in answers {
            // What the tenant does not offer at all is not found.
            if answer.status != 404 {
                answer.is_page(200, "totp-submit");
            }
        }
        assert_eq!(browser.post("/auth/challenge", &form).await.status, 404, "{}", method.id);
        assert!(browser.session().is_none(), "{}", method.id);
    }
}

#[tokio::test]
async fn the_proof_of_one_person_is_completed_by_no_other_persons_app() {
    let world = World::configured(DEMANDED).await;
    let key = set_up(&world, &mut world.browser()).await;
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let mut eve = world.browser();
    let page = eve.open(&[]).await;
    let page = eve.fill(&page, "eve@example.com", PASSWORD).await;
    page.is_page(200, "set-up-totp-begin");
    world.advance(30);
    // A method for which she has no credential, by a form that she makes herself.
    let answered = answer(&mut eve, &page, "totp", &code(&world, &key)).await;
    answered.is_page(200, "set-up-totp-begin");
    // What another browser was given opens nothing here.
    let mut ada = world.browser();
    let hers = ada.sign_in().await;
    answer(&mut eve, &hers, "totp", &code(&world, &key)).await.is_error(403, "forbidden");
    assert!(eve.session().is_none());
}

#[tokio::test]
async fn guesses_at_a_second_factor_lock_it_and_leave_the_password_alone() {
    let world = World::configured(DEMANDED).await;
    let key = set_up(&world, &mut world.browser()).await;
    world.advance(60);
    let mut eve = world.browser();
    let page = eve.sign_in().await;
    for _ in 0..5 {
        answer(&mut eve, &page, "totp", "123456").await.is_page(200, "totp-submit");
    }
    answer(&mut eve, &page, "totp", &code(&world, &key)).await.is_page(429, "totp-submit");
    assert_eq!(world.events("security.brute_force.detected").await, 1);
    let again = eve.sign_in().await;
    answer(&mut eve, &again, "totp", &code(&world, &key)).await.is_page(429, "totp-submit");
    world.advance(900);
    let again = eve.sign_in().await;
    answer(&mut eve, &again, "totp", &code(&world, &key)).await.code();
}

#[tokio::test]
async fn a_backup_code_counts_once() {
    let world = World::configured(DEMANDED).await;
    set_up(&world, &mut world.browser()).await;
    let code = give_backup_code(&world).await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    page.is_page(200, "backup-code-submit");
    let wrong = answer(&mut browser, &page, "backup_code", "aaaa-bbbb-cccc-dddd").await;
    wrong.is_page(200, "backup-code-submit");
    assert!(wrong.body.contains("That backup code is wrong"), "{wrong:?}");
    assert!(wrong.body.contains("<details class=\"more\" open>"), "the form stays open: {wrong:?}");
    let typed = code.to_ascii_uppercase().replace('-', " ");
    answer(&mut browser, &page, "backup_code", &typed).await.code();
    let again = browser.get(&world.authorize(&[("prompt", "login")])).await;
    let again = browser.fill(&again, "ada", PASSWORD).await;
    again.is_page(200, "totp-submit");
    assert!(!again.body.contains("backup-code-submit"), "the only code is spent: {again:?}");
    answer(&mut browser, &again, "backup_code", &code).await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn an_app_whose_secret_does_not_open_says_so_and_can_be_removed_after_another_factor() {
    const PATH: &str = "/account/second-factors";
    let world = World::new().await;
    give_app(&world, "ada").await;
    let paper = give_backup_code(&world).await;
    let mut tx = world.app.db.begin_system().await.unwrap();
    let spoil = "UPDATE account_credentials SET sealed = lookup WHERE kind = 'totp'";
    tx.execute(svc_db::SystemSql::new(spoil), &[]).await.unwrap();
    tx.commit().await.unwrap();
    world.advance(1);
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    let lost = answer(&mut browser, &page, "totp", "287082").await;
    lost.is_page(200, "backup-code-submit");
    assert!(lost.body.contains("The key of your authenticator app is lost here"), "{lost:?}");
    answer(&mut browser, &lost, "backup_code", &paper).await.code();
    let page = browser.get(PATH).await;
    let id = page.body.split("name=\"credential\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    browser.change(PATH, &page, &[("action", "remove"), ("credential", id)]).await;
    assert_eq!(apps(&world).await, 0);
}

#[tokio::test]
async fn of_two_sign_ins_that_set_up_an_app_at_once_one_does() {
    let world = World::configured(DEMANDED).await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    let code = code(&world, &key(&shown));
    // The other one has looked, and has not ended.
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = changes::candidate_named(&mut tx, "ada").await.unwrap().unwrap().member.unwrap();
    credentials::held_of_account(&mut tx, ada.account_id).await.unwrap();
    add_app(&world, &mut tx, &ada).await;
    let second = answer(&mut browser, &shown, "set_up_totp", &code);
    svc_testkit::meanwhile(&world.app.db, tx, second).await;
    let mut tx = world.app.db.read_system().await.unwrap();
    let apps = credentials::of_account(&mut tx, ada.account_id).await.unwrap();
    assert_eq!(apps.iter().map(|app| app.name.as_str()).collect::<Vec<_>>(), ["App"]);
}

async fn give_backup_code(world: &World) -> String {
    give(world, "ada").await
}

/// Gives a member an app, whose key the test does not have.
pub(super) async fn give_app(world: &World, name: &str) {
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let member = changes::candidate_named(&mut tx, name).await.unwrap().unwrap().member.unwrap();
    add_app(world, &mut tx, &member).await;
    tx.commit().await.unwrap();
}

async fn add_app(world: &World, tx: &mut svc_db::Tx<svc_db::Tenant>, member: &tenant_users::Person) {
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now()) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let new = New { secret: Secret::new("a secret of another!"), step: 0, name: "App".to_owned() };
    new.add(tx, &cx, (Owner::from(member), &world.app.services)).await.unwrap();
}

/// Gives a member a backup code.
pub(super) async fn give(world: &World, name: &str) -> String {
    let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(world.ground.clock.now()) };
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = changes::candidate_named(&mut tx, name).await.unwrap().unwrap().member.unwrap();
    let code = backup_code::code_of(svc_keys::digest(&svc_keys::token(&*cx.entropy)));
    let new = NewCredential {
        id: cx.id(),
        kind: Kind::BackupCode,
        lookup: Some(lookup_of(backup_codes::digest_of(ada.account_id, &code))),
        name: "Backup code",
        document: &json!({}),
        sealed: None,
        mark: 0,
        expires_at: None,
    };
    credentials::add(&mut tx, &cx, Owner::from(&ada), new).await.unwrap();
    tx.commit().await.unwrap();
    code
}

#[tokio::test]
async fn a_trusted_browser_is_not_asked_until_its_time_is_over_and_says_so() {
    let world = World::configured(TRUSTING).await;
    let mut browser = world.browser();
    let _ = set_up_and_trusted(&world, &mut browser).await;
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "ada", PASSWORD).await.code();
    assert_eq!(latest(&world).await, (json!(["pwd", "trusted_browser"]), "urn:svc:aal1".to_owned()));
    // The session of a trusted browser goes on without being asked for more.
    browser.get(&world.authorize(&[])).await.code();
    // What the application cannot do without is asked for all the same.
    browser.get(&world.authorize(&[ESSENTIAL])).await.is_page(200, "totp-submit");
    // Another person is not trusted here.
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "eve@example.com", PASSWORD).await.is_page(200, "set-up-totp-begin");
    world.advance(31 * 86_400);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "ada", PASSWORD).await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn a_browser_that_is_trusted_once_more_stands_among_the_trusted_ones_once() {
    let world = World::configured(TRUSTING).await;
    let mut browser = world.browser();
    let key = set_up_and_trusted(&world, &mut browser).await;
    for _ in 0..2 {
        world.advance(30);
        let page = browser.get(&world.authorize(&[("prompt", "login"), ESSENTIAL])).await;
        let page = browser.fill(&page, "ada", PASSWORD).await;
        page.is_page(200, "totp-submit");
        let code = code(&world, &key);
        let fields = [("flow", page.flow()), ("method", "totp"), ("code", code.as_str()), ("trust", "yes")];
        browser.post("/auth/sign-in", &fields).await.code();
        assert_eq!(count(&world, Kind::TrustedBrowser).await, 1);
    }
    world.advance(1);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    browser.fill(&page, "ada", PASSWORD).await.code();
}

#[tokio::test]
async fn trust_that_is_taken_back_in_the_middle_of_a_sign_in_counts_no_more() {
    let world = World::configured(TRUSTING).await;
    let mut browser = world.browser();
    let key = set_up_and_trusted(&world, &mut browser).await;
    world.advance(1);
    let page = browser.get(&world.authorize(&[("prompt", "login"), ESSENTIAL])).await;
    let half = browser.fill(&page, "ada", PASSWORD).await;
    half.is_page(200, "totp-submit");
    let cx = fixtures::cx(world.ground.clock.now());
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = tenant_users::find_by_identifier(&mut tx, "ada").await.unwrap().unwrap();
    credentials::remove_all(&mut tx, &cx, Owner::from(&ada), Kind::TrustedBrowser).await.unwrap();
    tx.commit().await.unwrap();
    world.advance(30);
    answer(&mut browser, &half, "totp", &code(&world, &key)).await.code();
    assert_eq!(latest(&world).await.0, json!(["pwd", "otp", "mfa"]));
}

#[tokio::test]
async fn a_sign_in_that_is_half_done_ends_with_all_access_of_its_person() {
    let world = World::configured(DEMANDED).await;
    let mut browser = world.browser();
    let key = set_up(&world, &mut browser).await;
    world.advance(30);
    let page = browser.get(&world.authorize(&[("prompt", "login")])).await;
    let half = browser.fill(&page, "ada", PASSWORD).await;
    half.is_page(200, "totp-submit");
    world.advance(1);
    let cx = fixtures::cx(world.ground.clock.now());
    let cx = Cx { entropy: Arc::clone(&world.app.entropy), ..cx };
    let mut tx = world.app.db.begin(world.tenant().await.id).await.unwrap();
    let ada = tenant_users::find_by_identifier(&mut tx, "ada").await.unwrap().unwrap();
    tenant_users::end_all_access(&mut tx, &cx, &ada).await.unwrap();
    tx.commit().await.unwrap();
    world.advance(30);
    let refused = answer(&mut browser, &half, "totp", &code(&world, &key)).await;
    refused.is_page(200, "login-submit");
    // A sign-in that begins after it is complete as before; the code of the refused one was not used up.
    let again = browser.fill(&refused, "ada", PASSWORD).await;
    answer(&mut browser, &again, "totp", &code(&world, &key)).await.code();
}

#[tokio::test]
async fn a_wish_for_two_factors_is_granted_to_those_who_have_them_and_essential_for_all() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[("acr_values", "urn:svc:aal2")]).await;
    browser.fill(&page, "ada", PASSWORD).await.code();
    // She has none, and is not asked again and again.
    browser.get(&world.authorize(&[("acr_values", "urn:svc:aal2")])).await.code();
    let page = browser.get(&world.authorize(&[ESSENTIAL])).await;
    page.is_page(200, "set-up-totp-begin");
    assert!(!page.body.contains("login-submit"), "the password was proven already: {page:?}");
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    let key = key(&shown);
    answer(&mut browser, &shown, "set_up_totp", &code(&world, &key)).await.code();
    assert_eq!(latest(&world).await, (json!(["pwd", "otp", "mfa"]), "urn:svc:aal2".to_owned()));
    browser.get(&world.authorize(&[ESSENTIAL])).await.code();
    // Who has set one up wants to be asked for it.
    let mut other = world.browser();
    other.sign_in().await.is_page(200, "totp-submit");
}

#[tokio::test]
async fn a_page_that_asks_for_more_adds_to_no_session_that_has_ended() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let page = browser.get(&world.authorize(&[ESSENTIAL])).await;
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    shown.is_page(200, "set-up-totp-submit");
    let signed_in = browser.cookies.clone();
    let question = browser.get("/oauth/end-session").await;
    browser.post("/auth/sign-out", &[("flow", question.flow())]).await;
    assert!(browser.session().is_none());
    // The page was left open, and the browser may even have kept its cookies.
    browser.cookies = signed_in;
    let code = code(&world, &key(&shown));
    answer(&mut browser, &shown, "set_up_totp", &code).await.is_page(200, "login-submit");
    browser.get(&world.authorize(&[("prompt", "none")])).await.is_refusal("login_required");
    assert_eq!(apps(&world).await, 0);
}

#[tokio::test]
async fn an_open_session_alone_sets_up_no_second_factor_where_its_sign_in_is_long_ago() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    world.advance(10 * 60);
    let page = browser.get(&world.authorize(&[ESSENTIAL])).await;
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    shown.is_page(200, "set-up-totp-submit");
    // The page was open for a while.
    world.advance(6 * 60);
    let typed = code(&world, &key(&shown));
    answer(&mut browser, &shown, "set_up_totp", &typed).await.is_page(200, "login-submit");
    let page = browser.get(&world.authorize(&[ESSENTIAL])).await;
    page.is_page(200, "login-submit");
    assert_eq!(apps(&world).await, 0);
    // Who signs in again sets one up.
    browser.fill(&page, "ada", PASSWORD).await.is_page(200, "set-up-totp-begin");
}

#[tokio::test]
async fn what_is_set_up_in_a_sign_in_bears_the_user_name_of_a_person_without_an_address() {
    let world = World::configured(DEMANDED).await;
    let (passwords, entropy) = (&world.app.services.passwords, &*world.app.entropy);
    let hash = passwords.of(None).hash(&Secret::new(PASSWORD), entropy).await.unwrap();
    let grace = world.ground.person_with(world.tenant().await.id, "grace", |grace| {
        (grace.email, grace.email_verified, grace.password) = (None, false, Some(hash));
    });
    grace.await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let page = browser.fill(&page, "grace", PASSWORD).await;
    page.is_page(200, "set-up-totp-begin");
    let fields = [("flow", page.flow()), ("method", "set_up_passkey")];
    let challenge = browser.post("/auth/challenge", &fields).await;
    let challenge: Value = serde_json::from_str(&challenge.body).unwrap();
    assert_eq!(challenge["shown"]["user"]["name"], "grace");
    let shown = browser.post("/auth/sign-in", &[("flow", page.flow()), ("method", "set_up_totp")]).await;
    // Apps tell accounts of one issuer apart by the name in the picture, and some replace one of the same name.
    let url = totp::url(&Secret::new(key(&shown)), ("Acme", "grace")).unwrap();
    let picture = qrcode::QrCode::new(url).unwrap();
    let picture = picture.render::<qrcode::render::svg::Color<'_>>().min_dimensions(200, 200).build();
    assert!(shown.body.contains(picture.split_once("<svg").unwrap().1), "{shown:?}");
}

#[tokio::test]
async fn a_second_factor_is_never_the_first_step() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    for method in ["totp", "backup_code", "set_up_totp", "set_up_passkey"] {
        let answer = answer(&mut browser, &page, method, "123456").await;
        answer.is_page(200, "login-submit");
        assert!(browser.session().is_none());
    }
}
