//! Second factors and passkeys through the API: added in two calls that belong to one person, named and removed.

use serde_json::{Value, json};
use svc_http::Method;
use svc_testkit::Authenticator;

use super::last_way_in::with_passkey;
use super::own;
use crate::harness::client::claims;
use crate::harness::{Harness, Person, Site};

/// The credentials of a person, by kind.
async fn kept(site: &Site<'_>, person: &Person, kind: &str) -> Vec<Value> {
    let listed = own(site, person, (Method::GET, "/credentials"), None).await.expect(200).json();
    let all = listed["data"].as_array().unwrap().iter();
    all.filter(|one| one["kind"] == kind).cloned().collect()
}

/// The code that an app with this key shows now.
pub fn code(site: &Site<'_>, secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build().unwrap();
    totp.generate(u64::try_from(site.harness.operator().now.as_secs()).unwrap()).to_string()
}

/// Gives a person an app for one-time codes; the key that it has.
pub async fn with_app(site: &Site<'_>, person: &Person) -> String {
    let begun = own(site, person, (Method::POST, "/totp"), None).await.expect(200).json();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    let proof = json!({ "flow": begun["flow"], "code": code(site, &secret), "name": "My phone" });
    let _ = own(site, person, (Method::POST, "/totp/confirm"), Some(proof)).await.expect(204);
    secret
}

#[tokio::test]
async fn an_app_is_added_by_a_code_of_its_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let begun = own(&site, &ada, (Method::POST, "/totp"), None).await.expect(200).json();
    assert!(begun["url"].as_str().unwrap().starts_with("otpauth://totp/"), "{begun}");
    let right = code(&site, begun["secret"].as_str().unwrap());
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let confirm = |code: &str| Some(json!({ "flow": begun["flow"], "code": code }));
    let path = (Method::POST, "/totp/confirm");
    let _ = own(&site, &ada, path.clone(), confirm(wrong)).await.expect_problem(400, "bad_request");
    let _ = own(&site, &bob, path.clone(), confirm(&right)).await.expect_problem(400, "bad_request");
    assert!(kept(&site, &ada, "totp").await.is_empty());
    let _ = own(&site, &ada, path.clone(), confirm(&right)).await.expect(204);
    // The call that is sent again adds nothing: two entries of one key would each take a code of it.
    let _ = own(&site, &ada, path.clone(), confirm(&right)).await.expect(204);
    assert_eq!(kept(&site, &ada, "totp").await.len(), 1);
    h.advance(15 * 60);
    let _ = own(&site, &ada, path, confirm(&right)).await.expect_problem(400, "bad_request");
}

#[tokio::test]
async fn an_app_more_than_an_account_may_have_is_refused_in_its_form_and_by_the_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get("/account/second-factors").await.expect(200);
    let adding = browser.submit(&page, &[("action", "begin")]).await.expect(200);
    let key = adding.body.split("id=\"totp-key\">").nth(1).unwrap().split('<').next().unwrap();
    let begun = own(&site, &ada, (Method::POST, "/totp"), None).await.expect(200).json();
    for _ in 0..20 {
        site.second_factor(ada.id).await;
    }
    let shown = code(&site, key);
    let proof = [("action", "add"), ("code", shown.as_str())];
    for fields in [&proof[..], &[("action", "begin")]] {
        let full = browser.submit(&adding, fields).await.expect(200);
        assert!(full.body.contains("apps, which is the most") && !full.body.contains("totp-key"), "{full:?}");
    }
    let proof = json!({ "flow": begun["flow"], "code": code(&site, begun["secret"].as_str().unwrap()) });
    let refused = own(&site, &ada, (Method::POST, "/totp/confirm"), Some(proof)).await;
    let refused = refused.expect_problem(409, "conflict").json();
    assert_eq!(refused["detail"], "an account has at most 20 apps; remove one before another is added");
    assert_eq!(kept(&site, &ada, "totp").await.len(), 20);
}

