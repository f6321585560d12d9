//! Sign-in with accounts of Ethereum: keys that sign in the test, and contracts at a node on this machine.

mod contracts;
mod linked;
mod node;
mod refused;
mod sign_in;

use serde_json::{Value, json};
use svc_testkit::Wallet;

use self::node::Node;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness};

/// Switches it on.
pub const ON: (&str, &str) = ("SVC_SIWE__ENABLED", "true");

/// A service that knows one chain, and the node of that.
async fn with_chain(more: &[(&str, &str)]) -> (Harness, Node) {
    let node = Node::serve(1).await;
    let chains = json!([{ "name": "main", "chain_id": 1, "rpc_url": node.url }]).to_string();
    let settings: Vec<_> = [ON, ("SVC_CHAINS", &chains)].into_iter().chain(more.iter().copied()).collect();
    (Harness::with(&settings).await, node)
}

/// The page that asks for the address.
async fn form(browser: &mut Browser<'_>, client: &Client<'_>) -> Answer {
    let page = browser.get(&client.authorize_path(&"v".repeat(43), &[])).await.expect(200);
    browser.get(&page.link("siwe-link")).await.expect(200)
}

/// The page that shows the message for an address.
async fn asked(browser: &mut Browser<'_>, client: &Client<'_>, address: &str) -> Answer {
    let form = form(browser, client).await;
    browser.submit(&form, &[("address", address)]).await.expect(200)
}

/// The message on a page.
fn message(page: &Answer) -> String {
    let area = page.body.split("<textarea").nth(1).unwrap_or_else(|| panic!("no message in {page:?}"));
    let text = area.split_once('>').unwrap().1.split("</textarea>").next().unwrap();
    text.replace("&#x2f;", "/").replace("&#x27;", "'").replace("&amp;", "&")
}

/// Sends a signature.
async fn send(browser: &mut Browser<'_>, page: &Answer, signature: &str) -> Answer {
    browser.submit(page, &[("signature", signature)]).await
}

/// Signs in with a wallet.
pub async fn enter(browser: &mut Browser<'_>, client: &Client<'_>, wallet: &Wallet) -> Answer {
    let page = asked(browser, client, &wallet.address()).await;
    let signature = wallet.sign(&message(&page));
    send(browser, &page, &signature).await
}

/// What the ID token says that an answer brings.
async fn told(client: &Client<'_>, answer: &Answer) -> Value {
    let code = Code { code: answer.redirect_param("code").unwrap(), verifier: "v".repeat(43) };
    claims(client.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap())
}

/// The answer says this and begins no session.
#[track_caller]
fn is_refused(answer: &Answer, (status, text): (u16, &str)) {
    assert!(!answer.begins_session(), "{answer:?}");
    assert!(answer.status == status && answer.body.contains(text), "{status} {text}: {answer:?}");
}

const FAILED: (u16, &str) = (200, "The signature is not one of that account");
const LATE: (u16, &str) = (200, "That message is too old or was used before");
