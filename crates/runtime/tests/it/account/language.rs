//! The language that a person chooses at the account centre, which is that of the account from then on.

use svc_domain::people::tenant_users;
use svc_http::Method;

use crate::changes::left_by;
use crate::harness::{Answer, Browser, Harness, Person, Site};

async fn choose(browser: &mut Browser<'_>, path: &str, site: &str) -> Answer {
    browser.send(Method::GET, path, &[("sec-fetch-site", site)], String::new()).await
}

async fn language_of(site: &Site<'_>, person: &Person) -> Option<String> {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    tenant_users::find(&mut tx, person.id).await.unwrap().unwrap().profile.locale
}

#[tokio::test]
async fn the_language_that_a_person_chooses_is_that_of_the_account_in_every_browser() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let before = language_of(&site, &ada).await;
    // A link of another site chooses for the page, and not for the account.
    let shown = choose(&mut browser, "/account/profile?lang=fr", "cross-site").await.expect(200);
    assert!(shown.body.contains("<html lang=\"fr\""), "{shown:?}");
    assert_eq!(language_of(&site, &ada).await, before);
    let [audit, _] = left_by(&h, async {
        let shown = choose(&mut browser, "/account/profile?lang=de", "same-origin").await.expect(200);
        assert!(shown.body.contains("<html lang=\"de\""), "{shown:?}");
        assert!(
            shown
                .headers
                .get_all("set-cookie")
                .iter()
                .any(|cookie| { cookie.to_str().unwrap().starts_with("__Host-svc_language=de") })
        );
    })
    .await;
    assert_eq!(audit.len(), 1, "{audit:?}");
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"));
    let [audit, _] = left_by(&h, choose(&mut browser, "/account?lang=de", "same-origin")).await;
    assert!(audit.is_empty(), "nothing changed: {audit:?}");
    let junk = choose(&mut browser, "/account/profile?lang=tlh", "same-origin").await.expect(200);
    assert!(junk.body.contains("<html lang=\"de\""), "{junk:?}");
    assert_eq!(language_of(&site, &ada).await.as_deref(), Some("de"));
    // Another browser of the person speaks the language of the account, unless another one was chosen there.
    let mut other = site.sign_in(&app, &ada).await;
    assert!(other.get("/account/profile").await.expect(200).body.contains("<html lang=\"de\""));
    let chosen = choose(&mut other, "/account/profile?lang=es", "cross-site").await.expect(200);
    assert!(chosen.body.contains("<html lang=\"es\""), "{chosen:?}");
    assert!(other.get("/account/profile").await.expect(200).body.contains("<html lang=\"es\""));
}
