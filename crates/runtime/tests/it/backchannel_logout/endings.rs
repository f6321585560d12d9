//! Every way to end a session reports it to the applications that know of it, and to no other.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_domain::apps::SubjectForm;
use svc_http::Method;
use svc_keys::Algorithm;

use super::{EVENT, LOOPBACK, Party, manage, sid, sign_out};
use crate::harness::client::{Tokens, claims};
use crate::harness::publisher::Publisher;
use crate::harness::{Browser, Client, Code, Harness, Person, Site};
use crate::oauth_security::mailed_secret;

/// What can end a session.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    SignOut,
    Administrator,
    Suspended,
    Removed,
    PasswordReset,
    OtherPerson,
}

const ENDS: &[End] =
    &[End::SignOut, End::Administrator, End::Suspended, End::Removed, End::PasswordReset, End::OtherPerson];

pub async fn reset_password(client: &Client<'_>, person: &Person) {
    let site = &client.site;
    let mut browser = site.browser();
    let sign_in = client.authorize_path(&client.verifier(), &[]);
    let page = browser.get(&sign_in).await.expect(200);
    let forgot = browser.get(&page.link("forgot-link")).await.expect(200);
    let _ = browser.submit(&forgot, &[("username", &person.username)]).await.expect(200);
    let secret = mailed_secret(site.harness).await;
    let page = browser.get(&format!("/auth/reset?token={secret}")).await.expect(200);
    let _ = browser.submit(&page, &[("password", "another long passphrase")]).await.expect(200);
}

pub async fn sign_in_again(browser: &mut Browser<'_>, client: &Client<'_>, person: &Person) -> Tokens {
    let path = client.authorize_path("v".repeat(43).as_str(), &[("prompt", "login")]);
    let page = browser.get(&path).await.expect(200);
    let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
    let answer = browser.submit(&page, &fields).await;
    let code = answer.redirect_param("code").unwrap();
    let code = Code { code, verifier: "v".repeat(43) };
    Tokens { response: client.exchange(&code).await.expect(200).json() }
}

