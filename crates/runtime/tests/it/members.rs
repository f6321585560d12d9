//! Tenant users as administrators make, invite, change and help them, and what operators take away from tenants and accounts.

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_runtime::admin::{self, AdminCommand};

use crate::changes::left_by;
use crate::harness::{Answer, Client, Harness, Person, Site};

const USERS: &str = "/api/v1/tenant-users";

async fn create(site: &Site<'_>, body: Value) -> Answer {
    site.call(Method::POST, USERS, Some(&site.mint(|_| ())), Some(body)).await
}

async fn post(site: &Site<'_>, id: &Value, below: &str) -> Answer {
    let path = format!("{USERS}/{}/{below}", id.as_str().unwrap());
    site.call(Method::POST, &path, Some(&site.mint(|_| ())), None).await
}

async fn read(site: &Site<'_>, id: &Value) -> Value {
    let path = format!("{USERS}/{}", id.as_str().unwrap());
    site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json()
}

/// Follows the link of the newest mail, and fills the form behind it.
async fn follow(h: &Harness, site: &Site<'_>, fields: &[(&str, &str)]) -> Answer {
    let mail = h.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap().to_owned();
    let mut browser = site.browser();
    let page = browser.get(link.strip_prefix(site.issuer()).unwrap()).await.expect(200);
    browser.submit(&page, fields).await
}

fn signing_in(created: &Value, password: &str) -> Person {
    let email = created["email"].as_str().unwrap_or_default().to_owned();
    let username = created["username"].as_str().map_or_else(|| email.clone(), str::to_owned);
    let id = created["id"].as_str().unwrap().parse().unwrap();
    Person {
        id,
        username,
        email,
        password: password.to_owned(),
        subject: created["sub"].as_str().unwrap().to_owned(),
    }
}

#[tokio::test]
async fn an_invited_person_chooses_a_password_behind_the_link_and_becomes_active() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let body = json!({ "email": "Grace@new.example", "roles": ["editor"], "invite": true });
    let created = create(&site, body.clone()).await.expect(201).json();
    assert_eq!((&created["status"], &created["roles"]), (&json!("invited"), &json!(["editor"])));
    let _ = create(&site, body).await.expect_problem(409, "conflict");
    assert_eq!(h.mails().await[0].subject, "Tenant main invites you");
    let password = "compiler nanosecond moth";
    let _ = follow(&h, &site, &[("password", password)]).await.expect(200);
    let now = read(&site, &created["id"]).await;
    assert_eq!((&now["status"], &now["email_verified"]), (&json!("active"), &json!(true)));
    let tokens = site.app("web").await.tokens(&signing_in(&created, password)).await;
    assert!(!tokens.access_token().is_empty());
    let _ = post(&site, &created["id"], "invitation").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn an_invitation_of_a_known_account_shows_nothing_of_it_and_leaves_its_password() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    site.role("editor", &[]).await;
    let ada = other.user("ada").await;
    let refused = create(&site, json!({ "email": ada.email })).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("invite its owner"), "{refused:?}");
    let created =
        create(&site, json!({ "email": ada.email, "name": "Eve", "invite": true })).await.expect(201);
    let created = created.json();
    assert_eq!((&created["name"], &created["status"]), (&Value::Null, &json!("invited")));
    assert_eq!(created["email_verified"], json!(false));
    let path = format!("{USERS}/{}", created["id"].as_str().unwrap());
    let (token, roles) = (site.mint(|_| ()), json!({ "roles": ["editor"] }));
    let changed = site.call(Method::PUT, &path, Some(&token), Some(roles)).await.expect(200).json();
    assert_eq!(changed["roles"], json!(["editor"]));
    let _ = follow(&h, &site, &[]).await.expect(200);
    let now = read(&site, &created["id"]).await;
    assert_eq!((&now["name"], &now["status"]), (&json!("ada of other"), &json!("active")));
    site.app("web").await.tokens(&signing_in(&created, &ada.password)).await;
    let path = format!("{USERS}/{}/password", created["id"].as_str().unwrap());
    let taken = json!({ "password": "relay moth compiler" });
    let refused = site.call(Method::PUT, &path, Some(&site.mint(|_| ())), Some(taken)).await;
    let _ = refused.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_person_is_mailed_a_few_invitations_an_hour_also_where_they_were_removed_in_between() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = json!({ "email": "grace@new.example", "invite": true });
    let created = create(&site, grace.clone()).await.expect(201).json();
    for _ in 0..4 {
        let _ = post(&site, &created["id"], "invitation").await.expect(204);
    }
    let limited = post(&site, &created["id"], "invitation").await.expect_problem(429, "rate_limited");
    assert_eq!(limited.header("retry-after"), "3600");
    let path = format!("{USERS}/{}", created["id"].as_str().unwrap());
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    let _ = create(&site, grace.clone()).await.expect_problem(429, "rate_limited");
    assert_eq!(h.mails().await.len(), 5);
    h.advance(3601);
    let _ = create(&site, grace).await.expect(201);
}

