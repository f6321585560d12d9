//! Second factors, passkeys, numbers and identities of an import: what they open, where, and for whom they never count.

use svc_domain::people::accounts::{self, Email};
use svc_domain::people::credentials::passkeys::{self, RelyingParty};
use svc_keys::{base64url, hex, sha256};
use svc_runtime::import::{Options, System};
use svc_testkit::Authenticator;

use super::systems::{brought, options};
use super::*;
use crate::harness::Code;
use crate::harness::client::claims;

const SECRET: &str = "JBSWY3DPEHPK3PXP";
const EMAIL: &str = "grace@old.example";

/// The code that an app shows now.
pub fn code(h: &Harness, secret: &str) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let totp = totp_rs::Builder::new().with_secret(secret).build_noncompliant();
    totp.generate(u64::try_from(h.operator().now.as_secs()).unwrap()).to_string()
}

#[expect(clippy::needless_pass_by_value, reason = "tests write the document where it is used")]
fn line(more: Value) -> Value {
    let mut line = json!({ "external_id": "1", "email": EMAIL, "password_hash": { "value": BCRYPT } });
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line
}

/// The relying party at the tenant's host.
fn rp_id(site: &Site<'_>) -> String {
    RelyingParty::at(&site.harness.app().config, site.issuer()).unwrap().id().to_owned()
}

/// The flow of a page.
fn flow(page: &Answer) -> &str {
    page.body.split("name=\"flow\" value=\"").nth(1).unwrap().split('"').next().unwrap()
}

/// A device with a key that another system has made it make, and what that system kept of it.
fn made_elsewhere(site: &Site<'_>, device: &mut Authenticator) -> Value {
    let rp_id = rp_id(site);
    let handle = base64url(b"user 4711 of the other system");
    let asked = json!({ "rp": { "id": rp_id }, "user": { "id": handle }, "challenge": "elsewhere",
        "authenticatorSelection": { "residentKey": "required", "userVerification": "required" } });
    let answer = device.create(&asked, site.issuer()).unwrap();
    json!({ "rp_id": rp_id, "credential_id": answer["id"], "public_key": base64url(device.public_key()),
        "sign_count": device.counter, "user_handle": handle, "name": "Old laptop", "transports": ["internal"] })
}

/// Asks for a challenge on the sign-in page, and answers it.
pub async fn with_passkey(client: &Client<'_>, device: &mut Authenticator) -> (Answer, String) {
    let (site, verifier) = (&client.site, client.verifier());
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&verifier, &[])).await.expect(200);
    let begun = browser.post("/auth/challenge", &[("flow", flow(&page)), ("method", "passkey")]).await.json();
    let answer = device.get(&begun["shown"], site.issuer()).expect("a key for this host").to_string();
    let fields = [("flow", begun["flow"].as_str().unwrap()), ("method", "passkey"), ("answer", &answer)];
    (browser.post("/auth/sign-in", &fields).await, verifier)
}

async fn told(client: &Client<'_>, answer: &Answer, verifier: String) -> Value {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code: {answer:?}"));
    let tokens = client.exchange(&Code { code, verifier }).await.expect(200).json();
    claims(tokens["id_token"].as_str().unwrap())
}

