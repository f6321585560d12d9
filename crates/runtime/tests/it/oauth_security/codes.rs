//! Authorization codes: one use, one application, one address, one minute (N12, N13, N15).

use futures_util::future::join_all;
use svc_db::quiet_system_sql;

use super::{events, refusals, userinfo};
use crate::harness::client::Tokens;
use crate::harness::{Answer, Client, Code, Harness};

#[track_caller]
fn refused(answer: Answer) {
    let _ = answer.expect_problem(400, "invalid_grant");
}

async fn is_dead(client: &Client<'_>, tokens: &Tokens) {
    let _ = userinfo(&client.site, tokens.access_token()).await.expect_problem(401, "invalid_token");
    refused(client.refresh(tokens.refresh_token()).await);
}

#[tokio::test]
async fn an_authenticated_stranger_gets_nothing_burns_the_code_and_is_reported() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, stranger, ada) = (site.app("web").await, site.app("stranger").await, site.user("ada").await);
    let code = app.code(&ada).await;
    refused(stranger.exchange_with(&code, &[("redirect_uri", app.redirect_uri())]).await);
    assert_eq!(events(&h, "security.suspicious_activity").await, 1);
    assert_eq!(refusals(&h, "token.refused").await, 1);
    refused(app.exchange(&code).await);
}

#[tokio::test]
async fn a_code_that_was_stored_while_its_session_ended_buys_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    // As if the person had signed out after their session was looked at, and before the code was there to be taken away.
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(quiet_system_sql!("a test", "UPDATE sessions SET ended_at = created_at"), &[]).await.unwrap();
    tx.commit().await.unwrap();
    refused(app.exchange(&code).await);
}

#[tokio::test]
async fn a_client_that_proves_nothing_cannot_burn_a_code() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let mut impostor = app.clone();
    impostor.secret = Some("guessed".to_owned());
    let _ = impostor.exchange(&code).await.expect_problem(401, "invalid_client");
    let address = [("redirect_uri", app.redirect_uri())];
    refused(site.public_app("spa").await.exchange_with(&code, &address).await);
    refused(globex.app("web").await.exchange_with(&code, &address).await);
    let mut elsewhere = app.clone();
    elsewhere.site = globex.clone();
    let _ = elsewhere.exchange(&code).await.expect_problem(401, "invalid_client");
    let _ = app.exchange(&code).await.expect(200);
}

#[tokio::test]
async fn the_address_must_be_the_one_that_the_code_was_sent_to() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("web", |configuration| {
        configuration.redirect_uris.push("https://web.app.example/second".to_owned());
    });
    let (app, ada) = (app.await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    for address in
        ["https://web.app.example/second", "https://evil.example/", "https://web.app.example/callback/", ""]
    {
        let code = app.code_in(&mut browser, &ada).await;
        let answer = app.exchange_with(&code, &[("redirect_uri", address)]).await;
        let shown = format!("sent: {address}; expected: {}", app.redirect_uri());
        assert!(answer.json()["detail"].as_str().unwrap().ends_with(&shown), "{answer:?}");
        refused(answer);
        refused(app.exchange(&code).await);
    }
}

#[tokio::test]
async fn a_second_use_ends_what_the_first_yielded_whenever_it_comes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for seconds in [0, 30, 59, 60, 600] {
        let code = app.code(&ada).await;
        let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
        h.advance(seconds);
        refused(app.exchange(&code).await);
        is_dead(&app, &tokens).await;
    }
    assert_eq!(events(&h, "security.suspicious_activity").await, 5);
}

#[tokio::test]
async fn a_client_that_repeats_a_used_code_is_reported_once_and_then_counted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    for _ in 0..25 {
        refused(app.exchange(&code).await);
    }
    is_dead(&app, &tokens).await;
    assert_eq!(events(&h, "security.suspicious_activity").await, 1);
    // The second use, and of the twenty-four after it the first and the tenth; that of the dead refresh token is the
    // first of another grant.
    assert_eq!(refusals(&h, "token.refused").await, 4);
}

#[tokio::test]
async fn a_refreshed_family_dies_with_its_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let first = Tokens { response: app.exchange(&code).await.expect(200).json() };
    h.advance(20);
    let second = Tokens { response: app.refresh(first.refresh_token()).await.expect(200).json() };
    refused(app.exchange(&code).await);
    is_dead(&app, &second).await;
    let _ = userinfo(&site, first.access_token()).await.expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn a_strangers_second_use_does_not_end_the_owners_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, stranger, ada) = (site.app("web").await, site.app("stranger").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    refused(stranger.exchange_with(&code, &[("redirect_uri", app.redirect_uri())]).await);
    let _ = userinfo(&site, tokens.access_token()).await.expect(200);
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn of_fifty_at_once_one_wins() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let answers = join_all((0..50).map(|_| app.exchange(&code))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 49));
    lost.into_iter().for_each(refused);
    is_dead(&app, &Tokens { response: won[0].json() }).await;
}

#[tokio::test]
async fn a_code_ends_at_the_very_second() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    for (seconds, status) in [(0, 200), (59, 200), (60, 400), (61, 400), (86_400, 400)] {
        let code = app.code(&ada).await;
        h.advance(seconds);
        let answer = app.exchange(&code).await;
        assert_eq!(answer.status, status, "{seconds}: {answer:?}");
        if status == 400 {
            refused(answer);
        }
    }
}

#[tokio::test]
async fn a_code_does_not_outlive_the_restart_of_its_spender() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let (spent, live) = (app.code(&ada).await, app.code(&ada).await);
    let tokens = Tokens { response: app.exchange(&spent).await.expect(200).json() };
    let restarted = h.restarted().await;
    let mut app = app.clone();
    app.site.harness = &restarted;
    let _ = app.exchange(&live).await.expect(200);
    refused(app.exchange(&spent).await);
    is_dead(&app, &tokens).await;
}

#[tokio::test]
async fn codes_that_never_were_are_unknown() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for code in ["A", &"A".repeat(43), &"A".repeat(10_000), "' OR 1=1 --", "\u{202e}", "../../x"] {
        refused(app.exchange(&Code { code: code.to_owned(), verifier: app.verifier() }).await);
    }
    let none = Code { code: String::new(), verifier: app.verifier() };
    let _ = app.exchange(&none).await.expect_problem(400, "invalid_request");
}
