//! Sign-in with connectors, the tenants' own providers: what their word opens, where, and for how long.

use serde_json::{Value, json};
use svc_http::Method;
use url::Url;

use super::connectors::{PATH, connect, send};
use super::{LOOPBACK, led, named, told, with_google};
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Browser, Client, Harness, Person, Site};

const SECTION: &str = "/account/identities";

/// Registers the tenant at a provider on this machine; returns the id of the connector.
async fn registered(site: &Site<'_>, provider: &Provider) -> String {
    let wanted = json!({
        "name": "acme", "display_name": "Acme ID", "issuer": provider.issuer, "client_id": "svc",
        "client_secret": "upstream-secret", "enabled": true,
    });
    connect(site, wanted).await
}

/// Signs a person in at the provider, who has not been here with it, and then with their own password.
async fn linked<'h>(
    (site, client): (&Site<'h>, &Client<'h>),
    provider: &Provider,
    (id, person): (&str, &Person),
) -> Browser<'h> {
    let mut browser = site.browser();
    let asked = led(&mut browser, client, id).await;
    let page = browser.get(&provider.vouch(&asked, site.harness, named("ada@acme.example", true))).await;
    assert!(page.status == 200 && page.body.contains("no confirmed address"), "{page:?}");
    let typed = [("username", person.username.as_str()), ("password", person.password.as_str())];
    assert!(browser.submit(&page, &typed).await.is_signed_in());
    browser
}

#[tokio::test]
async fn a_person_links_an_account_at_the_tenants_provider_and_is_known_by_it_from_then_on() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = registered(&site, &provider).await;
    let page = site.browser().get(&client.authorize_path("v", &[])).await.expect(200);
    let place = |button: &str| page.body.find(button).unwrap_or_else(|| panic!("{button} in {page:?}"));
    assert!(place("id=\"social-google\"") < place(&format!("id=\"social-{id}\"")), "{page:?}");
    assert!(page.body.contains("Acme ID"), "{page:?}");
    linked((&site, &client), &provider, (&id, &ada)).await;
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(
        sent.to_lowercase().contains("authorization: basic") && sent.contains("code_verifier="),
        "{sent}"
    );

    let mut other = site.browser();
    let asked = led(&mut other, &client, &id).await;
    assert_eq!(asked.param("redirect_uri"), format!("{}/auth/return/{id}", site.issuer()));
    let answer = other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let said = told(&client, &answer).await;
    assert_eq!((&said["sub"], &said["amr"]), (&json!(ada.subject), &json!(["connector"])));
    // The deployment's registration at the same provider is another one: it knows no one yet.
    let mut other = site.browser();
    let asked = led(&mut other, &client, "google").await;
    let page = other.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await;
    assert!(!page.is_signed_in(), "{page:?}");
}

#[tokio::test]
async fn the_word_of_a_tenants_provider_changes_nothing_of_an_account_and_recovers_none() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = registered(&site, &provider).await;
    linked((&site, &client), &provider, (&id, &ada)).await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, &id).await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    let _ = browser.get("/account/profile").await.expect(200);
    for section in ["password", "email", "identities", "passkeys"] {
        let page = browser.get(&format!("/account/{section}")).await.expect(200);
        assert!(
            page.body.contains("To change how you sign in to this account everywhere"),
            "{section}: {page:?}"
        );
    }
    // It is not offered to those who have lost the password, and does not help who asks for it all the same.
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path("v", &[])).await.expect(200);
    let page = browser.get(&page.link("forgot-link")).await.expect(200);
    assert!(!page.body.contains(&id), "{page:?}");
    let url = page.link("social-google").replace("provider=google", &format!("provider={id}"));
    let asked = AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap());
    let page = browser.get(&provider.vouch(&asked, &h, |_| ())).await;
    assert!(
        page.status == 200 && page.body.contains("To change how you sign in to this account everywhere"),
        "{page:?}"
    );
}

#[tokio::test]
async fn the_word_of_a_tenants_provider_binds_no_account_that_waits_elsewhere() {
    let (h, provider) = with_google(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = registered(&site, &provider).await;
    linked((&site, &client), &provider, (&id, &ada)).await;
    // An account at the deployment's provider waits for its owner, for whom the tenant's provider vouches.
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await.expect(200);
    let url = page.link(&format!("social-{id}"));
    let asked = AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap());
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let page = browser.get(&provider.vouch(&asked, &h, named("x@acme.example", false))).await;
    assert!(!page.is_signed_in(), "{page:?}");
}

