//! Guesses at mailed codes: they lock who guesses, and not the person at whose address they are made.

use crate::harness::{Answer, Browser, Client, Harness, Person, Site};
use crate::sent_codes::{digits_in, refused, wrong};

/// The proxy is where requests come from; three wrong codes lock.
const BEHIND_PROXY: &[(&str, &str)] = &[
    ("SVC_EMAIL_OTP__ENABLED", "true"),
    ("SVC_SERVER__TRUSTED_PROXIES", "[\"192.0.2.1\"]"),
    ("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3"),
];
const HOME: &str = "203.0.113.9";

/// Sends the form of a page from a network.
async fn send(
    browser: &mut Browser<'_>,
    (page, network): (&Answer, &str),
    fields: &[(&str, &str)],
) -> Answer {
    let headers = [("x-forwarded-for", network), ("x-forwarded-proto", "https")];
    browser.submit_with(page, &headers, fields).await
}

struct World<'h> {
    site: Site<'h>,
    web: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    async fn new(h: &'h Harness) -> Self {
        let site = h.tenant("main").await;
        let (web, ada) = (site.app("web").await, site.user("ada").await);
        Self { site, web, ada }
    }

    /// The page that asks for the code of Ada's address, and the code that she is mailed.
    async fn asked(&self, browser: &mut Browser<'h>, network: &str) -> (Answer, String) {
        self.site.harness.advance(1);
        let page = browser.get(&self.web.authorize_path(&self.web.verifier(), &[])).await.expect(200);
        let form = browser.get(&page.link("email-otp-link")).await.expect(200);
        let page = send(browser, (&form, network), &[("username", &self.ada.email)]).await.expect(200);
        let newest = self.site.harness.newest_mail().await;
        (page, digits_in(&newest.text).unwrap())
    }

    /// Types three wrong codes in a new browser, and returns what follows the right one.
    async fn guess(&self, network: &str) -> Answer {
        let mut browser = self.site.browser();
        let (page, code) = self.asked(&mut browser, network).await;
        for _ in 0..3 {
            refused(&send(&mut browser, (&page, network), &[("code", &wrong(&code))]).await);
        }
        send(&mut browser, (&page, network), &[("code", &code)]).await
    }

    /// Signs in with the right code in a new browser.
    async fn enter(&self, network: &str) -> Answer {
        let mut browser = self.site.browser();
        let (page, code) = self.asked(&mut browser, network).await;
        send(&mut browser, (&page, network), &[("code", &code)]).await
    }
}

#[tokio::test]
async fn who_guesses_at_the_codes_of_an_address_is_locked_out_and_its_owner_is_not() {
    let h = Harness::with(BEHIND_PROXY).await;
    let world = World::new(&h).await;
    let eves = "198.51.100.1";
    for answer in [world.guess(eves).await, world.enter(eves).await] {
        assert_eq!(answer.status, 429, "{answer:?}");
    }
    let entered = world.enter(HOME).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn guesses_from_many_networks_leave_each_code_one_guess_which_is_enough_for_its_owner() {
    let h = Harness::with(BEHIND_PROXY).await;
    let world = World::new(&h).await;
    for number in 1..=4 {
        assert_eq!(world.guess(&format!("198.51.100.{number}")).await.status, 429);
    }
    let (eves, mut browser) = ("198.51.100.5", world.site.browser());
    let (page, code) = world.asked(&mut browser, eves).await;
    for typed in [wrong(&code), code] {
        refused(&send(&mut browser, (&page, eves), &[("code", &typed)]).await);
    }
    let entered = world.enter(HOME).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    // In time guesses are judged again.
    h.advance(3600);
    let network = "198.51.100.6";
    let (page, code) = world.asked(&mut browser, network).await;
    refused(&send(&mut browser, (&page, network), &[("code", &wrong(&code))]).await);
    let entered = send(&mut browser, (&page, network), &[("code", &code)]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}