#[tokio::test]
async fn a_tenant_has_as_many_open_invitations_as_the_deployment_allows() {
    let h = Harness::with(&[("SVC_INVITATIONS__MAX_OPEN_PER_TENANT", "2")]).await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let invite = async |site: &Site<'_>, name: &str| {
        create(site, json!({ "email": format!("{name}@new.example"), "invite": true })).await
    };
    let first = invite(&site, "grace").await.expect(201).json();
    let _ = invite(&site, "ada").await.expect(201);
    let refused = invite(&site, "eve").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("invitations.max_open_per_tenant"), "{refused:?}");
    assert_eq!(h.mails().await.len(), 2);
    // Other tenants have their own, and who is no invitation is not counted.
    let _ = invite(&other, "eve").await.expect(201);
    let _ = create(&site, json!({ "username": "mallory" })).await.expect(201);
    let path = format!("{USERS}/{}", first["id"].as_str().unwrap());
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    let _ = invite(&site, "eve").await.expect(201);
}

#[tokio::test]
async fn invitations_at_once_do_not_outrun_their_number() {
    let h = Harness::with(&[("SVC_INVITATIONS__MAX_OPEN_PER_TENANT", "3")]).await;
    let site = h.tenant("main").await;
    let invite = async |number: usize| {
        create(&site, json!({ "email": format!("guest{number}@new.example"), "invite": true })).await
    };
    let answers = join_all((0..20).map(invite)).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (3, 17));
    for answer in refused {
        let _ = answer.expect_problem(409, "conflict");
    }
    assert_eq!(h.mails().await.len(), 3);
}

