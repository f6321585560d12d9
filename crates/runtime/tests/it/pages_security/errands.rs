//! Every form of the hosted pages, opened by a person who may send it: a new form needs its errand here.

use serde_json::json;
use svc_core::{CredentialId, SeededEntropy, Timestamp};
use svc_domain::apis::management::ADMIN;
use svc_domain::apps::{Configuration, OrganizationUsage};
use svc_domain::people::links::{self, LinkKind};
use svc_domain::people::{address_changes, tenant_users};
use svc_http::{Guard, Method};
use svc_runtime::compose;

use super::{NEW_PASSWORD, World, asked_for, centre, coded, guardians};
use crate::harness::browser::Form;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Harness};
use crate::impersonation;
use crate::organizations::sso_page;

/// A form that is ready to be sent.
pub struct Errand<'h> {
    pub path: &'static str,
    pub browser: Browser<'h>,
    pub page: Answer,
    pub fields: Vec<(&'static str, String)>,
}

/// The forms that our own pages show.
pub const FORMS: [&str; 53] = [
    "/account/preview",
    "/account/support",
    "/auth/impersonation",
    "/auth/impersonation/end",
    "/auth/sign-in",
    "/auth/select-account",
    "/auth/switch-account",
    "/auth/select-organization",
    "/auth/consent",
    "/auth/register",
    "/auth/register/code",
    "/auth/register/name",
    "/auth/verify",
    "/auth/undo-address",
    "/auth/was-this-you",
    "/auth/forgot",
    "/auth/forgot/password",
    "/auth/reset",
    "/auth/sign-out",
    "/auth/join",
    "/auth/organization-invitation",
    "/auth/access",
    "/auth/new-address",
    "/auth/sign-in-link",
    "/auth/guardians/ask",
    "/auth/guardians",
    "/auth/guardians/cancel",
    "/account/guardians",
    "/account/guarding",
    "/account/keep",
    "/account/profile",
    "/account/email",
    "/account/phone",
    "/account/password",
    "/account/second-factors",
    "/account/backup-codes",
    "/account/sessions",
    "/account/accounts",
    "/account/delegations",
    "/account/organizations",
    "/account/organizations/sso",
    "/account/data",
    "/account/deletion",
    "/auth/approvals",
    "/oauth/device/verify",
    "/auth/challenge",
    "/auth/verify/passkey",
    "/auth/organization-invitation/passkey",
    "/account/passkeys",
    "/account/identities",
    "/auth/complete",
    "/account/details",
    "/account/terms",
];

/// What the service must be told for all of them to be there.
pub const EVERYTHING: &[(&str, &str)] = &[
    ("SVC_ANONYMOUS__ENABLED", "true"),
    ("SVC_MAGIC_LINK__ENABLED", "true"),
    ("SVC_EMAIL_OTP__ENABLED", "true"),
    ("SVC_SMS__ENABLED", "true"),
    ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
    ("SVC_SOCIAL__ENABLED", "true"),
    ("SVC_SOCIAL__GOOGLE__CLIENT_ID", "svc"),
    ("SVC_SOCIAL__GOOGLE__CLIENT_SECRET", "upstream-secret"),
];

/// Those that a script of the page sends, instead of its own form; the answer is for the script.
pub const SCRIPTED: [&str; 3] =
    ["/auth/challenge", "/auth/verify/passkey", "/auth/organization-invitation/passkey"];

impl Errand<'_> {
    /// The fields as they are sent.
    pub fn fields(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    /// Sends the form as its page does.
    pub async fn run(&mut self) -> Answer {
        let fields = self.fields.clone();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if SCRIPTED.contains(&self.path) {
            let hidden = Form::of(&self.page).hidden;
            let flow =
                hidden.iter().find(|(name, _)| name == "flow").map(|(_, flow)| ("flow", flow.as_str()));
            let all: Vec<_> = flow.into_iter().chain(fields).collect();
            return self.browser.post(self.path, &all).await;
        }
        self.browser.submit(&self.page, &fields).await
    }
}

