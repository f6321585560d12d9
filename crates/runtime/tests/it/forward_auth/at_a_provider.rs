//! Hosts behind a proxy, and people who signed in at a provider long ago.

use serde_json::json;
use url::Url;

use super::{SETTINGS, world};
use crate::harness::Harness;
use crate::harness::provider::{AuthorizationRequest, Provider};

#[tokio::test]
async fn a_host_is_open_as_long_as_the_session_here_however_old_the_one_at_the_provider_is() {
    let provider = Provider::serve().await;
    let settings = [
        SETTINGS[0],
        SETTINGS[1],
        ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true"),
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__GITLAB__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__GITLAB__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__GITLAB__BASE_URL", provider.issuer.as_str()),
    ];
    let h = Harness::with(&settings).await;
    let (site, _, mut wiki) = world(&h).await;
    let mut browser = site.browser();
    let page = browser.get(&wiki.begin().await).await.expect(200);
    let to_provider = browser.get(&page.link("social-gitlab")).await.expect(303);
    let asked = AuthorizationRequest(Url::parse(to_provider.location()).unwrap());
    let a_year_ago = h.operator().now.as_secs() - 365 * 86_400;
    let back = provider.vouch(&asked, &h, |claims| {
        (claims["email_verified"], claims["auth_time"]) = (json!(true), json!(a_year_ago));
    });
    let mut answer = browser.get(&back).await;
    if answer.body.contains("id=\"consent-allow\"") {
        answer = browser.submit(&answer, &[("decision", "allow")]).await;
    }
    let callback = wiki.path_here(answer.location());
    let _ = wiki.send(&callback, &[]).await.expect(303);
    assert!(wiki.is_signed_in().await);
}