async fn bring_about(
    end: End,
    site: &Site<'_>,
    (party, person): (&Party<'_>, &Person),
    (browser, tokens): (&mut Browser<'_>, &Tokens),
) {
    let user = format!("/api/v1/tenant-users/{}", person.id);
    match end {
        End::SignOut => sign_out(browser, tokens).await,
        End::Administrator => {
            let path = format!("{user}/sessions/{}", sid(tokens).as_str().unwrap());
            manage(site, Method::DELETE, &path, None).await;
        }
        End::Suspended => manage(site, Method::POST, &format!("{user}/suspend"), None).await,
        End::Removed => manage(site, Method::DELETE, &user, None).await,
        End::PasswordReset => reset_password(&party.client, person).await,
        End::OtherPerson => {
            let other = site.user("bob").await;
            let _ = sign_in_again(browser, &party.client, &other).await;
        }
    }
}

#[tokio::test]
async fn whatever_ends_a_session_tells_the_application() {
    let server = Publisher::start().await;
    // Another person's sign-in ends a session where a browser holds one account.
    let h = Harness::with(&[LOOPBACK, ("SVC_SESSION_COOKIE__ACCOUNTS_PER_BROWSER", "1")]).await;
    for end in ENDS {
        let site = h.tenant(&format!("{end:?}").to_lowercase()).await;
        let (party, ada) = (Party::new(&site, &server, "web").await, site.user("ada").await);
        let mut browser = site.browser();
        let tokens = party.tokens_in(&mut browser, &ada).await;
        h.run_jobs().await;
        assert_eq!(party.told().await, Vec::<Value>::new(), "{end:?}: too early");
        bring_about(*end, &site, (&party, &ada), (&mut browser, &tokens)).await;
        h.run_jobs().await;
        h.run_jobs().await;
        let told = party.told().await;
        assert_eq!(told.len(), 1, "{end:?}: {told:?}");
        let now = h.operator().now.as_secs();
        let mut whole = told[0].clone();
        let jti = whole.as_object_mut().unwrap().remove("jti").unwrap();
        assert!(jti.as_str().unwrap().starts_with("dlv_"), "{jti}");
        let expected = json!({
            "iss": site.issuer(), "sub": ada.subject, "aud": party.client.id, "iat": now, "exp": now + 120,
            "sid": sid(&tokens), "events": { EVENT: {} },
        });
        assert_eq!(whole, expected, "{end:?}");
    }
}

#[tokio::test]
async fn a_sign_out_after_the_session_has_run_out_of_time_tells_the_applications_too() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let party = Party::new(&site, &server, "web").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let mut browser = site.browser();
    let adas = party.tokens_in(&mut browser, &ada).await;
    let bobs = party.tokens_in(&mut site.browser(), &bob).await;
    // Longer than a session lives unused, and shorter than it lives at all.
    h.advance(15 * 86_400);
    h.run_jobs().await;
    for query in [String::new(), format!("?id_token_hint={}", bobs.id_token())] {
        let _ = browser.get(&format!("/oauth/end-session{query}")).await.expect(200);
    }
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(
        party.told().await,
        Vec::<Value>::new(),
        "neither time, nor a stranger, nor no one in particular"
    );
    sign_out(&mut browser, &adas).await;
    h.run_jobs().await;
    h.run_jobs().await;
    let told = party.told().await;
    let named: Vec<_> = told.iter().map(|token| (&token["sub"], &token["sid"])).collect();
    assert_eq!(named, [(&json!(ada.subject), &sid(&adas))]);
}

#[tokio::test]
async fn the_end_reaches_those_of_a_session_that_had_run_out_of_time_before_the_next_sign_in() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let first = Party::new(&site, &server, "first").await;
    let second = Party::new(&site, &server, "second").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let (mut browser, mut shared) = (site.browser(), site.browser());
    let before = first.tokens_in(&mut browser, &ada).await;
    let _ = first.tokens_in(&mut shared, &ada).await;
    h.advance(15 * 86_400);
    h.run_jobs().await;
    let after = second.tokens_in(&mut browser, &ada).await;
    // Another person goes on from nothing.
    let bobs = second.tokens_in(&mut shared, &bob).await;
    sign_out(&mut browser, &after).await;
    sign_out(&mut shared, &bobs).await;
    h.run_jobs().await;
    h.run_jobs().await;
    let sids = |told: &[Value]| told.iter().map(|token| token["sid"].to_string()).collect::<BTreeSet<_>>();
    assert_ne!(sid(&before), sid(&after));
    assert_eq!(sids(&first.told().await), sids(&[claims(before.id_token())]));
    assert_eq!(sids(&second.told().await), sids(&[claims(after.id_token()), claims(bobs.id_token())]));
}

#[tokio::test]
async fn an_application_that_is_allowed_nothing_any_more_is_told_and_no_other() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let first = Party::new(&site, &server, "first").await;
    let third = Party::with(&site, &server, "third", |configuration| configuration.first_party = false).await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let mut browser = site.browser();
    let firsts = first.tokens_in(&mut browser, &ada).await;
    let thirds = third.tokens_in(&mut browser, &ada).await;
    let _ = third.tokens_in(&mut site.browser(), &bob).await;
    let page = browser.get("/auth/access").await.expect(200);
    let _ = browser.submit(&page, &[("app", third.client.id.as_str())]).await.expect(303);
    h.run_jobs().await;
    h.run_jobs().await;
    let told = third.told().await;
    let named: Vec<_> = told.iter().map(|token| (&token["sub"], &token["sid"])).collect();
    assert_eq!(named, [(&claims(thirds.id_token())["sub"], &sid(&thirds))]);
    assert_eq!(first.told().await, Vec::<Value>::new(), "the session goes on");
    sign_out(&mut browser, &firsts).await;
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!((first.told().await.len(), third.told().await.len()), (1, 1));
}

