//! Recovery by a factor that the account has proven, for a person who has lost the password: whom it lets choose a new one, what it
//! asks for besides, and what it tells no one.

mod hiding;
mod passkeys;
mod phones;
mod providers;
mod steps;
mod strength;

use svc_testkit::Authenticator;

use serde_json::json;
use svc_http::Method;

use crate::account::own;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const NUMBER: &str = "+442079460777";
const CHOSEN: &str = "compiler nanosecond moth";

async fn harness_with(settings: &[(&str, &str)]) -> Harness {
    Harness::with(&[&[("SVC_SMS__ENABLED", "true")], settings].concat()).await
}

/// Ada, who has proven a number, and has an application to sign in to.
struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
}

async fn world(h: &Harness) -> World<'_> {
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    site.phone(ada.id, NUMBER).await;
    h.advance(1);
    World { site, web, ada }
}

impl<'h> World<'h> {
    /// The page of a forgotten password, from the sign-in page of the application.
    async fn forgot(&self, browser: &mut Browser<'h>) -> Answer {
        let page = browser.get(&self.web.authorize_path(&self.web.verifier(), &[])).await.expect(200);
        browser.get(&page.link("forgot-link")).await.expect(200)
    }

    /// The page that asks for the code which was sent to a number.
    async fn asked(&self, browser: &mut Browser<'h>, number: &str) -> Answer {
        let page = self.forgot(browser).await;
        let form = browser.get(&page.link("sms-link")).await.expect(200);
        browser.submit(&form, &[("phone", number)]).await
    }

    /// What follows the right code.
    async fn proven(&self, browser: &mut Browser<'h>) -> Answer {
        let page = self.asked(browser, NUMBER).await.expect(200);
        browser.submit(&page, &[("code", &self.code().await)]).await
    }

    /// The page of the new password, after the right code.
    async fn choosing(&self, browser: &mut Browser<'h>) -> Answer {
        let proven = self.proven(browser).await.expect(303);
        browser.get(proven.location()).await.expect(200)
    }

    /// The code of the newest text message.
    async fn code(&self) -> String {
        let texts = self.site.harness.texts().await;
        let newest = texts.iter().max_by_key(|text| (text.sent_at, text.id)).expect("a text message");
        newest.body.split(' ').next().unwrap().to_owned()
    }

    /// Whether a password opens the account in a browser that knows nothing.
    async fn opens(&self, password: &str) -> bool {
        let mut browser = self.site.browser();
        let page = browser.get(&self.web.authorize_path(&self.web.verifier(), &[])).await.expect(200);
        let fields = [("username", self.ada.username.as_str()), ("password", password)];
        let answer = browser.submit(&page, &fields).await;
        answer.begins_session() || answer.body.contains("One more step")
    }
}

/// Gives a person a passkey.
async fn with_passkey(site: &Site<'_>, person: &Person, device: &mut Authenticator) {
    let asked = Some(json!({ "use": "passkey" }));
    let begun = own(site, person, (Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = device.create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Laptop" });
    let _ = own(site, person, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
}

/// The hidden state of the other ways on a page.
fn state(page: &Answer) -> String {
    let at = page.link("sms-link");
    let query = at.split_once('?').unwrap().1;
    query.split('&').find_map(|pair| pair.strip_prefix("flow=")).unwrap().to_owned()
}

/// Answers the challenge of a page's state with a device.
async fn answered(browser: &mut Browser<'_>, flow: &str, device: &mut Authenticator) -> Answer {
    let asked = [("flow", flow), ("method", "passkey")];
    let challenge = browser.post("/auth/challenge", &asked).await.expect(200).json();
    let issuer = browser.site.issuer().to_owned();
    let answer = device.get(&challenge["shown"], &issuer).unwrap().to_string();
    let flow = challenge["flow"].as_str().unwrap();
    browser.post("/auth/sign-in", &[("flow", flow), ("method", "passkey"), ("answer", &answer)]).await
}