#[tokio::test]
async fn an_app_that_is_confirmed_twice_at_once_is_added_once_and_both_are_told_so() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for name in ["ada", "bob", "cyd", "dan"] {
        let person = site.user(name).await;
        let begun = own(&site, &person, (Method::POST, "/totp"), None).await.expect(200).json();
        let proof = json!({ "flow": begun["flow"], "code": code(&site, begun["secret"].as_str().unwrap()) });
        let confirm = || own(&site, &person, (Method::POST, "/totp/confirm"), Some(proof.clone()));
        let (one, other) = tokio::join!(confirm(), confirm());
        let _ = (one.expect(204), other.expect(204));
        assert_eq!(kept(&site, &person, "totp").await.len(), 1);
    }
}

#[tokio::test]
async fn a_passkey_with_a_wrong_name_is_added_under_another_by_the_same_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let asked = Some(json!({ "use": "passkey" }));
    let begun = own(&site, &ada, (Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = Authenticator::new(1).create(&begun["options"], site.issuer()).unwrap();
    let named = |name: &str| Some(json!({ "flow": begun["flow"], "answer": answer, "name": name }));
    let path = (Method::POST, "/passkeys/confirm");
    for wrong in ["a\nb", &"x".repeat(61)] {
        let refused = own(&site, &ada, path.clone(), named(wrong)).await;
        let _ = refused.expect_problem(400, "bad_request");
    }
    let _ = own(&site, &ada, path, named(" Laptop ")).await.expect(204);
    assert_eq!(kept(&site, &ada, "passkey").await[0]["name"], "Laptop");
}

#[tokio::test]
async fn a_token_of_a_sign_in_that_was_never_asked_for_a_new_app_changes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let _first = site.sign_in(&web, &ada).await;
    h.advance(1);
    let _second = site.sign_in(&web, &ada).await;
    h.advance(1);
    let listed = own(&site, &ada, (Method::GET, "/sessions"), None).await.expect(200).json();
    let mut sessions = listed["data"].as_array().unwrap().clone();
    sessions.sort_by_key(|session| session["created_at"].as_str().unwrap().to_owned());
    let now = site.harness.operator().now.as_secs();
    let [first, second] = [0, 1].map(|nth| {
        site.mint(|claims| {
            claims["sub"] = json!(ada.subject);
            claims["subject_type"] = json!("human");
            claims["scope"] = json!("identity:read identity:write");
            (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
            claims["sid"] = sessions[nth]["id"].clone();
        })
    });
    let site = &site;
    let call = async |token: &str, path: &str, body: Option<Value>| {
        site.call(Method::POST, &format!("/api/v1/identity{path}"), Some(token), body).await
    };
    let begun = call(&second, "/totp", None).await.expect(200).json();
    let code = code(site, begun["secret"].as_str().unwrap());
    let proof = json!({ "flow": begun["flow"], "code": code });
    let _ = call(&second, "/totp/confirm", Some(proof)).await.expect(204);
    for path in ["/totp", "/backup-codes"] {
        let refused = call(&first, path, None).await;
        let challenge = refused.header("www-authenticate").to_owned();
        assert!(challenge.contains("insufficient_user_authentication"), "{path}: {challenge}");
        assert!(challenge.ends_with("max_age=\"0\""), "{path}: {challenge}");
        let _ = refused.expect_problem(401, "unauthorized");
    }
    let _ = call(&second, "/backup-codes", None).await.expect(200);
}

#[tokio::test]
async fn a_token_that_may_outlive_its_session_was_not_asked_for_a_new_app_either() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let issued = claims(web.tokens(&ada).await.access_token());
    assert_eq!(issued["sid"], json!(null));
    h.advance(1);
    let _ = with_app(&site, &ada).await;
    let now = h.operator().now.as_secs();
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
        claims["jti"] = issued["jti"].clone();
    });
    let path = "/api/v1/identity/backup-codes";
    let refused = site.call(Method::POST, path, Some(&token), None).await;
    let _ = refused.expect_problem(401, "unauthorized");
}