/// Whether an errand came to its end: a page without a complaint, or the way back to the application.
pub fn is_done(answer: &Answer) -> bool {
    let is_fine = !answer.body.contains("role=\"alert\"") && !answer.body.contains("id=\"error-code\"");
    match answer.status {
        200 => is_fine,
        303 => !answer.location().contains("error="),
        _ => false,
    }
}

/// Opens the page of a form. People and addresses are called after `name`, so that errands do not meet.
#[expect(clippy::too_many_lines, reason = "one arm for each form")]
pub async fn open<'h>(world: &World<'h>, path: &'static str, name: &str) -> Errand<'h> {
    let mut browser = world.site.browser();
    let field = |name, value: &str| (name, value.to_owned());
    let (page, fields) = match path {
        "/auth/sign-in" => {
            let fields = vec![field("username", &world.ada.username), field("password", &world.ada.password)];
            (world.sign_in_page(&mut browser).await, fields)
        }
        "/auth/select-account" => {
            world.first.code_in(&mut browser, &world.ada).await;
            let page = asked(world, &mut browser, &[("prompt", "select_account")]).await;
            let account =
                page.body.split("name=\"account\" value=\"").nth(1).unwrap().split('"').next().unwrap();
            let fields = vec![field("account", account)];
            (page, fields)
        }
        "/auth/switch-account" => {
            let page = centre::two_accounts(world, &mut browser, &format!("{name}-switching")).await;
            let page = browser.get(&page.link("switch-account")).await;
            let fields = vec![field("account", &centre::value_of(&page, "account"))];
            (page, fields)
        }
        "/auth/select-organization" => select_organization(world, &mut browser, name).await,
        "/auth/complete" => asked_for::complete(world, &mut browser, name).await,
        "/account/details" => asked_for::details(world, &mut browser, name).await,
        "/account/terms" => asked_for::terms(world, &mut browser, name).await,
        "/auth/consent" => {
            world.first.code_in(&mut browser, &world.ada).await;
            let page = browser
                .get(&world.third.authorize_path(&world.third.verifier(), &[("prompt", "consent")]))
                .await;
            (page, vec![field("decision", "allow")])
        }
        "/auth/register" => {
            let page = world.sign_in_page(&mut browser).await;
            let page = browser.get(&page.link("register-link")).await;
            let email = format!("{name}@invited.example");
            (page, vec![field("email", &email)])
        }
        "/auth/verify" => {
            let _ = world.register(&mut browser, &format!("{name}@new.example")).await.expect(200);
            let fields = vec![field("name", "New Comer"), field("password", NEW_PASSWORD)];
            (browser.get(&world.mailed().await).await, fields)
        }
        "/auth/forgot" => {
            let page = world.sign_in_page(&mut browser).await;
            (browser.get(&page.link("forgot-link")).await, vec![field("username", &world.ada.username)])
        }
        "/auth/register/code" | "/auth/register/name" | "/auth/forgot/password" => {
            coded::open(world, &mut browser, (path, name)).await
        }
        "/auth/reset" => {
            let _ = world.forgot(&mut browser, &world.ada.username).await.expect(200);
            (browser.get(&world.mailed().await).await, vec![field("password", &world.ada.password)])
        }
        "/auth/sign-out" => {
            world.first.code_in(&mut browser, &world.ada).await;
            (browser.get("/oauth/end-session").await, Vec::new())
        }
        "/auth/join" => {
            let stranger = world.site.stranger(name).await;
            let page = world.sign_in_page(&mut browser).await;
            let fields = [("username", stranger.email.as_str()), ("password", stranger.password.as_str())];
            (browser.submit(&page, &fields).await, Vec::new())
        }
        "/auth/organization-invitation" => {
            let stranger = world.site.stranger(&format!("{name}-guest")).await;
            (invitation(world, &mut browser, (&format!("{name}-guests"), &stranger.email)).await, Vec::new())
        }
        "/auth/new-address" => {
            let (mut page, fields) =
                centre::open(world, &mut browser, "/account/email", &format!("{name}-away")).await;
            page = browser.submit(&page, &[("email", fields[0].1.as_str())]).await;
            let _ = page.expect(303);
            (browser.get(&world.mailed().await).await, Vec::new())
        }
        "/auth/sign-in-link" => (sign_in_link(world, &mut browser, name).await, Vec::new()),
        of_guardians if of_guardians.contains("/guard") => {
            guardians::open(world, &mut browser, of_guardians, name).await
        }
        "/auth/access" => {
            world.third.code_in(&mut browser, &world.ada).await;
            (browser.get(path).await, vec![field("app", &world.third.id)])
        }
        "/auth/impersonation" | "/auth/impersonation/end" | "/account/support" => {
            impersonation::opened(&world.first, (path, name), &mut browser).await
        }
        "/account/preview" => {
            let admin = world.site.user_with_roles(&format!("{name}-admin"), &[ADMIN]).await;
            world.first.code_in(&mut browser, &admin).await;
            (browser.get(path).await, Vec::new())
        }
        "/account/organizations/sso" => sso_page::opened(&world.first, name, &mut browser).await,
        of_account if of_account.starts_with("/account/") && of_account != "/account/passkeys" => {
            centre::open(world, &mut browser, of_account, name).await
        }
        "/auth/approvals" => {
            world.first.code_in(&mut browser, &world.ada).await;
            let form = [("scope", "openid"), ("login_hint", world.ada.username.as_str())];
            let _ = world.first.post("/bc-authorize", &form, &[]).await.expect(200);
            (browser.get(path).await, vec![field("decision", "allow")])
        }
        "/oauth/device/verify" => {
            world.first.code_in(&mut browser, &world.ada).await;
            let started =
                world.first.post("/oauth/device/code", &[("scope", "openid")], &[]).await.expect(200).json();
            let page = browser.get(path).await;
            (page, vec![field("user_code", started["user_code"].as_str().unwrap())])
        }
        "/auth/was-this-you" => {
            let at = world.site.harness.operator().now;
            let subject = json!({ "session": null, "at": at, "browser": "", "os": "", "network": "" });
            let link = of_mail(world, &format!("{name}-asked"), (path, LinkKind::WasThisYou, &subject)).await;
            (browser.get(&link).await, Vec::new())
        }
        "/auth/undo-address" => {
            let since = world.site.harness.operator().now;
            let former = json!({ "email": format!("{name}@before.example"), "since": since });
            let link = of_mail(world, &format!("{name}-moved"), (path, LinkKind::UndoAddress, &former)).await;
            (browser.get(&link).await, Vec::new())
        }
        "/auth/challenge"
        | "/auth/verify/passkey"
        | "/auth/organization-invitation/passkey"
        | "/account/passkeys" => keyed(world, path, name, &mut browser).await,
        other => panic!("{other} has no errand: say how its form is opened"),
    };
    Errand { path, browser, page: page.expect(200), fields }
}