async fn kept(site: &Site<'_>, kind: &str) -> i64 {
    let mut tx = site.harness.app().db.read_system().await.unwrap();
    let count = SystemSql::new("SELECT count(*) AS count FROM account_credentials WHERE kind = $1");
    tx.one(count, args![kind]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn an_imported_app_is_asked_for_after_the_old_password_and_its_codes_count_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for more in [
        json!({ "totp_secret": "jbsw y3dp ehpk 3pxp" }),
        json!({ "factors": [{ "type": "totp", "secret": SECRET, "name": "Phone" }], "email": "two@old.example", "external_id": "2" }),
    ] {
        assert_eq!(imported(&site, json!({}), &[line(more)]).await["counts"]["created"], 1);
    }
    let app = site.app("old").await;
    for email in [EMAIL, "two@old.example"] {
        let (mut browser, page) = attempt(&app, email, PASSWORD).await;
        assert!(page.body.contains("totp-submit") && !page.begins_session(), "{page:?}");
        let wrong = browser.submit(&page, &[("code", "000000")]).await;
        assert!(wrong.body.contains("totp-submit"), "{wrong:?}");
        let right = code(&h, SECRET);
        let entered = browser.submit(&wrong, &[("code", &right)]).await;
        assert!(entered.begins_session(), "{entered:?}");
        let (mut again, page) = attempt(&app, email, PASSWORD).await;
        let refused = again.submit(&page, &[("code", &right)]).await;
        assert!(refused.body.contains("totp-submit") && !refused.begins_session(), "{refused:?}");
    }
}

#[tokio::test]
async fn an_imported_passkey_signs_in_by_the_handle_that_its_authenticator_knows() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("old").await;
    for (seed, mut device) in [(1, Authenticator::new(1)), (2, Authenticator::synced(2))] {
        device.counter = 7;
        let email = format!("person{seed}@old.example");
        let line = json!({ "email": email, "passkeys": [made_elsewhere(&site, &mut device)] });
        assert_eq!(imported(&site, json!({}), &[line]).await["counts"]["created"], 1);
        for counter in [8, 9] {
            device.counter = counter;
            let (entered, verifier) = with_passkey(&app, &mut device).await;
            let told = told(&app, &entered, verifier).await;
            let key = if seed == 1 { "hwk" } else { "swk" };
            assert_eq!(told["amr"], json!([key, "user", "mfa"]), "{told}");
        }
    }
}

#[tokio::test]
async fn a_passkey_that_is_presented_with_another_key_or_handle_opens_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("old").await;
    let (mut hers, mut eves) = (Authenticator::new(1), Authenticator::new(2));
    let (hers_kept, eves_kept) = (made_elsewhere(&site, &mut hers), made_elsewhere(&site, &mut eves));
    let mut other_key = hers_kept.clone();
    other_key["public_key"] = eves_kept["public_key"].clone();
    let mut other_handle = eves_kept.clone();
    other_handle["user_handle"] = json!(base64url(b"another person"));
    let lines = [
        json!({ "email": "one@old.example", "passkeys": [other_key] }),
        json!({ "email": "two@old.example", "passkeys": [other_handle] }),
    ];
    assert_eq!(imported(&site, json!({}), &lines).await["counts"]["created"], 2);
    for device in [&mut hers, &mut eves] {
        let (refused, _) = with_passkey(&app, device).await;
        assert!(!refused.begins_session() && refused.body.contains("login-submit"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_security_key_is_the_second_factor_and_no_way_in_by_itself() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut key = made_elsewhere(&site, &mut Authenticator::new(1));
    key["use"] = json!("security_key");
    key.as_object_mut().unwrap().remove("user_handle");
    assert_eq!(
        imported(&site, json!({}), &[line(json!({ "passkeys": [key] }))]).await["counts"]["created"],
        1
    );
    let (_, page) = attempt(&site.app("old").await, EMAIL, PASSWORD).await;
    assert!(page.body.contains("passkey-submit") && !page.begins_session(), "{page:?}");
}

#[tokio::test]
async fn members_of_a_passkey_that_are_null_count_as_absent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut key = made_elsewhere(&site, &mut Authenticator::new(1));
    key["use"] = json!("security_key");
    for member in ["user_handle", "sign_count", "name", "transports", "aaguid", "backup_eligible"] {
        key[member] = Value::Null;
    }
    let outcome = imported(&site, json!({}), &[line(json!({ "passkeys": [key] }))]).await;
    assert_eq!(outcome["counts"]["created"], 1, "{outcome}");
    let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
    let account = accounts::find_by_email(&mut tx, &Email::parse(EMAIL).unwrap()).await.unwrap().unwrap();
    let kept = passkeys::list(&mut tx, account.id).await.unwrap();
    assert_eq!(kept[0].0.name, "Security key", "as in the account centre");
}

#[tokio::test]
async fn imported_codes_stand_in_for_the_app_each_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let more = json!({ "totp_secret": SECRET, "backup_code_hashes": [hex(sha256(b"abcd1234"))] });
    assert_eq!(imported(&site, json!({}), &[line(more)]).await["counts"]["created"], 1);
    let app = site.app("old").await;
    for (typed, enters) in [("abcd-12345", false), ("ABCD-1234", true), ("abcd-1234", false)] {
        let (mut browser, page) = attempt(&app, EMAIL, PASSWORD).await;
        let fields = [("flow", flow(&page)), ("method", "backup_code"), ("code", typed)];
        let answer = browser.post("/auth/sign-in", &fields).await;
        assert_eq!(answer.begins_session(), enters, "{typed}: {answer:?}");
    }
}

