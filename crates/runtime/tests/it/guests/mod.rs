//! Guests: people who go on without saying who they are, what they get, what they are refused, and how they keep the account.

mod ending;
mod entering;
mod hostile;
mod keeping;
mod limits;

use serde_json::Value;

use crate::harness::browser::Form;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness, Site};

const ON: (&str, &str) = ("SVC_ANONYMOUS__ENABLED", "true");
const BUTTON: &str = "id=\"anonymous-submit\"";
const PASSWORD: &str = "correct horse of a guest";

async fn harness() -> Harness {
    Harness::with(&[ON]).await
}

/// A tenant with an application.
async fn world(h: &Harness) -> (Site<'_>, Client<'_>) {
    let site = h.tenant("main").await;
    let client = site.app("web").await;
    (site, client)
}

/// The state that the forms of a page carry.
fn flow_of(page: &Answer) -> String {
    Form::of(page).hidden.into_iter().find(|(name, _)| name == "flow").expect("a flow").1
}

/// Presses the button of a sign-in page.
async fn press(browser: &mut Browser<'_>, page: &Answer) -> Answer {
    browser.post("/auth/sign-in", &[("flow", &flow_of(page)), ("method", "anonymous")]).await
}

/// What a code buys.
async fn bought(client: &Client<'_>, answer: &Answer, verifier: String) -> Value {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code in {answer:?}"));
    client.exchange(&Code { code, verifier }).await.expect(200).json()
}

/// Goes on as a guest; returns the tokens.
async fn enter<'h>(browser: &mut Browser<'h>, client: &Client<'h>) -> Value {
    let verifier = client.verifier();
    let page = browser.get(&client.authorize_path(&verifier, &[])).await.expect(200);
    assert!(page.body.contains(BUTTON), "{page:?}");
    let answer = press(browser, &page).await;
    assert!(answer.begins_session() && answer.is_signed_in(), "{answer:?}");
    bought(client, &answer, verifier).await
}

/// A request that shows no page.
async fn silent<'h>(browser: &mut Browser<'h>, client: &Client<'h>) -> Result<Value, String> {
    let verifier = client.verifier();
    let answer = browser.get(&client.authorize_path(&verifier, &[("prompt", "none")])).await.expect(303);
    match answer.redirect_param("error") {
        Some(error) => Err(error),
        None => Ok(bought(client, &answer, verifier).await),
    }
}

fn access(tokens: &Value) -> Value {
    claims(tokens["access_token"].as_str().unwrap())
}

/// Asks on the page of the account centre for the mail by which the account is kept.
async fn asked(browser: &mut Browser<'_>, email: &str) -> Answer {
    let page = browser.get("/account/keep").await.expect(200);
    browser.submit(&page, &[("email", email)]).await.expect(200)
}

/// The path of the link in the newest mail to an address.
async fn link(site: &Site<'_>, to: &str) -> String {
    let newest = site.harness.newest_mail_to(to).await;
    let link = newest.links.iter().find(|link| link.contains("?token=")).unwrap();
    link.strip_prefix(site.issuer()).unwrap().to_owned()
}

/// Chooses name and password behind a link.
async fn choose(browser: &mut Browser<'_>, path: &str) -> Answer {
    let page = browser.get(path).await.expect(200);
    browser.submit(&page, &[("name", "Grace Hopper"), ("password", PASSWORD)]).await
}

/// Keeps the account by an address and a password.
async fn keep(browser: &mut Browser<'_>, email: &str) -> Answer {
    let _ = asked(browser, email).await;
    let path = link(&browser.site.clone(), email).await;
    choose(browser, &path).await
}
