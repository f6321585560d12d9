//! What people find in their mail: links for a new password, links and codes that sign in.

use super::once::{Came, Once, Refused};
use super::{AT_ONCE, Victim};
use crate::harness::Answer;
use crate::process::person::{Ada, SEED};
use crate::sent_codes::digits_in;

/// The password of everyone before it changes.
pub const PASSWORD: &str = "correct horse ada";

/// The tenant with as many people as secrets are used at once.
pub fn people() -> String {
    let person = |number: usize| {
        format!(
            "\n[[tenant.user]]\nusername = \"person{number}\"\nemail = \"{}\"\nemail_verified = true\n\
             password = \"{PASSWORD}\"\n",
            address(number)
        )
    };
    SEED.to_owned() + &(0..AT_ONCE).map(person).collect::<String>()
}

fn address(number: usize) -> String {
    format!("person{number}@example.com")
}

fn reset_link(mail: &str) -> Option<String> {
    link("/auth/reset", mail)
}

fn sign_in_link(mail: &str) -> Option<String> {
    link("/auth/sign-in-link", mail)
}

/// The path of the link in a mail.
fn link(door: &str, mail: &str) -> Option<String> {
    let start = format!("{door}?token=");
    let address = mail.split_whitespace().find(|word| word.contains(&start))?;
    Some(address[address.find(&start)?..].to_owned())
}

/// What a page says that ends an errand, where it came to its end.
fn done(answer: &Answer, told: &str) -> bool {
    assert!(answer.status < 500 || answer.status == 503, "{answer:?}");
    answer.status == 200 && answer.body.contains(told)
}

/// Someone who can sign in with a password from now on.
pub struct Entrant {
    address: String,
    password: String,
}

impl Entrant {
    async fn enters(self, victim: &Victim) {
        let entered = victim.ada.stranger().enter(&self.address, &self.password).await.unwrap();
        assert!(entered.is_signed_in(), "an acknowledged password was lost: {entered:?}");
    }
}

/// Proves that a session that was begun goes on.
pub async fn goes_on(mut browser: Ada) {
    let answer = browser.opens().await.unwrap();
    assert!(answer.is_signed_in(), "an acknowledged session was lost: {answer:?}");
}

/// Whether a sign-in came to its end, with the browser that has the session.
pub fn entered(answer: &Answer, browser: Ada) -> Result<Ada, Refused> {
    assert!(answer.status < 500 || answer.status == 503, "{answer:?}");
    if answer.is_signed_in() { Ok(browser) } else { Err(Refused) }
}

/// A link for a new password.
#[derive(Clone)]
pub struct ResetLink {
    path: String,
    address: String,
    password: String,
}

impl Once for ResetLink {
    const FAULT: &'static str = "The process is killed while links for new passwords are used";

    type Gain = Entrant;

    fn seed() -> String {
        people()
    }

    async fn issue(victim: &mut Victim, round: usize) -> Vec<Self> {
        for number in 0..AT_ONCE {
            let mut browser = victim.ada.stranger();
            let page = browser.open("/auth/forgot").await.unwrap().expect(200);
            let _ = browser.fill(&page, &[("username", &address(number))]).await.unwrap().expect(200);
        }
        let mut links = Vec::new();
        for number in 0..AT_ONCE {
            let path = victim.mailed(&address(number), reset_link).await;
            let password = format!("compiler nanosecond moth {round} {number}");
            links.push(Self { path, address: address(number), password });
        }
        links
    }

    async fn spend(self, ada: Ada) -> Came<Entrant> {
        let mut browser = ada.stranger();
        let page = browser.open(&self.path).await?;
        if page.status == 400 {
            return Some(Err(Refused));
        }
        let answer = browser.fill(&page.expect(200), &[("password", &self.password)]).await?;
        if !done(&answer, "sign in with your new password") {
            return Some(Err(Refused));
        }
        Some(Ok(Entrant { address: self.address, password: self.password }))
    }

    async fn holds(gain: Entrant, victim: &Victim) {
        gain.enters(victim).await;
    }
}

/// A link that signs in, in the browser that asked for it.
#[derive(Clone)]
pub struct SignInLink {
    browser: Ada,
    path: String,
}

impl Once for SignInLink {
    const FAULT: &'static str = "The process is killed while links that sign in are used";
    const SETTINGS: &'static [(&'static str, &'static str)] = &[("SVC_MAGIC_LINK__ENABLED", "true")];

    type Gain = Ada;

    fn seed() -> String {
        people()
    }

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut links = Vec::new();
        for (number, (browser, _)) in asked(victim, "magic-link-link").await.into_iter().enumerate() {
            let path = victim.mailed(&address(number), sign_in_link).await;
            links.push(Self { browser, path });
        }
        links
    }

    async fn spend(self, _: Ada) -> Came<Ada> {
        let Self { mut browser, path } = self;
        let page = browser.open(&path).await?;
        if page.status == 400 {
            return Some(Err(Refused));
        }
        let answer = browser.fill(&page.expect(200), &[]).await?;
        Some(entered(&answer, browser))
    }

    async fn holds(gain: Ada, _: &Victim) {
        goes_on(gain).await;
    }
}

/// A code by mail that signs in, in the browser that asked for it.
#[derive(Clone)]
pub struct MailedCode {
    browser: Ada,
    page: Answer,
    code: String,
}

impl Once for MailedCode {
    const FAULT: &'static str = "The process is killed while mailed codes are used";
    const SETTINGS: &'static [(&'static str, &'static str)] = &[("SVC_EMAIL_OTP__ENABLED", "true")];

    type Gain = Ada;

    fn seed() -> String {
        people()
    }

    async fn issue(victim: &mut Victim, _: usize) -> Vec<Self> {
        let mut codes = Vec::new();
        for (number, (browser, page)) in asked(victim, "email-otp-link").await.into_iter().enumerate() {
            let code = |mail: &str| mail.lines().find_map(|line| digits_in(line.trim()));
            let code = victim.mailed(&address(number), code).await;
            codes.push(Self { browser, page, code });
        }
        codes
    }

    async fn spend(self, _: Ada) -> Came<Ada> {
        let Self { mut browser, page, code } = self;
        let answer = browser.fill(&page, &[("code", &code)]).await?;
        Some(entered(&answer, browser))
    }

    async fn holds(gain: Ada, _: &Victim) {
        goes_on(gain).await;
    }
}

/// The browsers in which people have asked for a mail that signs in, by a link of the sign-in page, each with the page behind that.
async fn asked(victim: &Victim, way: &str) -> Vec<(Ada, Answer)> {
    let mut browsers = Vec::new();
    for number in 0..AT_ONCE {
        let mut browser = victim.ada.stranger();
        let page = browser.sign_in_page().await;
        let page = browser.open(&page.link(way)).await.unwrap().expect(200);
        let page = browser.fill(&page, &[("username", &address(number))]).await.unwrap().expect(200);
        browsers.push((browser, page));
    }
    browsers
}
