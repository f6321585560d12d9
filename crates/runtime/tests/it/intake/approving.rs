//! A person who owes something approves nothing for a device or an application elsewhere.

use serde_json::json;
use svc_http::Method;

use super::{LONG_AGO, add_terms, asks, box_of, document, led, rows};
use crate::account::own;
use crate::harness::Harness;
use crate::polling::{ask, decide, enter, poll_device, signed_in, start};

#[tokio::test]
async fn the_page_of_a_device_comes_after_what_is_owed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let mut browser = signed_in(&site, &ada).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    let terms = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    // A page that was shown before decides nothing any more, but to refuse.
    assert_eq!(decide(&mut browser, &page, "allow").await.status, 403);
    let path = format!("/oauth/device/verify?user_code={}", started.user_code);
    let answer = browser.get(&path).await;
    let owed = led(&mut browser, answer).await;
    assert!(asks(&owed), "{owed:?}");
    let refused = browser.submit(&owed, &[("decision", "continue")]).await.expect(200);
    assert!(refused.body.contains("terms-0-fault"), "{refused:?}");
    assert_eq!(browser.submit(&owed, &[("decision", "deny")]).await.location(), "/");
    let onward =
        browser.submit(&owed, &[("decision", "continue"), (&box_of(&terms), "yes")]).await.expect(303);
    assert_eq!((onward.location(), rows(&h, "terms_acceptances").await), (path.as_str(), 1));
    let page = browser.get(&path).await.expect(200);
    let page = browser.submit(&page, &[("user_code", &started.user_code)]).await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let _ = poll_device(&tv, &started.device_code).await.expect(200);
}

#[tokio::test]
async fn the_inbox_comes_after_what_is_owed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("bank").await, site.user("ada").await);
    let _ = own(&site, &ada, (Method::PATCH, "/profile"), Some(json!({ "locale": "de" }))).await.expect(200);
    let _ = ask(&app, &ada.email, &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let inbox = browser.get("/auth/approvals").await.expect(200);
    let _ = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let answer = browser.get("/auth/approvals").await;
    let owed = led(&mut browser, answer).await;
    assert!(asks(&owed) && owed.body.contains("<html lang=\"de\""), "{owed:?}");
    let refused = browser.submit(&owed, &[("decision", "continue")]).await.expect(200);
    assert!(refused.body.contains("<html lang=\"de\""), "{refused:?}");
    assert_eq!(decide(&mut browser, &inbox, "allow").await.status, 403);
    let _ = decide(&mut browser, &inbox, "deny").await.expect(200);
}
