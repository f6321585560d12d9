//! Guardians whom a person has chosen recover the account together, and no one else does.

mod abuse;
mod browsers;
mod choosing;
mod ended;
mod hiding;
mod recovering;

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_domain::people::tenant_users::{self, Status};
use svc_http::Method;

use super::own;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const HOUR: i64 = 3600;
const NEW_PASSWORD: &str = "compiler nanosecond moth";

async fn harness() -> Harness {
    harness_with(&[]).await
}

async fn harness_with(settings: &[(&str, &str)]) -> Harness {
    let enabled = ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true");
    Harness::with(&[&[enabled][..], settings].concat()).await
}

/// A person with guardians.
struct Circle<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
    guardians: Vec<Person>,
}

impl<'h> Circle<'h> {
    /// Ada with three guardians, two of whom are needed.
    async fn of(h: &'h Harness) -> Self {
        let site = h.tenant("main").await;
        let (web, ada) = (site.app("web").await, site.user("ada").await);
        let mut guardians = Vec::new();
        for name in ["bob", "cleo", "dan"] {
            guardians.push(site.user(name).await);
        }
        let circle = Self { site, web, ada, guardians };
        for guardian in &circle.guardians {
            circle.make(guardian).await;
        }
        let _ = circle.rules(2, 48).await.expect(204);
        h.advance(1);
        circle
    }

    /// Invites a person, who accepts.
    async fn make(&self, guardian: &Person) {
        let body = json!({ "email": guardian.email });
        let _ = own(&self.site, &self.ada, (Method::POST, "/guardians"), Some(body)).await.expect(204);
        let _ = self.as_guardian(guardian, (Method::POST, "/accept"), None).await.expect(204);
    }

    async fn rules(&self, threshold: u32, wait_hours: u32) -> Answer {
        let body = json!({ "threshold": threshold, "wait_hours": wait_hours });
        own(&self.site, &self.ada, (Method::PUT, "/guardian-rules"), Some(body)).await
    }

    /// What Ada sees of her guardians.
    async fn chosen(&self) -> Value {
        own(&self.site, &self.ada, (Method::GET, "/guardians"), None).await.expect(200).json()
    }

    /// A call of a guardian about Ada.
    async fn as_guardian(&self, guardian: &Person, call: (Method, &str), body: Option<Value>) -> Answer {
        let id = guarding(&self.site, guardian).await["data"][0]["id"].as_str().unwrap().to_owned();
        own(&self.site, guardian, (call.0, &format!("/guarding/{id}{}", call.1)), body).await
    }

    async fn confirm(&self, guardian: &Person, code: &str) -> Answer {
        self.as_guardian(guardian, (Method::POST, "/confirm"), Some(json!({ "code": code }))).await
    }

    /// A new browser asks for Ada's account; returns it with its code.
    async fn asked(&self) -> (Browser<'h>, String) {
        let mut browser = self.site.browser();
        let code = ask(&mut browser, &self.ada.email).await;
        (browser, code)
    }

    /// Two guardians confirm a code, and the time of waiting goes by.
    async fn confirmed(&self, code: &str) {
        for guardian in &self.guardians[..2] {
            let _ = self.confirm(guardian, code).await.expect(204);
        }
        self.site.harness.advance(48 * HOUR);
    }

    /// Whether Ada signs in with a password alone.
    async fn signs_in(&self, password: &str) -> bool {
        let mut browser = self.site.browser();
        let page = browser.get(&self.web.authorize_path(&self.web.verifier(), &[])).await.expect(200);
        let fields = [("username", self.ada.email.as_str()), ("password", password)];
        browser.submit(&page, &fields).await.status == 303
    }

    async fn suspend(&self, person: &Person) {
        let h = self.site.harness;
        let mut tx = h.app().db.begin(self.site.tenant.id).await.unwrap();
        let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
        tenant_users::set_status(&mut tx, &h.operator(), &found, Status::Suspended).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn guarding(site: &Site<'_>, guardian: &Person) -> Value {
    own(site, guardian, (Method::GET, "/guarding"), None).await.expect(200).json()
}

/// Asks in a browser, and reads the code from the page.
async fn ask(browser: &mut Browser<'_>, name: &str) -> String {
    let page = browser.get("/auth/guardians/ask").await.expect(200);
    let asked = browser.submit(&page, &[("username", name)]).await.expect(303);
    assert_eq!(asked.location(), "/auth/guardians");
    code_of(&browser.get("/auth/guardians").await.expect(200))
}

#[track_caller]
fn code_of(page: &Answer) -> String {
    let rest = page.body.split("id=\"recovery-code\"><bdi>").nth(1).unwrap_or_else(|| panic!("{page:?}"));
    rest.split('<').next().unwrap().to_owned()
}

/// Chooses a new password where the page lets one.
async fn choose(browser: &mut Browser<'_>) -> Answer {
    let page = browser.get("/auth/guardians").await.expect(200);
    browser.submit(&page, &[("password", NEW_PASSWORD)]).await
}

/// The subjects of the mails to an address, newest first.
async fn subjects(h: &Harness, to: &str) -> Vec<String> {
    let mails = h.mails().await;
    mails.into_iter().filter(|mail| mail.to == to).map(|mail| mail.subject).collect()
}

/// How often an action stands in the audit log.
async fn audited(h: &Harness, action: &str, outcome: &str) -> i64 {
    let select = SystemSql::new("SELECT COUNT(*) AS n FROM audit_log WHERE action = $1 AND outcome = $2");
    let mut tx = h.app().db.read_system().await.unwrap();
    tx.one(select, args![action, outcome]).await.unwrap().int("n").unwrap()
}