#[tokio::test]
async fn a_tenant_sets_the_password_of_an_account_that_it_manages_until_another_tenant_has_it() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let new = json!({ "email": "grace@new.example", "username": "grace", "name": "Grace" });
    let created = create(&site, new).await.expect(201).json();
    assert_eq!(created["status"], "active");
    let path = format!("{USERS}/{}/password", created["id"].as_str().unwrap());
    let set = async |password: &str, token: String| {
        site.call(Method::PUT, &path, Some(&token), Some(json!({ "password": password }))).await
    };
    let password = "relay moth compiler";
    let _ = set("password", site.mint(|_| ())).await.expect_problem(400, "bad_request");
    let _ = set(password, site.mint(|_| ())).await.expect(204);
    site.app("web").await.tokens(&signing_in(&created, password)).await;
    let invited = create(&other, json!({ "email": "grace@new.example", "invite": true })).await;
    let _ = invited.expect(201);
    let _ = set("another moth compiler", site.mint(|_| ())).await.expect(204);
    let _ = follow(&h, &other, &[("password", "grace her own first one")]).await.expect(200);
    let _ = set("a third moth compiler", site.mint(|_| ())).await.expect_problem(403, "forbidden");
    let change = json!({ "name": "Eve" });
    let user = format!("{USERS}/{}", created["id"].as_str().unwrap());
    let refused = site.call(Method::PATCH, &user, Some(&site.mint(|_| ())), Some(change)).await;
    let _ = refused.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_password_of_the_tenant_that_manages_an_account_opens_it_nowhere_else() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let email = "grace@new.example";
    let created = create(&site, json!({ "email": email })).await.expect(201).json();
    // Grace proves her address, and the account is managed still.
    let _ = post(&site, &created["id"], "recovery").await.expect(204);
    let _ = follow(&h, &site, &[("password", "grace her own first one")]).await.expect(200);
    let path = format!("{USERS}/{}/password", created["id"].as_str().unwrap());
    let chosen = json!({ "password": "known to main alone" });
    let _ = site.call(Method::PUT, &path, Some(&site.mint(|_| ())), Some(chosen)).await.expect(204);
    h.advance(1);
    // She registers at the other tenant: the link asks for a password of her own.
    let web = other.app("web").await;
    let mut browser = other.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[("prompt", "create")])).await.expect(200);
    let _ = browser.submit(&page, &[("email", email)]).await.expect(200);
    let mail = h.mails().await.remove(0);
    let link = mail.text.split_whitespace().find(|word| word.contains("?token=")).unwrap().to_owned();
    let page = browser.get(link.strip_prefix(other.issuer()).unwrap()).await.expect(200);
    let done = browser.submit(&page, &[("password", "grace her own second one")]).await;
    assert!(done.is_signed_in(), "{done:?}");
    for (password, enters) in [("known to main alone", false), ("grace her own second one", true)] {
        let mut browser = other.browser();
        let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
        let answer = browser.submit(&page, &[("username", email), ("password", password)]).await;
        assert_eq!(answer.is_signed_in(), enters, "{password}: {answer:?}");
    }
    let taken = json!({ "password": "main tries once again" });
    let refused = site.call(Method::PUT, &path, Some(&site.mint(|_| ())), Some(taken)).await;
    let _ = refused.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_caller_gives_no_role_and_takes_over_no_person_beyond_its_own() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let weak = || site.mint(|claims| claims["scope"] = json!("tenant-users:write tenant-users:read"));
    let call = async |method: Method, path: &str, body: Value| {
        site.call(method, path, Some(&weak()), Some(body)).await
    };
    let admin = json!({ "username": "eve", "roles": [ADMIN] });
    let _ = call(Method::POST, USERS, admin).await.expect_problem(403, "insufficient_scope");
    let plain = call(Method::POST, USERS, json!({ "username": "eve" })).await.expect(201).json();
    let path = format!("{USERS}/{}", plain["id"].as_str().unwrap());
    let raised = call(Method::PATCH, &path, json!({ "roles": [ADMIN] })).await;
    let _ = raised.expect_problem(403, "insufficient_scope");
    let strong = create(&site, json!({ "username": "root", "roles": [ADMIN] })).await.expect(201).json();
    let path = format!("{USERS}/{}/password", strong["id"].as_str().unwrap());
    let taken = call(Method::PUT, &path, json!({ "password": "relay moth compiler" })).await;
    let _ = taken.expect_problem(403, "insufficient_scope");
    let invited = json!({ "email": "grace@new.example", "roles": [ADMIN], "invite": true });
    let invited = create(&site, invited).await.expect(201).json();
    let path = format!("{USERS}/{}/invitation", invited["id"].as_str().unwrap());
    let again = site.call(Method::POST, &path, Some(&weak()), None).await;
    let _ = again.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn a_tenant_makes_no_one_active_who_has_not_agreed_to_the_membership() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let ada = other.user("ada").await;
    let created = create(&site, json!({ "email": ada.email, "invite": true })).await.expect(201).json();
    let _ = post(&site, &created["id"], "reactivate").await.expect_problem(409, "conflict");
    let now = read(&site, &created["id"]).await;
    assert_eq!((&now["status"], &now["name"]), (&json!("invited"), &Value::Null));
}

#[tokio::test]
async fn a_tenant_user_changes_by_its_version() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (created, _) =
        (create(&site, json!({ "username": "grace" })).await.expect(201).json(), site.user("ada").await);
    site.role("editor", &[]).await;
    let path = format!("{USERS}/{}", created["id"].as_str().unwrap());
    let token = site.mint(|_| ());
    let change = json!({ "username": "hopper", "name": "Grace Hopper", "roles": ["editor"] });
    let changed = site.call(Method::PATCH, &path, Some(&token), Some(change)).await.expect(200).json();
    assert_eq!(
        (&changed["username"], &changed["name"], &changed["roles"]),
        (&json!("hopper"), &json!("Grace Hopper"), &json!(["editor"]))
    );
    let taken = site.call(Method::PATCH, &path, Some(&token), Some(json!({ "username": "ADA" }))).await;
    assert!(taken.expect_problem(409, "conflict").body.contains("username"));
    let many: Vec<_> = (0..101).map(|number| number.to_string()).collect();
    let refused = site.call(Method::PATCH, &path, Some(&token), Some(json!({ "roles": many }))).await;
    let _ = refused.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn an_administrator_mails_a_person_the_link_to_a_new_password_and_learns_nothing_of_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let answer = post(&site, &json!(ada.id), "recovery").await.expect(204);
    assert_eq!(answer.body, "");
    assert_eq!(h.mails().await[0].subject, "Tenant main: choose a new password");
    let password = "compiler nanosecond moth";
    let _ = follow(&h, &site, &[("password", password)]).await.expect(200);
    site.app("web").await.tokens(&Person { password: password.to_owned(), ..ada.clone() }).await;
    let _ = post(&site, &json!(ada.id), "suspend").await.expect(200);
    let _ = post(&site, &json!(ada.id), "recovery").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn of_a_removed_person_the_metadata_alone_is_changed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let path = format!("{USERS}/{}", site.user("ada").await.id);
    let call = async |method: Method, body: Option<Value>| {
        site.call(method, &path, Some(&site.mint(|_| ())), body).await
    };
    let _ = call(Method::DELETE, None).await.expect(204);
    let refused = call(Method::PATCH, Some(json!({ "name": "Eve" }))).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("only metadata is still changed"), "{refused:?}");
    let _ = call(Method::PATCH, Some(json!({ "public_metadata": { "left": 2027 } }))).await.expect(200);
}

