//! The page of the account centre on which an administrator tests the providers of their organizations.

use serde_json::{Value, json};
use svc_domain::apis::management::ADMIN;
use svc_domain::organizations::{Organization, Status};
use svc_http::Method;

use super::sso_sign_in::{LOOPBACK, connect};
use super::{World, join};
use crate::changes::left_by;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const PATH: &str = "/account/organizations/sso";
const METADATA: &str = "/.well-known/openid-configuration";

/// Opens the page for an administrator of an organization whose provider is out of reach, with the fields that its form wants.
pub async fn opened<'h>(
    web: &Client<'h>,
    name: &str,
    browser: &mut Browser<'h>,
) -> (Answer, Vec<(&'static str, String)>) {
    let chief = web.site.user_with_roles(&format!("{name}-chief"), &[ADMIN]).await;
    let organization = web.site.organization(&format!("{name}-bank"), chief.id).await;
    let id = unreachable(&web.site, &organization).await;
    web.code_in(browser, &chief).await;
    (browser.get(PATH).await, vec![("connection", id)])
}

/// A connection to a provider that is nowhere.
async fn unreachable(site: &Site<'_>, organization: &Organization) -> String {
    let path = format!("/api/v1/organizations/{}/sso-connections", organization.id);
    let body = json!({
        "display_name": "Out of reach", "issuer": "https://nowhere.invalid", "client_id": "svc", "client_secret": "upstream-secret"
    });
    let made = site.call(Method::POST, &path, Some(&site.mint(|_| ())), Some(body)).await.expect(201).json();
    made["id"].as_str().unwrap().to_owned()
}

/// An administrator of the tenant who belongs to Initech, in a browser.
async fn chief<'h>(world: &World<'h>) -> (Person, Browser<'h>) {
    let chief = world.site.user_with_roles("chief", &[ADMIN]).await;
    join(&world.site, &world.initech, &chief, &[]).await;
    let browser = world.site.sign_in(&world.web, &chief).await;
    (chief, browser)
}

/// Presses the button of a connection, and reads what comes of it.
async fn tested(browser: &mut Browser<'_>, page: &Answer, id: &str) -> Answer {
    browser.submit(page, &[("connection", id)]).await.expect(200)
}

fn outcomes(page: &Answer) -> Vec<&str> {
    page.body.split("data-outcome=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

fn id_of(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

#[tokio::test]
async fn an_administrator_comes_from_the_organization_and_reads_each_step_of_a_test() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({})).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get("/account/organizations").await.expect(200);
    let page = browser.get(&page.link("organization-sso-0")).await.expect(200);
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(page.body.contains("Acme staff") && page.body.contains(&provider.issuer), "{page:?}");
    assert_eq!(page.body.matches("aria-current=\"page\"").count(), 1, "{page:?}");
    assert_eq!(outcomes(&page), [""; 0]);

    let mut read = None;
    let [actions, _] =
        left_by(&h, async { read = Some(tested(&mut browser, &page, id_of(&made)).await) }).await;
    assert_eq!(actions, ["sso_connection.tested"]);
    let page = read.unwrap();
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(outcomes(&page), ["passed"; 7]);
    assert!(page.body.contains("data-usable=\"true\"") && !page.body.contains("sso-trial-cut"), "{page:?}");
    let back = format!("{}{}", world.site.issuer(), made["return_path"].as_str().unwrap());
    for uri in [back.clone(), format!("{back}/backchannel-logout")] {
        assert!(page.body.contains(&format!("<code>{uri}</code>")), "{uri} in {page:?}");
    }

    let again = tested(&mut browser, &page, id_of(&made)).await;
    assert!(again.body.contains("was tested just now"), "{again:?}");
    assert_eq!(outcomes(&again), [""; 0]);
    h.advance(10);
    assert_eq!(outcomes(&tested(&mut browser, &again, id_of(&made)).await), ["passed"; 7]);
}

#[tokio::test]
async fn a_step_that_fails_says_what_is_wrong_and_what_to_do() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({})).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get(PATH).await.expect(200);
    let issuer = &provider.issuer;
    let metadata = |changes: Value| {
        let mut metadata = json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
            "id_token_signing_alg_values_supported": ["ES256"], "code_challenge_methods_supported": ["S256"],
        });
        for (name, value) in changes.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        metadata
    };
    let (fine, bad, warned) = ("passed", "failed", "warning");
    let cases: [(Value, &[&str], &str); 9] = [
        (json!("no document"), &[bad], "does not describe a provider"),
        (
            metadata(json!({ "issuer": "https://other.example" })),
            &[fine, bad],
            "itself “https://other.example”",
        ),
        (metadata(json!({ "token_endpoint": null })), &[fine, fine, bad], "lacks token_endpoint"),
        (
            metadata(json!({ "jwks_uri": format!("{issuer}{METADATA}") })),
            &[fine, fine, fine, bad, fine, fine, fine],
            "No usable keys",
        ),
        (
            metadata(json!({ "token_endpoint_auth_methods_supported": ["private_key_jwt"] })),
            &[fine, fine, fine, fine, bad, fine, fine],
            "to one of these: private_key_jwt",
        ),
        (
            metadata(json!({ "id_token_signing_alg_values_supported": ["HS256"] })),
            &[fine, fine, fine, fine, fine, bad, fine],
            "Set one of these there: ES256",
        ),
        (metadata(json!({ "id_token_signing_alg_values_supported": ["Ed25519"] })), &[fine; 7], "Ed25519"),
        (metadata(json!({ "id_token_signing_alg_values_supported": null })), &[fine; 7], "RS256"),
        (
            metadata(json!({ "code_challenge_methods_supported": [] })),
            &[fine, fine, fine, fine, fine, fine, warned],
            "does not say that it supports PKCE",
        ),
    ];
    for (published, expected, told) in cases {
        provider.pages.lock().unwrap().insert(METADATA.to_owned(), published);
        let page = tested(&mut browser, &page, id_of(&made)).await;
        assert_eq!(outcomes(&page), expected, "{told}");
        assert!(page.body.contains(told), "{told} in {page:?}");
        let usable = format!("data-usable=\"{}\"", !expected.contains(&bad));
        assert!(page.body.contains(&usable), "{usable} in {page:?}");
        assert_eq!(page.body.contains("sso-trial-cut"), expected.len() < 7, "{told}");
        h.advance(10);
    }
}