#[tokio::test]
async fn people_of_keycloak_keep_their_app_and_their_codes() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, told) = brought(&site, &options(System::Keycloak, "keycloak-factors.json")).await;
    assert_eq!((import.counts.created, import.counts.failed), (1, 0), "{told:?}");
    let app = site.app("old").await;
    let (mut browser, page) = attempt(&app, "edith@keycloak.example", PASSWORD).await;
    assert!(page.body.contains("totp-submit"), "{page:?}");
    let secret = totp_rs::Secret::new(b"bXhqzZqmYb2cdjW7eDuI".to_vec().into());
    let totp = totp_rs::Builder::new().with_secret(secret).with_digits(8).with_step_duration(60);
    let totp = totp.with_algorithm(totp_rs::Algorithm::SHA256).build_noncompliant();
    let right = totp.generate(u64::try_from(h.operator().now.as_secs()).unwrap()).to_string();
    assert!(browser.submit(&page, &[("code", &right)]).await.begins_session());
    let (mut browser, page) = attempt(&app, "edith@keycloak.example", PASSWORD).await;
    let fields = [("flow", flow(&page)), ("method", "backup_code"), ("code", "k3x9-plm2-qrsa")];
    assert!(browser.post("/auth/sign-in", &fields).await.begins_session());
    assert_eq!(kept(&site, "identity").await, 1, "the one at Google");
}

#[tokio::test]
async fn passkeys_of_keycloak_work_at_the_relying_party_that_is_named() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut device = Authenticator::new(1);
    let id = "7c1f6a3e-52d1-4a53-8a3c-0a9c1e1f0d12";
    let rp_id = rp_id(&site);
    let asked = json!({ "rp": { "id": rp_id }, "user": { "id": base64url(id) }, "challenge": "elsewhere",
        "authenticatorSelection": { "residentKey": "required", "userVerification": "required" } });
    let answer = device.create(&asked, site.issuer()).unwrap();
    let credential = json!({ "aaguid": "07070707-0707-0707-0707-070707070707", "credentialId": answer["id"], "counter": 0,
        "credentialPublicKey": base64url(device.public_key()), "transports": ["INTERNAL"] });
    let realm = json!({ "users": [{ "id": id, "email": "key@keycloak.example", "enabled": true, "credentials": [
        { "type": "webauthn-passwordless", "userLabel": "Key", "secretData": "{}", "credentialData": credential.to_string() }] }] });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("realm.json");
    std::fs::write(&path, realm.to_string()).unwrap();
    let named = |dry_run| Options {
        file: path.clone(),
        rp_id: Some(rp_id.clone()),
        dry_run,
        ..options(System::Keycloak, "keycloak.json")
    };
    assert_eq!(brought(&site, &named(true)).await.0.counts.created, 1);
    assert_eq!(kept(&site, "passkey").await, 0);
    assert_eq!(brought(&site, &named(false)).await.0.counts.created, 1);
    let (entered, _) = with_passkey(&site.app("old").await, &mut device).await;
    assert!(entered.begins_session(), "{entered:?}");
}

