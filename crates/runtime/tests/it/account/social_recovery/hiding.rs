//! Who asks learns nothing of accounts: neither whether there is one, nor whether it has guardians.

use super::{Circle, HOUR, code_of, harness, subjects};
use crate::harness::{Answer, Browser};

/// A page without what differs from browser to browser.
fn shape(page: &Answer, name: &str) -> String {
    let code = code_of(page);
    let body = page.body.replace(&code, "CODE").replace(name, "NAME");
    let mut shape = String::new();
    for part in body.split('"') {
        // Nonces and sealed states.
        let is_random = part.len() > 20 && !part.contains(['<', ' ', '/']);
        shape.push_str(if is_random { "RANDOM" } else { part });
        shape.push('"');
    }
    shape
}

async fn asked(browser: &mut Browser<'_>, name: &str) -> (Answer, Answer) {
    let page = browser.get("/auth/guardians/ask").await.expect(200);
    let answer = browser.submit(&page, &[("username", name)]).await;
    let page = browser.get("/auth/guardians").await.expect(200);
    (answer, page)
}

#[tokio::test]
async fn every_name_is_answered_alike_until_guardians_have_confirmed() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (bob, stranger) = (c.guardians[0].email.clone(), c.site.stranger("eve").await.email);
    let mut shapes = Vec::new();
    let mut browsers = Vec::new();
    for name in [c.ada.email.as_str(), &c.ada.username, &bob, &stranger, "nobody@else.example", "no name"] {
        let mut browser = c.site.browser();
        let (answer, page) = asked(&mut browser, name).await;
        let cookies: Vec<_> = browser.cookies.keys().cloned().collect();
        shapes.push((answer.status, answer.location().to_owned(), cookies, shape(&page, name)));
        browsers.push((browser, name.to_owned()));
    }
    for other in &shapes[1..] {
        assert_eq!(*other, shapes[0]);
    }
    let call = (svc_http::Method::DELETE, "/recovery");
    let _ = super::own(&c.site, &c.ada, call, None).await.expect(204);
    h.advance(HOUR);
    let mut cancelled = Vec::new();
    for (browser, name) in &mut browsers {
        cancelled.push(shape(&browser.get("/auth/guardians").await.expect(200), name));
    }
    assert!(cancelled.iter().all(|shape| *shape == cancelled[0]), "what was cancelled looks as if it waited");
    h.advance(7 * 24 * HOUR);
    for (browser, _) in &mut browsers {
        assert!(browser.get("/auth/guardians").await.expect(200).body.contains("recovery-over"));
    }
    for address in [&bob, &stranger] {
        let told = subjects(&h, address).await;
        assert!(told.iter().all(|subject| !subject.contains("someone asks")), "{told:?}");
    }
}

#[tokio::test]
async fn an_invitation_does_not_tell_whether_there_is_an_account() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let eve = c.site.user("eve").await;
    for email in [eve.email.as_str(), "nobody@else.example"] {
        let body = Some(serde_json::json!({ "email": email }));
        let call = (svc_http::Method::POST, "/guardians");
        let _ = super::own(&c.site, &c.ada, call, body).await.expect(204);
        assert!(subjects(&h, email).await[0].contains("asks you to be a guardian"));
    }
    let chosen = c.chosen().await;
    let invited: Vec<_> = chosen["guardians"].as_array().unwrap()[3..]
        .iter()
        .map(|one| (one["accepted_at"].clone(), one["is_active"].clone()))
        .collect();
    assert_eq!(invited[0], invited[1]);
}

#[tokio::test]
async fn the_page_for_a_forgotten_password_leads_to_the_guardians() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let mut browser = c.site.browser();
    let page = browser.get("/auth/forgot").await.expect(200);
    assert!(page.body.contains("href=\"/auth/guardians/ask\""), "{page:?}");
    let empty = browser.get("/auth/guardians/ask").await.expect(200);
    assert!(empty.body.contains("href=\"/auth/forgot\""), "it leads back: {empty:?}");
    let again = browser.submit(&empty, &[("username", " ")]).await.expect(200);
    assert!(again.body.contains("username-fault"), "{again:?}");
}