#[tokio::test]
async fn a_connector_that_is_disabled_or_deleted_opens_nothing_and_leaves_what_people_connected() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = registered(&site, &provider).await;
    let one = format!("{PATH}/{id}");
    let mut adas = linked((&site, &client), &provider, (&id, &ada)).await;
    let (mut first, mut second) = (site.browser(), site.browser());
    let (left, later) = (led(&mut first, &client, &id).await, led(&mut second, &client, &id).await);
    let _ = send(&site, Method::PATCH, &one, Some(json!({ "enabled": false }))).await.expect(200);
    let page = site.browser().get(&client.authorize_path("v", &[])).await.expect(200);
    assert!(!page.body.contains("social-"), "{page:?}");
    assert!(!first.get(&provider.vouch(&left, &h, |_| ())).await.is_signed_in());
    let _ = send(&site, Method::PATCH, &one, Some(json!({ "enabled": true }))).await.expect(200);
    assert!(second.get(&provider.vouch(&later, &h, |_| ())).await.is_signed_in());
    let mut third = site.browser();
    let asked = led(&mut third, &client, &id).await;
    let _ = send(&site, Method::DELETE, &one, None).await.expect(204);
    assert!(!third.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    // The section is there as long as something is offered; a new connector knows no one.
    let again = registered(&site, &provider).await;
    let mut fourth = site.browser();
    let asked = led(&mut fourth, &client, &again).await;
    assert!(!fourth.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
    let page = adas.get(SECTION).await.expect(200);
    assert!(page.body.contains("Acme ID") && page.body.contains("identity-remove-0"), "{page:?}");
    let _ = adas.submit(&page, &[("action", "remove")]).await.expect(303);
    assert!(adas.get(SECTION).await.expect(200).body.contains("identities-none"));
}

#[tokio::test]
async fn sessions_that_rest_on_the_word_of_a_connector_end_when_it_is_disabled_or_deleted() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = registered(&site, &provider).await;
    let one = format!("{PATH}/{id}");
    let mut own = linked((&site, &client), &provider, (&id, &ada)).await;
    let silent = client.authorize_path("v", &[("prompt", "none")]);
    let enable = || send(&site, Method::PATCH, &one, Some(json!({ "enabled": true })));
    let off = (Method::PATCH, Some(json!({ "enabled": false })));
    for (method, body) in [off, (Method::DELETE, None)] {
        let _ = enable().await.expect(200);
        let mut browser = site.browser();
        let asked = led(&mut browser, &client, &id).await;
        assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
        let code = client.code_in(&mut browser, &ada).await;
        let tokens = client.exchange(&code).await.expect(200).json();
        let is_deleted = method == Method::DELETE;
        let stopped = send(&site, method, &one, body).await;
        assert!((200..300).contains(&stopped.status), "{stopped:?}");
        assert!(!browser.get(&silent).await.is_signed_in());
        if !is_deleted {
            let _ = enable().await.expect(200);
            assert!(!browser.get(&silent).await.is_signed_in(), "enabling it again revives none");
        }
        h.run_jobs().await;
        let refresh = tokens["refresh_token"].as_str().unwrap();
        let _ = client.refresh(refresh).await.expect_problem(400, "invalid_grant");
        assert!(own.get(&silent).await.is_signed_in());
    }
}

#[tokio::test]
async fn a_connector_is_of_its_tenant_alone() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (client, elsewhere) = (site.app("first").await, other.app("first").await);
    let id = registered(&site, &provider).await;
    let own = registered(&other, &provider).await;
    let mut browser = other.browser();
    let page = browser.get(&elsewhere.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains(&own) && !page.body.contains(&id), "{page:?}");
    let url = page.link(&format!("social-{own}")).replace(&own, &id);
    let _ = browser.get(&url).await.expect(404);
    // The answer to one tenant is none at another, nor at the address of another provider.
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, &id).await;
    let back = provider.vouch(&asked, &h, |_| ());
    let _ = other.browser().get(&back).await.expect(403);
    let _ = browser.get(&back.replace(&id, &own)).await.expect(403);
    // Who is known by the one is unknown by the other.
    let ada = site.user("ada").await;
    linked((&site, &client), &provider, (&id, &ada)).await;
    let mut browser = other.browser();
    let asked = led(&mut browser, &elsewhere, &own).await;
    assert!(!browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
}

/// Whether the provider, which knows the person by plain OAuth 2.0, opens the account.
async fn opens(browser: &mut Browser<'_>, client: &Client<'_>, id: &str) -> bool {
    let asked = led(browser, client, id).await;
    browser.get(&asked.back("a-code".to_owned())).await.is_signed_in()
}

#[tokio::test]
async fn members_of_a_plain_oauth_provider_are_read_as_they_are_mapped() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let base = &provider.issuer;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = connect(
        &site,
        json!({
            "name": "forum", "client_id": "svc", "client_secret": "upstream-secret", "client_auth": "client_secret_post",
            "authorization_endpoint": format!("{base}/go"), "token_endpoint": format!("{base}/token"),
            "userinfo_endpoint": format!("{base}/me"), "scopes": ["who"], "pkce": false,
            "subject_claim": "/user/id", "email_claim": "/user/mail", "enabled": true,
        }),
    )
    .await;
    let me = |subject: u32| {
        let person: Value = json!({ "user": { "id": subject, "mail": "ada@forum.example" }, "sub": "same" });
        provider.pages.lock().unwrap().insert("/me".to_owned(), person);
    };
    me(7);
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, &id).await;
    assert_eq!(asked.param("scope"), "who");
    assert!(asked.0.query_pairs().all(|(name, _)| name != "code_challenge"));
    let page = browser.get(&asked.back("a-code".to_owned())).await.expect(200);
    assert!(
        page.body.contains("ada@forum.example"),
        "what the person typed there stands in the form: {page:?}"
    );
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    assert!(browser.submit(&page, &typed).await.is_signed_in());
    let sent = provider.asked.lock().unwrap().pop().unwrap();
    assert!(sent.contains("client_secret=upstream-secret"), "{sent}");
    assert!(opens(&mut site.browser(), &client, &id).await);
    me(8);
    assert!(!opens(&mut site.browser(), &client, &id).await);
}

#[tokio::test]
async fn a_preset_at_a_server_of_the_tenants_own_is_believed_for_no_address() {
    let h = Harness::with(&[LOOPBACK]).await;
    let provider = Provider::serve().await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let id = connect(
        &site,
        json!({
            "name": "gitlab", "preset": "gitlab", "base_url": provider.issuer, "client_id": "svc",
            "client_secret": "upstream-secret", "enabled": true,
        }),
    )
    .await;
    let page = site.browser().get(&client.authorize_path("v", &[])).await.expect(200);
    assert!(page.body.contains("GitLab"), "{page:?}");
    linked((&site, &client), &provider, (&id, &ada)).await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, &id).await;
    assert!(browser.get(&provider.vouch(&asked, &h, |_| ())).await.is_signed_in());
}