#[tokio::test]
async fn a_status_that_sign_in_takes_for_no_document_fails_a_test() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let made = connect(&world.site, &world.initech, &provider, json!({})).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get(PATH).await.expect(200);
    for (path, index) in [(METADATA, 0), ("/jwks", 3)] {
        provider.statuses.lock().unwrap().insert(path.to_owned(), 203);
        let page = tested(&mut browser, &page, id_of(&made)).await;
        assert_eq!(outcomes(&page).get(index), Some(&"failed"), "{path}: {page:?}");
        provider.statuses.lock().unwrap().clear();
        h.advance(10);
    }
}

#[tokio::test]
async fn a_provider_out_of_reach_fails_at_the_first_step() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let id = unreachable(&world.site, &world.initech).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get(PATH).await.expect(200);
    let page = tested(&mut browser, &page, &id).await;
    assert_eq!(outcomes(&page), ["failed"]);
    assert!(page.body.contains("could not be reached") && page.body.contains("sso-trial-cut"), "{page:?}");
}

#[tokio::test]
async fn members_and_owners_without_the_right_of_the_api_neither_see_nor_test_a_provider() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let id = unreachable(&world.site, &world.initech).await;
    for person in [&world.ada, &world.bob] {
        let mut browser = world.site.sign_in(&world.web, person).await;
        let page = browser.get("/account/organizations").await.expect(200);
        assert!(page.body.contains("initech") && !page.body.contains(PATH), "{page:?}");
        let refused = browser.get(PATH).await.expect(403);
        assert!(!refused.body.contains("nowhere.invalid"), "{refused:?}");
    }
    // The right counts when the form is sent, and not when it was shown.
    let (chief, mut browser) = chief(&world).await;
    let page = browser.get(PATH).await.expect(200);
    let path = format!("/api/v1/tenant-users/{}", chief.id);
    let token = world.site.mint(|_| ());
    let taken = json!({ "roles": [] });
    let _ = world.site.call(Method::PATCH, &path, Some(&token), Some(taken)).await.expect(200);
    let mut answer = None;
    let submit = async { answer = Some(browser.submit(&page, &[("connection", &id)]).await) };
    assert_eq!(left_by(&h, submit).await, [const { Vec::<String>::new() }; 2]);
    let _ = answer.unwrap().expect(403);
}

#[tokio::test]
async fn providers_of_other_organizations_and_tenants_are_not_there() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let own = unreachable(&world.site, &world.initech).await;
    let hoolis = unreachable(&world.site, &world.hooli).await;
    let elsewhere = h.tenant("other").await;
    let foreigner = elsewhere.user("foreigner").await;
    let bank = elsewhere.organization("bank", foreigner.id).await;
    let foreign = unreachable(&elsewhere, &bank).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get(PATH).await.expect(200);
    assert!(page.body.contains(&own), "{page:?}");
    for other in [&hoolis, &foreign] {
        assert!(!page.body.contains(other.as_str()), "{page:?}");
        let mut answer = None;
        let submit = async { answer = Some(browser.submit(&page, &[("connection", other)]).await) };
        assert_eq!(left_by(&h, submit).await, [const { Vec::<String>::new() }; 2]);
        let _ = answer.unwrap().expect(404);
    }
    let _ = browser.submit(&page, &[("connection", "sso_x")]).await.expect(400);
    world.set_status(&world.initech, Status::Suspended).await;
    let _ = browser.submit(&page, &[("connection", &own)]).await.expect(404);
    let page = browser.get(PATH).await.expect(200);
    assert!(page.body.contains("id=\"sso-none\""), "{page:?}");
}

#[tokio::test]
async fn where_single_sign_on_is_off_there_is_no_page_and_no_way_to_it() {
    let h = Harness::with(&[("SVC_ENTERPRISE_SSO__ENABLED", "false")]).await;
    let world = World::new(&h).await;
    let (_, mut browser) = chief(&world).await;
    let page = browser.get("/account/organizations").await.expect(200);
    assert!(!page.body.contains(PATH), "{page:?}");
    let _ = browser.get(PATH).await.expect(404);
}
