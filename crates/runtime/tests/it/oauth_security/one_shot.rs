//! One-shot secrets: each kind opens its own door only, and only when it is whole (N14, N17).

use super::{FORM, mailed_secret, raw, userinfo};
use crate::harness::client::{Tokens, basic};
use crate::harness::{Answer, Browser, Client, Code, Harness, Person};

/// The doors that one-shot secrets open.
const DOORS: &[&str] = &["code", "refresh_token", "/auth/reset", "/auth/verify"];

struct World<'h> {
    app: Client<'h>,
    browser: Browser<'h>,
    /// A live secret for each door, in the same order.
    secrets: Vec<String>,
    code: Code,
}

async fn world<'h>(h: &Harness, app: Client<'h>, ada: &Person) -> World<'h> {
    let tokens = app.tokens(ada).await;
    let mut browser = app.site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[("prompt", "login")])).await.expect(200);
    let forgot = browser.get(&page.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&forgot, &[("username", &ada.username)]).await.expect(200);
    let reset = mailed_secret(h).await;
    let register = browser.get(&page.link("register-link")).await.expect(200);
    let _ = browser.submit(&register, &[("email", "new@main.example")]).await.expect(200);
    let verify = mailed_secret(h).await;
    let code = app.code(ada).await;
    let secrets = vec![code.code.clone(), tokens.refresh_token().to_owned(), reset, verify];
    World { app, browser, secrets, code }
}

/// Tries a secret at a door.
async fn knock(world: &mut World<'_>, door: &str, secret: &str) -> Answer {
    match door {
        "code" => {
            let code = Code { code: secret.to_owned(), verifier: world.code.verifier.clone() };
            world.app.exchange(&code).await
        }
        "refresh_token" => world.app.refresh(secret).await,
        path => {
            let page = world.browser.get(&format!("{path}?token={secret}")).await;
            if page.status != 200 {
                return page;
            }
            world.browser.submit(&page, &[("name", "New"), ("password", "another long passphrase")]).await
        }
    }
}

#[tokio::test]
async fn a_secret_of_one_kind_opens_no_other_door_and_loses_nothing_by_trying() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut world = world(&h, app, &ada).await;
    for (kind, secret) in world.secrets.clone().into_iter().enumerate() {
        for (number, door) in DOORS.iter().enumerate().filter(|(number, _)| *number != kind) {
            let answer = knock(&mut world, door, &secret).await;
            assert_eq!(answer.status, 400, "{} at {door}: {answer:?}", DOORS[kind]);
            if number < 2 {
                let _ = answer.expect_problem(400, "invalid_grant");
            }
        }
        for (path, form) in [("/oauth/introspect", "active"), ("/oauth/revoke", "")] {
            if kind != 1 {
                let told = world.app.post(path, &[("token", &secret)], &[]).await.expect(200).json();
                assert!(form.is_empty() || told[form] == false, "{told}");
            }
        }
    }
    // Verification first: a new password ends what the code and the refresh token stand for.
    for kind in [0, 1, 3, 2] {
        let secret = world.secrets[kind].clone();
        let answer = knock(&mut world, DOORS[kind], &secret).await;
        assert!([200, 303].contains(&answer.status), "{}: {answer:?}", DOORS[kind]);
    }
}

#[tokio::test]
async fn mailed_secrets_work_once_and_not_at_another_tenant() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut world = world(&h, app, &ada).await;
    for kind in [3, 2] {
        let (door, secret) = (DOORS[kind], world.secrets[kind].clone());
        let elsewhere = globex.browser().get(&format!("{door}?token={secret}")).await;
        assert_eq!(elsewhere.status, 400, "{elsewhere:?}");
        // A mail scanner's GETs spend nothing.
        let _ = site.browser().get(&format!("{door}?token={secret}")).await.expect(200);
        let _ = site.browser().get(&format!("{door}?token={secret}")).await.expect(200);
        assert!([200, 303].contains(&knock(&mut world, door, &secret).await.status));
        assert_eq!(knock(&mut world, door, &secret).await.status, 400);
    }
}

/// What is almost the secret.
fn mutilated(secret: &str) -> Vec<String> {
    let flipped = |text: &str| -> String {
        let flip = |char: char| {
            if char.is_ascii_lowercase() { char.to_ascii_uppercase() } else { char.to_ascii_lowercase() }
        };
        text.chars().map(flip).collect()
    };
    let mut all: Vec<_> =
        [1, 2, 3, 8, 21, 42].map(|cut| secret[..secret.len() - cut.min(secret.len() - 1)].to_owned()).into();
    all.extend([secret[1..].to_owned(), flipped(secret), secret.to_uppercase(), secret.to_lowercase()]);
    all.extend(["=", "==", "A", ".", " ", "\n", "\u{200b}", "%00"].map(|tail| format!("{secret}{tail}")));
    all.extend([" ", "A"].map(|head| format!("{head}{secret}")));
    all.extend([format!("{secret}{secret}"), secret.chars().rev().collect()]);
    all.retain(|other| other != secret);
    all
}

#[tokio::test]
async fn nothing_but_the_whole_secret_is_the_secret() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut world = world(&h, app, &ada).await;
    for (door, secret) in DOORS.iter().zip(world.secrets.clone()).take(2) {
        for bad in mutilated(&secret) {
            let _ = knock(&mut world, door, &bad).await.expect_problem(400, "invalid_grant");
        }
        let _ = knock(&mut world, door, &secret).await.expect(200);
    }
}

#[tokio::test]
async fn nothing_but_the_whole_token_is_the_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let is_sendable =
        |text: &String| text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text;
    for bad in mutilated(tokens.access_token()).into_iter().filter(is_sendable) {
        let _ = userinfo(&site, &bad).await.expect_problem(401, "invalid_token");
        let told = app.post("/oauth/introspect", &[("token", &bad)], &[]).await.expect(200).json();
        assert_eq!(told, serde_json::json!({ "active": false }), "{bad}");
    }
    let _ = userinfo(&site, tokens.access_token()).await.expect(200);
}

#[tokio::test]
async fn nothing_but_the_whole_client_id_and_secret_authenticates() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = Tokens { response: app.tokens(&ada).await.response };
    let secret = app.secret.clone().unwrap();
    let ids = mutilated(&app.id).into_iter().map(|id| (id, secret.clone()));
    let secrets = mutilated(&secret).into_iter().map(|secret| (app.id.clone(), secret));
    let body = format!("grant_type=refresh_token&refresh_token={}", tokens.refresh_token());
    for (id, secret) in ids.chain(secrets) {
        let authorization = basic(&id, &secret);
        let answer =
            raw(&site, "/oauth/token", &[FORM, ("authorization", authorization.as_bytes())], body.clone())
                .await;
        let _ = answer.expect_problem(401, "invalid_client");
    }
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}