#[tokio::test]
async fn of_several_accounts_in_a_browser_only_the_session_that_ends_is_told() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let party = Party::new(&site, &server, "web").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let mut browser = site.browser();
    let adas = party.tokens_in(&mut browser, &ada).await;
    let bobs = sign_in_again(&mut browser, &party.client, &bob).await;
    h.run_jobs().await;
    assert_eq!(party.told().await, Vec::<Value>::new(), "an account that is added ends no other");
    sign_out(&mut browser, &adas).await;
    h.run_jobs().await;
    h.run_jobs().await;
    let told = party.told().await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["sid"], &told[0]["sub"]), (&sid(&adas), &json!(ada.subject)));
    assert_ne!(sid(&adas), sid(&bobs));
}

#[tokio::test]
async fn every_application_of_the_session_is_told_by_its_own_subject_and_algorithm() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let first = Party::new(&site, &server, "first").await;
    let second = Party::with(&site, &server, "second", |configuration| {
        configuration.subject_type = Some(SubjectForm::Pairwise);
        configuration.id_token_signed_response_alg = Some(Algorithm::Rs256);
    })
    .await;
    let never = Party::new(&site, &server, "never").await;
    let mute = site.app("mute").await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let tokens = first.tokens_in(&mut browser, &ada).await;
    let pairwise = second.tokens_in(&mut browser, &ada).await;
    let code = mute.code_in(&mut browser, &ada).await;
    let _ = mute.exchange(&code).await.expect(200);
    // Another browser's session goes on.
    let _ = never.tokens_in(&mut site.browser(), &ada).await;
    sign_out(&mut browser, &tokens).await;
    h.run_jobs().await;
    let (told, other) = (first.told().await, second.told().await);
    assert_eq!((told.len(), other.len(), never.told().await.len()), (1, 1, 0));
    assert_eq!((&told[0]["sid"], &other[0]["sid"]), (&sid(&tokens), &sid(&pairwise)));
    assert_eq!(told[0]["sub"], json!(ada.subject));
    assert_eq!(other[0]["sub"], claims(pairwise.id_token())["sub"]);
    assert_ne!(other[0]["sub"], json!(ada.subject));
    let header = server.posted(&second.path)[0].replace("logout_token=", "");
    let header = svc_keys::from_base64url(header.split('.').next().unwrap()).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&header).unwrap()["alg"], "RS256");
}

#[tokio::test]
async fn an_application_that_was_never_told_of_the_session_is_not_told_of_its_end() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (party, asker) = (Party::new(&site, &server, "web").await, Party::new(&site, &server, "asker").await);
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let code = party.client.code_with(&mut browser, &ada, &[("scope", "profile")]).await;
    let answer = party.client.exchange(&code).await.expect(200).json();
    assert_eq!(answer.get("id_token"), None);
    let tokens = asker.tokens_in(&mut browser, &ada).await;
    sign_out(&mut browser, &tokens).await;
    h.run_jobs().await;
    assert_eq!((party.told().await.len(), asker.told().await.len()), (0, 1));
}

#[tokio::test]
async fn signing_in_once_more_notifies_no_one_and_the_end_reaches_those_of_the_first_time() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (first, second) =
        (Party::new(&site, &server, "first").await, Party::new(&site, &server, "second").await);
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let before = first.tokens_in(&mut browser, &ada).await;
    let after = sign_in_again(&mut browser, &second.client, &ada).await;
    assert_ne!(sid(&before), sid(&after));
    h.run_jobs().await;
    assert_eq!((first.told().await.len(), second.told().await.len()), (0, 0));
    sign_out(&mut browser, &after).await;
    h.run_jobs().await;
    let (told, other) = (first.told().await, second.told().await);
    assert_eq!((told.len(), other.len()), (1, 1));
    assert_eq!((&told[0]["sid"], &other[0]["sid"]), (&sid(&before), &sid(&after)));
}

#[tokio::test]
async fn discovery_says_so() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["backchannel_logout_supported"], true);
    assert_eq!(document["backchannel_logout_session_supported"], true);
}