#[tokio::test]
async fn backup_codes_stand_for_a_factor_and_go_with_the_last_app() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = own(&site, &ada, (Method::POST, "/backup-codes"), None).await.expect_problem(409, "conflict");
    let _ = with_app(&site, &ada).await;
    let made = own(&site, &ada, (Method::POST, "/backup-codes"), None).await.expect(200).json();
    assert_eq!(made["codes"].as_array().unwrap().len(), 10);
    let left = own(&site, &ada, (Method::GET, "/backup-codes"), None).await.expect(200).json();
    assert_eq!(left, json!({ "left": 10, "has_factor": true }));
    let [app] = kept(&site, &ada, "totp").await.try_into().unwrap();
    let one = format!("/credentials/{}", app["id"].as_str().unwrap());
    let name = format!("{one}/name");
    let call = (Method::PUT, name.as_str());
    let _ = own(&site, &ada, call.clone(), Some(json!({ "name": "Old phone" }))).await.expect(204);
    assert_eq!(kept(&site, &ada, "totp").await[0]["name"], "Old phone");
    let _ = own(&site, &ada, call, Some(json!({ "name": " " }))).await.expect_problem(400, "bad_request");
    let bob = site.user("bob").await;
    let _ = own(&site, &bob, (Method::DELETE, &one), None).await.expect_problem(404, "not_found");
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect(204);
    let left = own(&site, &ada, (Method::GET, "/backup-codes"), None).await.expect(200).json();
    assert_eq!(left, json!({ "left": 0, "has_factor": false }));
}

#[tokio::test]
async fn backup_codes_that_stood_for_a_key_alone_go_with_it_and_stand_for_no_later_factor() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    with_passkey(&site, &ada, 1).await;
    with_passkey(&site, &ada, 2).await;
    let _ = own(&site, &ada, (Method::POST, "/backup-codes"), None).await.expect(200);
    let [one, other] = kept(&site, &ada, "passkey").await.try_into().unwrap();
    for (key, left) in [(one, 10), (other, 0)] {
        let path = format!("/credentials/{}", key["id"].as_str().unwrap());
        let _ = own(&site, &ada, (Method::DELETE, &path), None).await.expect(204);
        let told = own(&site, &ada, (Method::GET, "/backup-codes"), None).await.expect(200).json();
        assert_eq!(told["left"], left);
    }
    let _ = with_app(&site, &ada).await;
    assert_eq!(kept(&site, &ada, "backup_code").await.len(), 0);
}

#[tokio::test]
async fn of_codes_that_are_made_twice_at_once_those_of_one_answer_count() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = with_app(&site, &ada).await;
    for _ in 0..5 {
        let make = || own(&site, &ada, (Method::POST, "/backup-codes"), None);
        let (one, other) = tokio::join!(make(), make());
        let _ = (one.expect(200), other.expect(200));
        assert_eq!(kept(&site, &ada, "backup_code").await.len(), 10);
    }
}

#[tokio::test]
async fn pages_of_keys_and_apps_speak_of_no_password_that_a_person_may_not_have() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    for section in ["passkeys", "second-factors"] {
        let page = browser.get(&format!("/account/{section}")).await.expect(200);
        assert!(!page.body.contains("your password"), "{page:?}");
    }
}

#[tokio::test]
async fn nothing_is_made_for_second_factors_that_are_switched_off() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = with_app(&site, &ada).await;
    let without = h.restarted_with(&[("SVC_TWO_FACTOR__ENABLED", "false")]).await;
    let site = Site { harness: &without, ..site.clone() };
    for path in ["/totp", "/backup-codes"] {
        let _ = own(&site, &ada, (Method::POST, path), None).await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn the_last_second_factor_stays_where_one_is_demanded() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = with_app(&site, &ada).await;
    let [app] = kept(&site, &ada, "totp").await.try_into().unwrap();
    let one = format!("/credentials/{}", app["id"].as_str().unwrap());
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect_problem(409, "conflict");
    h.advance(30);
    let _ = with_app(&site, &ada).await;
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect(204);
}

