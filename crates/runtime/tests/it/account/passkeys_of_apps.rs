//! Passkeys that native applications make through the API (WebAuthn §7.1): by those that share the passkeys of the host, and through no form.

use serde_json::json;
use svc_http::Method;
use svc_keys::base64url;
use svc_testkit::Authenticator;

use super::own;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};
use crate::without_passwords::state_of;

/// The relying party of all tenants.
const SHARED: (&str, &str) = ("SVC_PASSKEY__RP_ID", "id.test");

/// What an application on Apple's systems gives for its origin: that of the relying party, whichever tenant it calls.
const APPLE: &str = "https://id.test";

/// What an application on Android gives for its origin, with a certificate of this fingerprint.
fn android(byte: u8) -> String {
    format!("android:apk-key-hash:{}", base64url([byte; 32]))
}

async fn with_apps() -> Harness {
    let android = format!("[\"com.example.app={}\"]", ["aB"; 32].join(":"));
    let apple = r#"["ABCDE12345.com.example.app"]"#;
    Harness::with(&[
        SHARED,
        ("SVC_PASSKEY__ANDROID_APPS", android.as_str()),
        ("SVC_PASSKEY__APPLE_APPS", apple),
    ])
    .await
}

/// Has an application with this origin add a passkey of the device.
async fn add(site: &Site<'_>, person: &Person, device: &mut Authenticator, origin: &str) -> Answer {
    let asked = Some(json!({ "use": "passkey" }));
    let begun = own(site, person, (Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = device.create(&begun["options"], origin).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer });
    own(site, person, (Method::POST, "/passkeys/confirm"), Some(proof)).await
}

/// Signs in on the page of an application, with a device that says it is at this origin.
async fn sign_in<'h>(
    browser: &mut Browser<'h>,
    web: &Client<'h>,
    device: &mut Authenticator,
    origin: &str,
) -> Answer {
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    let flow = state_of(&page);
    let asked = [("flow", flow.as_str()), ("method", "passkey")];
    let challenge = browser.post("/auth/challenge", &asked).await.expect(200).json();
    let answer = device.get(&challenge["shown"], origin).unwrap().to_string();
    let flow = challenge["flow"].as_str().unwrap();
    browser.post("/auth/sign-in", &[("flow", flow), ("method", "passkey"), ("answer", &answer)]).await
}

async fn count(site: &Site<'_>, person: &Person) -> usize {
    let listed = own(site, person, (Method::GET, "/credentials"), None).await.expect(200).json();
    listed["data"].as_array().unwrap().iter().filter(|one| one["kind"] == "passkey").count()
}

#[tokio::test]
async fn an_app_that_shares_the_passkeys_adds_one_that_signs_in_on_the_page() {
    let h = with_apps().await;
    let site = h.tenant("acme").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    for (seed, origin) in [(1, android(0xab)), (2, APPLE.to_owned())] {
        let mut device = Authenticator::synced(seed);
        let _ = add(&site, &ada, &mut device, &origin).await.expect(204);
        h.advance(1);
        let answer = sign_in(&mut site.browser(), &web, &mut device, site.issuer()).await;
        assert!(answer.is_signed_in(), "{origin}: {answer:?}");
    }
}

#[tokio::test]
async fn an_app_that_is_not_configured_adds_no_passkey() {
    let (configured, plain) = (with_apps().await, Harness::with(&[SHARED]).await);
    let other_case = android(0xab).replace("q6u", "Q6U");
    assert_ne!(other_case, android(0xab));
    let others = [
        android(0xac),
        other_case,
        android(0xab).replace("apk-key-hash", "apk-key-hash-sha256"),
        format!("{}#", android(0xab)),
        "http://id.test".to_owned(),
        "https://app.id.test".to_owned(),
    ];
    let site = configured.tenant("acme").await;
    let ada = site.user("ada").await;
    for (seed, origin) in (1..).zip(&others) {
        let refused = add(&site, &ada, &mut Authenticator::new(seed), origin).await;
        assert!(refused.expect_problem(400, "bad_request").body.contains("answer: "), "{origin}");
    }
    let site = plain.tenant("acme").await;
    let ada = site.user("ada").await;
    for (seed, origin) in [(1, android(0xab)), (2, APPLE.to_owned())] {
        let refused = add(&site, &ada, &mut Authenticator::new(seed), &origin).await;
        let _ = refused.expect_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn no_form_takes_an_answer_with_the_origin_of_an_app() {
    let h = with_apps().await;
    let site = h.tenant("acme").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut device = Authenticator::new(1);
    let _ = add(&site, &ada, &mut device, &android(0xab)).await.expect(204);
    h.advance(1);
    let mut browser = site.browser();
    let refused = sign_in(&mut browser, &web, &mut device, &android(0xab)).await.expect(200);
    assert!(refused.body.contains("The passkey could not be checked."), "{refused:?}");
    let opened = sign_in(&mut browser, &web, &mut device, site.issuer()).await;
    assert!(opened.is_signed_in(), "{opened:?}");
    let page = browser.get("/account/passkeys").await.expect(200);
    for (seed, origin, present) in [(2, android(0xab), 1), (3, site.issuer().to_owned(), 2)] {
        let flow = state_of(&page);
        let asked = [("flow", flow.as_str()), ("action", "add"), ("use", "passkey"), ("answer", "")];
        let challenge = browser.post("/account/passkeys", &asked).await.expect(200).json();
        let made = Authenticator::new(seed).create(&challenge["shown"], &origin).unwrap().to_string();
        let flow = challenge["flow"].as_str().unwrap();
        let fields = [("flow", flow), ("action", "add"), ("use", "passkey"), ("answer", made.as_str())];
        let _ = browser.post("/account/passkeys", &fields).await;
        assert_eq!(count(&site, &ada).await, present, "{origin}");
    }
}