#[tokio::test]
async fn a_number_that_the_source_has_proven_gets_codes_and_one_that_it_has_not_gets_none() {
    let h = Harness::with(&[("SVC_SMS__ENABLED", "true")]).await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let lines = [
        line(json!({ "profile": { "phone_number": "+44 20 7946 0777", "phone_number_verified": true } })),
        json!({ "email": "two@old.example", "profile": { "phone_number": "+442079460778" } }),
    ];
    assert_eq!(imported(&site, json!({}), &lines).await["counts"]["created"], 2);
    let (here, elsewhere) = (site.app("old").await, other.app("old").await);
    for (app, number, texts) in
        [(&here, "+442079460778", 0), (&elsewhere, "+442079460777", 0), (&here, "+442079460777", 1)]
    {
        let mut browser = app.site.browser();
        let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
        let form = browser.get(&page.link("sms-link")).await.expect(200);
        let _ = browser.submit(&form, &[("phone", number)]).await;
        assert_eq!(h.texts().await.len(), texts, "{number} at {}", app.site.host);
    }
    // A person elsewhere proves the number, whatever the tenant says of it.
    let ada = other.user("ada").await;
    let mut tx = h.app().db.begin(other.tenant.id).await.unwrap();
    let ada = svc_domain::people::tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap();
    let number = svc_domain::people::phones::PhoneNumber::parse("+442079460777").unwrap();
    svc_domain::people::phones::set(&mut tx, &h.operator(), &ada, &number).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_line_whose_factors_are_wrong_is_named_with_its_member_and_never_with_its_secret() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let good = made_elsewhere(&site, &mut Authenticator::new(1));
    let with = |member: &str, value: Value| {
        let mut passkey = good.clone();
        passkey[member] = value;
        json!({ "passkeys": [passkey] })
    };
    let cases = [
        (json!({ "totp_secret": "not base32 at all !1" }), "totp_secret"),
        (json!({ "totp_secret": "MFRGG" }), "totp_secret"),
        (json!({ "factors": [{ "type": "totp", "secret": SECRET, "digits": 4 }] }), "factors[0]"),
        (json!({ "factors": [{ "type": "totp", "secret": SECRET, "algorithm": "MD5" }] }), "factors[0]"),
        (json!({ "factors": [{ "type": "totp" }] }), "factors[0]"),
        (json!({ "factors": [{ "type": "otp", "credentialData": "{", "secretData": "{}" }] }), "factors[0]"),
        (with("public_key", json!(base64url(b"\xa1\x01\x02"))), "passkeys[0]"),
        (with("public_key", json!("!")), "passkeys[0]"),
        (with("credential_id", Value::Null), "passkeys[0]"),
        (with("rp_id", json!("https://id.test/")), "passkeys[0]"),
        (with("rp_id", Value::Null), "passkeys[0]"),
        (with("sign_count", json!(-1)), "passkeys[0]"),
        (with("sign_count", json!(1_u64 << 40)), "passkeys[0]"),
        (with("user_handle", json!(base64url([1; 65]))), "passkeys[0]"),
        (with("use", json!("both")), "passkeys[0]"),
        (json!({ "passkeys": [good.clone(), good] }), "passkeys"),
        (json!({ "backup_code_hashes": ["abcd-1234"] }), "backup_code_hashes[0]"),
        (
            json!({ "identities": [{ "provider": "google", "issuer": "a\u{7}b", "subject": "1" }] }),
            "identities[0]",
        ),
        (
            json!({ "identities": [{ "provider": "siwe", "issuer": "eip155:1", "subject": "0x1" }] }),
            "identities[0]",
        ),
        (json!({ "profile": { "phone_number": "0207946", "phone_number_verified": true } }), "profile"),
    ];
    for (more, field) in cases {
        let outcome = imported(&site, json!({}), &[line(more.clone())]).await;
        assert_eq!(outcome["counts"]["failed"], 1, "{more}: {outcome}");
        assert_eq!(outcome["failures"][0]["errors"][0]["field"], field, "{outcome}");
        assert!(!outcome.to_string().contains(SECRET), "{outcome}");
    }
    assert_eq!(member(&site, EMAIL).await, Value::Null);
}