/// The names in a list, or the status where it is refused.
async fn listed(site: &Site<'_>, path: &str, member: &str) -> Result<Vec<String>, u16> {
    let answer = site.call(Method::GET, path, Some(&site.mint(|_| ())), None).await;
    if answer.status != 200 {
        return Err(answer.status);
    }
    let document = answer.json();
    let data = document["data"].as_array().unwrap().iter();
    Ok(data.map(|record| record[member].as_str().unwrap().to_owned()).collect())
}

#[tokio::test]
async fn lists_find_records_by_what_names_them_and_refuse_what_they_do_not_know() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let _ = (site.app("web").await, site.app("shop").await);
    site.api("https://notes.example", &["notes:read"]).await;
    let _ = post(&site, &json!(bob.id), "suspend").await.expect(200);
    let ours = site.tenant.api_audience();
    for (path, member, expected) in [
        (format!("{USERS}?email={}", ada.email.to_uppercase()), "username", vec!["ada"]),
        (format!("{USERS}?username=BOB"), "username", vec!["bob"]),
        (format!("{USERS}?username=bob&status=suspended"), "username", vec!["bob"]),
        (format!("{USERS}?username=bob&email={}", ada.email), "username", vec![]),
        (format!("{USERS}?username=ada&status=suspended"), "username", vec![]),
        (format!("{USERS}?status=active"), "username", vec!["ada"]),
        ("/api/v1/applications?handle=shop".to_owned(), "handle", vec!["shop"]),
        ("/api/v1/applications?handle=none".to_owned(), "handle", vec![]),
        (format!("/api/v1/apis?identifier={ours}"), "identifier", vec![ours.as_str()]),
        (
            "/api/v1/apis?identifier=https://notes.example".to_owned(),
            "identifier",
            vec!["https://notes.example"],
        ),
        ("/api/v1/trusted-issuers?issuer=https://other.example".to_owned(), "issuer", vec![]),
    ] {
        assert_eq!(listed(&site, &path, member).await.unwrap(), expected, "{path}");
    }
    for path in [format!("{USERS}?name=ada"), "/api/v1/applications?name=Shop".to_owned()] {
        assert_eq!(listed(&site, &path, "id").await, Err(400), "{path}");
    }
}

/// Whether an access token and a refresh token still count.
async fn count(app: &Client<'_>, access_token: &str, refresh_token: &str) -> [u16; 2] {
    let info = app.site.call(Method::GET, "/userinfo", Some(access_token), None).await.status;
    [info, app.refresh(refresh_token).await.status]
}

#[tokio::test]
async fn all_sessions_of_a_person_end_at_once_with_every_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let path = format!("{USERS}/{}/sessions", ada.id);
    let token = site.mint(|_| ());
    let _ = site.call(Method::DELETE, &path, Some(&token), None).await.expect(204);
    assert_eq!(count(&app, tokens.access_token(), tokens.refresh_token()).await, [401, 400]);
    let left = site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
    assert_eq!(left["data"], json!([]));
}

#[tokio::test]
async fn an_administrator_lists_and_takes_back_what_a_person_has_allowed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("third", |app| app.first_party = false).await;
    let ada = site.user("ada").await;
    let tokens = app.tokens(&ada).await;
    let path = format!("{USERS}/{}/consents", ada.id);
    let token = site.mint(|_| ());
    let listed = site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
    let [consent] = listed["data"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&consent["application_id"], &consent["audience"]), (&json!(app.id), &json!(site.issuer())));
    let one = format!("{path}/{}", app.id);
    let _ = site.call(Method::DELETE, &one, Some(&token), None).await.expect(204);
    assert_eq!(count(&app, tokens.access_token(), tokens.refresh_token()).await, [401, 400]);
    let _ = site.call(Method::DELETE, &one, Some(&token), None).await.expect_problem(404, "not_found");
}

async fn operate(h: &Harness, command: AdminCommand) -> Result<String, String> {
    let done = admin::execute(&command, &h.app().db, &h.operator()).await;
    done.map_err(|failure| failure.to_string())
}