#[tokio::test]
async fn a_passkey_is_the_answer_to_a_challenge_once_and_for_the_person_who_asked() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let asked = json!({ "use": "passkey" });
    let begun = own(&site, &ada, (Method::POST, "/passkeys"), Some(asked.clone())).await.expect(200).json();
    let mut authenticator = Authenticator::synced(1);
    let answer = authenticator.create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Laptop" });
    let path = (Method::POST, "/passkeys/confirm");
    let _ = own(&site, &bob, path.clone(), Some(proof.clone())).await.expect_problem(400, "bad_request");
    let _ = own(&site, &ada, path.clone(), Some(proof.clone())).await.expect(204);
    assert_eq!(kept(&site, &ada, "passkey").await[0]["name"], "Laptop");
    let _ = own(&site, &ada, path, Some(proof)).await.expect_problem(400, "bad_request");
    let unknown = json!({ "use": "smoke signals" });
    let _ = own(&site, &ada, (Method::POST, "/passkeys"), Some(unknown))
        .await
        .expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn what_is_named_by_what_it_is_keeps_that_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = with_app(&site, &ada).await;
    let _ = own(&site, &ada, (Method::POST, "/backup-codes"), None).await.expect(200);
    site.phone(ada.id, "+442079460777").await;
    site.identity(ada.id).await;
    for (kind, status) in [("totp", 204), ("backup_code", 409), ("phone", 409), ("identity", 409)] {
        let before = kept(&site, &ada, kind).await.remove(0);
        let path = format!("/credentials/{}/name", before["id"].as_str().unwrap());
        let named = Some(json!({ "name": "Mine" }));
        let _ = own(&site, &ada, (Method::PUT, &path), named).await.expect(status);
        let is_renamed = kept(&site, &ada, kind).await.iter().any(|one| one["name"] == "Mine");
        assert_eq!(is_renamed, status == 204, "{kind}");
    }
}

#[tokio::test]
async fn a_clock_may_be_as_far_off_as_the_deployment_says_from_the_first_code_on() {
    for (steps, off, is_taken) in [("0", 30, false), ("1", 30, true), ("1", 60, false), ("2", 60, true)] {
        let h = Harness::with(&[("SVC_TWO_FACTOR__TOTP_SKEW_STEPS", steps)]).await;
        let site = h.tenant("main").await;
        let (web, ada) = (site.app("web").await, site.user("ada").await);
        let begun = own(&site, &ada, (Method::POST, "/totp"), None).await.expect(200).json();
        let secret = begun["secret"].as_str().unwrap().to_owned();
        let proof = json!({ "flow": begun["flow"], "code": code(&site, &secret) });
        h.advance(off);
        let answer = own(&site, &ada, (Method::POST, "/totp/confirm"), Some(proof)).await;
        assert_eq!(answer.status == 204, is_taken, "{steps} steps, {off} seconds: {answer:?}");
        let secret = if is_taken { secret } else { with_app(&site, &ada).await };
        h.advance(90);
        let late = code(&site, &secret);
        h.advance(off);
        let mut browser = site.browser();
        let page = browser.get(&web.authorize_path("v", &[])).await;
        let fields = [("username", ada.username.as_str()), ("password", &ada.password)];
        let page = browser.submit(&page, &fields).await;
        let answer = browser.submit(&page, &[("code", &late)]).await;
        assert_eq!(answer.is_signed_in(), is_taken, "{steps} steps, {off} seconds: {answer:?}");
    }
}

#[tokio::test]
async fn apps_show_the_name_and_people_print_as_many_codes_as_the_deployment_says() {
    let h =
        Harness::with(&[("SVC_TWO_FACTOR__ISSUER_NAME", "Acme"), ("SVC_TWO_FACTOR__BACKUP_CODE_COUNT", "5")])
            .await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let begun = own(&site, &ada, (Method::POST, "/totp"), None).await.expect(200).json();
    assert!(begun["url"].as_str().unwrap().starts_with("otpauth://totp/Acme:"), "{begun}");
    let _ = with_app(&site, &ada).await;
    let made = own(&site, &ada, (Method::POST, "/backup-codes"), None).await.expect(200).json();
    assert_eq!(made["codes"].as_array().unwrap().len(), 5);
}