#[tokio::test]
async fn nothing_is_planted_on_an_account_that_is_there_already() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (ada, bob) = (other.user("ada").await, site.user("bob").await);
    assert_eq!(imported(&site, json!({}), &[line(json!({}))]).await["counts"]["created"], 1);
    let device = &mut Authenticator::new(1);
    let everything = json!({
        "totp_secret": SECRET, "passkeys": [made_elsewhere(&site, device)], "backup_code_hashes": [hex(sha256(b"abcd1234"))],
        "identities": [{ "provider": "google", "issuer": "https://accounts.google.com", "subject": "1" }],
        "profile": { "phone_number": "+442079460777", "phone_number_verified": true },
    });
    for email in [ada.email.as_str(), bob.email.as_str(), EMAIL] {
        let mut line = line(everything.clone());
        line["email"] = json!(email);
        line.as_object_mut().unwrap().remove("external_id");
        for on_conflict in ["update", "skip"] {
            let outcome = imported(&site, json!({ "on_conflict": on_conflict }), &[line.clone()]).await;
            assert_eq!(
                (&outcome["counts"]["created"], &outcome["counts"]["failed"]),
                (&json!(0), &json!(0)),
                "{outcome}"
            );
        }
    }
    for kind in ["totp", "passkey", "backup_code", "identity", "phone"] {
        assert_eq!(kept(&site, kind).await, 0, "{kind}");
    }
    let mut tx = h.app().db.read_system().await.unwrap();
    let sealed =
        SystemSql::new("SELECT count(*) AS count FROM imported_people WHERE sealed_factors IS NOT NULL");
    assert_eq!(tx.one(sealed, args![]).await.unwrap().int("count").unwrap(), 0);
}

#[tokio::test]
async fn what_a_tenant_imports_opens_no_other_and_is_in_no_ones_way() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let identity = json!({ "provider": "google", "issuer": "https://accounts.google.com", "subject": "1" });
    let passkey = made_elsewhere(&other, &mut Authenticator::new(1));
    let more = json!({ "identities": [identity], "passkeys": [passkey] });
    let mut device = Authenticator::new(1);
    made_elsewhere(&other, &mut device);
    assert_eq!(imported(&site, json!({}), &[line(more.clone())]).await["counts"]["created"], 1);
    // The same passkey, at the host of another tenant that shares its relying party.
    let (refused, _) = with_passkey(&other.app("elsewhere").await, &mut device).await;
    assert!(!refused.begins_session(), "{refused:?}");
    // The other tenant has the same people of its own, under other addresses.
    let mut theirs = line(more);
    theirs["email"] = json!("grace@other.example");
    assert_eq!(imported(&other, json!({}), &[theirs.clone()]).await["counts"]["created"], 1);
    theirs["email"] = json!("twin@other.example");
    theirs["external_id"] = json!("2");
    let twin = imported(&other, json!({}), &[theirs]).await;
    assert_eq!(twin["failures"][0]["errors"][0]["field"], "passkeys", "{twin}");
}

#[tokio::test]
async fn the_person_who_proves_the_address_has_nothing_of_what_was_imported() {
    use svc_domain::log::Action;
    use svc_domain::people::{accounts, changes};

    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let more = json!({ "totp_secret": SECRET, "passkeys": [made_elsewhere(&site, &mut Authenticator::new(1))],
        "profile": { "name": "Grace", "phone_number": "+442079460777", "phone_number_verified": true } });
    assert_eq!(imported(&site, json!({}), &[line(more)]).await["counts"]["created"], 1);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let email = Email::parse(EMAIL).unwrap();
    let account = accounts::find_by_email(&mut tx, &email).await.unwrap().unwrap();
    assert!(account.profile.phone_number_verified);
    let chosen = ("$argon2id$chosen", Action::PasswordChanged);
    changes::hand_over(&mut tx, &h.operator(), &account, Some(chosen)).await.unwrap();
    tx.commit().await.unwrap();
    for kind in ["totp", "passkey", "phone"] {
        assert_eq!(kept(&site, kind).await, 0, "{kind}");
    }
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let after = accounts::find(&mut tx, account.id).await.unwrap().unwrap();
    let claims = serde_json::to_value(&after.profile).unwrap();
    assert_eq!(claims, json!({ "name": "Grace" }));
}