/// Opens an invitation to an organization.
async fn invitation<'h>(world: &World<'h>, browser: &mut Browser<'h>, (slug, email): (&str, &str)) -> Answer {
    let made = world.site.organization(slug, world.ada.id).await;
    let path = format!("/api/v1/organizations/{}/invitations", made.id);
    let (token, body) = (world.site.mint(|_| ()), json!({ "email": email }));
    let _ = world.site.call(Method::POST, &path, Some(&token), Some(body)).await.expect(201);
    browser.get(&world.mailed().await).await
}

/// Opens a mailed link that signs in.
async fn sign_in_link<'h>(world: &World<'h>, browser: &mut Browser<'h>, name: &str) -> Answer {
    let person = world.site.user(&format!("{name}-linked")).await;
    let page = world.sign_in_page(browser).await;
    let form = browser.get(&page.link("magic-link-link")).await;
    let _ = browser.submit(&form, &[("username", &person.email)]).await.expect(200);
    browser.get(&world.mailed().await).await
}

/// A form by which a script of the page asks for a challenge for a passkey.
async fn keyed<'h>(
    world: &World<'h>,
    path: &'static str,
    name: &str,
    browser: &mut Browser<'h>,
) -> (Answer, Vec<(&'static str, String)>) {
    let field = |name, value: &str| (name, value.to_owned());
    match path {
        "/auth/challenge" => (world.sign_in_page(browser).await, vec![field("method", "passkey")]),
        "/auth/verify/passkey" => {
            let _ = world.register(browser, &format!("{name}@key.example")).await.expect(200);
            (browser.get(&world.mailed().await).await, vec![field("name", "New Comer")])
        }
        "/auth/organization-invitation/passkey" => {
            let email = format!("{name}@invited.example");
            let page = invitation(world, browser, (&format!("{name}-keyed"), &email)).await;
            (page, vec![field("name", "New Comer")])
        }
        _ => {
            world.first.code_in(browser, &world.ada).await;
            let id = CredentialId::new(Timestamp::from_secs(1), &SeededEntropy::new(1)).to_string();
            let fields = vec![field("action", "remove"), field("credential", &id)];
            (browser.get(path).await, fields)
        }
    }
}

/// Opens the choice between two organizations.
async fn select_organization<'h>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    name: &str,
) -> (Answer, Vec<(&'static str, String)>) {
    let field = |name, value: &str| (name, value.to_owned());
    for slug in [format!("{name}-one"), format!("{name}-two")] {
        world.site.organization(&slug, world.ada.id).await;
    }
    let handle = format!("{name}-portal");
    let requiring = |configuration: &mut Configuration| {
        configuration.organization_usage = Some(OrganizationUsage::Require);
    };
    let app = world.site.app_with(&handle, requiring).await;
    world.first.code_in(browser, &world.ada).await;
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await;
    let own = page.body.split("name=\"organization\" value=\"").nth(1).unwrap();
    let own = own.split('"').next().unwrap();
    let fields = vec![field("decision", "continue"), field("organization", own)];
    (page, fields)
}

/// The link of a mail to the owner of an account who says that another person was in it, for a person of its own.
async fn of_mail(
    world: &World<'_>,
    name: &str,
    (path, kind, payload): (&str, LinkKind, &serde_json::Value),
) -> String {
    let (h, person) = (world.site.harness, world.site.user(name).await);
    let cx = h.operator();
    let secret = svc_keys::token(&*cx.entropy);
    let mut tx = h.app().db.begin(world.site.tenant.id).await.unwrap();
    let account = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().account_id;
    let digest = svc_keys::digest(&secret);
    address_changes::note(&mut tx, &cx, (account, digest)).await.unwrap();
    let lifetime = svc_core::Seconds(600);
    let new = links::NewLink { digest, kind, account: Some(account), payload, lifetime };
    links::create(&mut tx, &cx, new).await.unwrap();
    tx.commit().await.unwrap();
    format!("{path}?token={secret}")
}

/// The page of an authorization request with changes.
pub async fn asked<'h>(world: &World<'h>, browser: &mut Browser<'h>, changes: &[(&str, &str)]) -> Answer {
    browser.get(&world.first.authorize_path(&world.first.verifier(), changes)).await
}

#[test]
fn every_form_is_known() {
    let routes = compose::planes_of(&svc_config::Config::default());
    let hosted = routes.iter().filter(|route| matches!(route.guard, Guard::Form(_)));
    let mut paths: Vec<_> = hosted.map(|route| route.path).collect();
    let mut known = FORMS.to_vec();
    paths.sort_unstable();
    known.sort_unstable();
    assert_eq!(paths, known);
}

#[tokio::test]
async fn every_form_does_its_errand() {
    let h = Harness::with(EVERYTHING).await;
    let world = super::world(&h, "main").await;
    for path in FORMS {
        let mut errand = open(&world, path, "fine").await;
        let answer = errand.run().await;
        assert!(is_done(&answer), "{path}: {answer:?}");
        h.advance(1);
    }
    // A sign-in that passed through every page yields tokens like any other.
    let tokens = world.third.tokens(&world.ada).await;
    let (told, given) = (claims(tokens.id_token()), claims(tokens.access_token()));
    assert_eq!(told["sub"], given["sub"]);
    assert_ne!(told["sub"], world.ada.subject.as_str(), "a third party knows people by subjects of its own");
}
