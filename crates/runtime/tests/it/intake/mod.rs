//! What tenants ask their people for: documents to accept, and fields to fill in; when, on which pages, and what is kept of it.

mod account;
mod applications;
mod approving;
mod declared;
mod newcomers;
mod organizations;
mod signing_in;

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_domain::people::tenant_users::{self, Metadata};
use svc_domain::people::terms::{self, Acceptance};
use svc_http::Method;

use crate::harness::browser::Form;
use crate::harness::{Answer, Browser, Client, Code, Harness, Person, Site};

const PASSWORD: &str = "compiler nanosecond moth";

/// A version of a document that is in effect.
fn document(key: &str, label: &str, since: &str) -> Value {
    json!({
        "key": key, "label": label, "language": "en", "effective_at": since,
        "documents": {
            "en": { "title": format!("The {key} policy"), "url": format!("https://acme.example/{key}") },
            "de": { "title": format!("Die Regeln {key}"), "url": format!("https://acme.example/de/{key}") },
        },
    })
}

const LONG_AGO: &str = "2020-01-01T00:00:00Z";

/// A field for a company, with changes.
fn company(changes: &[(&str, Value)]) -> Value {
    let mut field = json!({
        "name": "company", "type": "text", "language": "en", "max_length": 20,
        "texts": { "en": { "label": "Company", "help": "Where you work" }, "de": { "label": "Firma" } },
    });
    for (member, value) in changes {
        field[*member] = value.clone();
    }
    field
}

/// Adds a record by the API; returns its id.
async fn add(site: &Site<'_>, resource: &str, body: Value) -> String {
    let token = site.mint(|_| ());
    let made = site.call(Method::POST, &format!("/api/v1/{resource}"), Some(&token), Some(body)).await;
    made.expect(201).json()["id"].as_str().unwrap().to_owned()
}

async fn add_terms(site: &Site<'_>, body: Value) -> String {
    add(site, "terms", body).await
}

async fn add_field(site: &Site<'_>, body: Value) -> String {
    add(site, "sign-up-fields", body).await
}

/// The input by which a version is accepted.
fn box_of(id: &str) -> String {
    format!("terms_{id}")
}

/// Follows an answer to the page of what is owed, where it leads there.
async fn led(browser: &mut Browser<'_>, answer: Answer) -> Answer {
    let location = answer.header("location").to_owned();
    if location.starts_with("/auth/complete?") { browser.get(&location).await } else { answer }
}

/// Signs in with a password on the way to an application, as far as the flow goes.
async fn begin<'h>(browser: &mut Browser<'h>, web: &Client<'h>, person: &Person) -> (Answer, String) {
    let verifier = web.verifier();
    let page = browser.get(&web.authorize_path(&verifier, &[])).await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    (led(browser, answer).await, verifier)
}

/// Goes to an application with the session that is there.
async fn again<'h>(browser: &mut Browser<'h>, web: &Client<'h>, changes: &[(&str, &str)]) -> Answer {
    let answer = browser.get(&web.authorize_path(&web.verifier(), changes)).await;
    led(browser, answer).await
}

/// The state that the form of a page carries.
fn state(page: &Answer) -> String {
    Form::of(page).hidden.into_iter().find(|(name, _)| name == "flow").expect("a flow").1
}

/// What a code buys.
async fn bought(web: &Client<'_>, answer: &Answer, verifier: String) -> Value {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code in {answer:?}"));
    web.exchange(&Code { code, verifier }).await.expect(200).json()
}

/// Whether a page is that of what is owed.
fn asks(page: &Answer) -> bool {
    page.status == 200 && page.body.contains("id=\"complete-submit\"")
}

/// The path of the link in the newest mail to an address.
async fn link(site: &Site<'_>, to: &str) -> String {
    let newest = site.harness.newest_mail_to(to).await;
    let link = newest.links.iter().find(|link| link.contains("?token=")).unwrap();
    link.strip_prefix(site.issuer()).unwrap().to_owned()
}

/// What is kept of the member with an address.
async fn kept(site: &Site<'_>, email: &str) -> Option<(Metadata, Vec<Acceptance>)> {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let all = tenant_users::list(&mut tx, (None, 100)).await.unwrap();
    let person = all.into_iter().find(|person| person.email.as_deref() == Some(email))?;
    let accepted = terms::accepted(&mut tx, person.id).await.unwrap();
    Some((person.metadata, accepted))
}

/// How many rows a table has.
async fn rows(h: &Harness, table: &str) -> i64 {
    let text: &'static str = Box::leak(format!("SELECT COUNT(*) AS n FROM {table}").into_boxed_str());
    let mut tx = h.app().db.read_system().await.unwrap();
    tx.one(SystemSql::new(text), args![]).await.unwrap().int("n").unwrap()
}