#[tokio::test]
async fn a_suspended_tenant_answers_nothing_and_gets_nothing_back_but_itself() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("acme").await, h.tenant("other").await);
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let code = app.code_in(&mut browser, &ada).await;
    let tokens = app.tokens(&ada).await;
    let slug = || "acme".to_owned();
    let suspend = || AdminCommand::SuspendTenant { slug: slug() };
    assert_eq!(operate(&h, suspend()).await.unwrap(), "tenant acme: suspended");
    assert_eq!(operate(&h, suspend()).await.unwrap(), "tenant acme: suspended already");
    let _ = site.get("/.well-known/openid-configuration").await.expect(404);
    let _ = app.refresh(tokens.refresh_token()).await.expect(404);
    let _ = other.get("/.well-known/openid-configuration").await.expect(200);
    h.advance(1);
    let reactivate = AdminCommand::ReactivateTenant { slug: slug() };
    assert_eq!(operate(&h, reactivate).await.unwrap(), "tenant acme: active");
    assert_eq!(count(&app, tokens.access_token(), tokens.refresh_token()).await, [401, 400]);
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\""), "the session is over");
    let again = app.tokens(&ada).await;
    assert_eq!(count(&app, again.access_token(), again.refresh_token()).await, [200, 200]);
    let unknown = operate(&h, AdminCommand::SuspendTenant { slug: "none".to_owned() }).await;
    assert_eq!(unknown.unwrap_err(), "there is no tenant \"none\"");
}

#[tokio::test]
async fn a_disabled_account_is_out_everywhere_and_starts_afresh_when_it_is_enabled() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    h.advance(1);
    let email = || ada.email.clone();
    let mut disabled = None;
    let disabling = async {
        disabled = Some(operate(&h, AdminCommand::DisableAccount { email: email() }).await);
    };
    let [_, events] = left_by(&h, disabling).await;
    assert!(events.contains(&"account.disabled".to_owned()), "{events:?}");
    assert_eq!(disabled.unwrap().unwrap(), format!("account {}: disabled", ada.email));
    assert_eq!(count(&app, tokens.access_token(), tokens.refresh_token()).await, [401, 400]);
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let refused = browser.submit(&page, &fields).await.expect(200);
    assert!(refused.body.contains("id=\"login-submit\""), "{refused:?}");
    h.advance(1);
    let [_, events] = left_by(&h, operate(&h, AdminCommand::EnableAccount { email: email() })).await;
    assert!(events.contains(&"account.enabled".to_owned()), "{events:?}");
    assert_eq!(count(&app, tokens.access_token(), tokens.refresh_token()).await, [401, 400]);
    h.advance(1);
    let again = app.tokens(&ada).await;
    assert_eq!(count(&app, again.access_token(), again.refresh_token()).await, [200, 200]);
}

#[tokio::test]
async fn a_tenant_sees_no_more_of_the_account_of_a_person_whom_it_has_removed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let created =
        create(&site, json!({ "email": "grace@new.example", "username": "grace", "name": "Grace" }))
            .await
            .expect(201)
            .json();
    let path = format!("{USERS}/{}", created["id"].as_str().unwrap());
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    let one = read(&site, &created["id"]).await;
    let all =
        site.call(Method::GET, &format!("{USERS}?status=removed"), Some(&site.mint(|_| ())), None).await;
    for left in [&one, &all.expect(200).json()["data"][0]] {
        assert_eq!((&left["id"], &left["sub"]), (&created["id"], &created["sub"]));
        assert_eq!((&left["username"], &left["status"]), (&json!("grace"), &json!("removed")));
        assert_eq!([&left["email"], &left["name"]], [&Value::Null; 2], "{left}");
        assert_eq!(left["email_verified"], false, "{left}");
    }
}

#[tokio::test]
async fn roles_that_were_taken_since_a_record_was_read_are_not_given_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let eve = site.user_with_roles("eve", &[ADMIN]).await;
    let cx = h.operator();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let read = tenant_users::find(&mut tx, eve.id).await.unwrap().unwrap();
    assert!(tenant_users::set_roles(&mut tx, &cx, &read, &[]).await.unwrap());
    assert!(!tenant_users::set_roles(&mut tx, &cx, &read, &read.own_roles).await.unwrap());
    let wider = [ADMIN.to_owned(), "editor".to_owned()];
    assert!(tenant_users::set_roles(&mut tx, &cx, &read, &wider).await.is_err());
    assert!(tenant_users::find(&mut tx, eve.id).await.unwrap().unwrap().own_roles.is_empty());
}
