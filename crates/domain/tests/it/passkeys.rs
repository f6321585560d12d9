//! Passkeys by the rules of WebAuthn §7: what counts as an answer, and what does not.

use serde_json::{Value, json};
use svc_config::Config;
use svc_core::{AccountId, Seconds, SeededEntropy, Timestamp};
use svc_domain::people::credentials::passkeys::{
    AllowedPasskeys, Answer, Created, Fault, Holder, Passkey, RelyingParty, Request, Use, Verified,
    user_handle,
};
use svc_keys::{base64url, from_base64url};
use svc_testkit::Authenticator;

const NOW: Timestamp = Timestamp::from_secs(1_700_000_000);
const ORIGIN: &str = "https://acme.example.com";

fn config(env: &[(&str, &str)]) -> Config {
    svc_testkit::config(&[&[("SVC_OIDC__ISSUER_URL", "https://id.example.com")], env].concat())
}

fn shared() -> Config {
    config(&[("SVC_PASSKEY__RP_ID", "example.com")])
}

fn person() -> AccountId {
    AccountId::new(NOW, &SeededEntropy::new(1))
}

/// Ada, who has a device with a key, and what is kept of it.
struct Ada {
    party: RelyingParty,
    device: Authenticator,
    passkey: Passkey,
}

impl Ada {
    fn new(purpose: Use, device: Authenticator) -> Self {
        let party = RelyingParty::at(&shared(), ORIGIN).unwrap();
        let mut device = device;
        let passkey = made(&party, &mut device, purpose).unwrap().passkey().clone();
        Self { party, device, passkey }
    }

    fn asked(&self) -> (Value, Request) {
        self.party.request(AllowedPasskeys::Any, NOW).unwrap()
    }

    fn verify(&self, request: &Request, answer: &Value) -> Result<Verified, Fault> {
        let answer = Answer::read(&answer.to_string()).ok_or(Fault::Invalid)?;
        self.party.verify(request, &answer, (&self.passkey, 5))
    }
}

fn made(party: &RelyingParty, device: &mut Authenticator, purpose: Use) -> Result<Created, Fault> {
    let holder = Holder { account: person(), name: "ada@example.com", display_name: "Ada" };
    let (options, creation) = party.create(&holder, purpose, (&[], NOW)).unwrap();
    let answer = device.create(&options, ORIGIN).unwrap();
    party.created(&creation, &answer.to_string())
}

#[test]
fn a_passkey_that_was_made_signs_in_and_says_how() {
    let mut ada = Ada::new(Use::Passkey, Authenticator::synced(1));
    assert!(ada.passkey.is_backup_eligible && ada.passkey.is_backed_up);
    assert_eq!(ada.passkey.aaguid.as_deref(), Some("07070707-0707-0707-0707-070707070707"));
    ada.device.counter = 6;
    let (options, request) = ada.asked();
    assert_eq!((&options["rpId"], &options["userVerification"]), (&"example.com".into(), &"required".into()));
    let answer = ada.device.get(&options, ORIGIN).unwrap();
    let read = Answer::read(&answer.to_string()).unwrap();
    assert_eq!(read.user_handle(), Some(&*user_handle(person())));
    let verified = ada.verify(&request, &answer).unwrap();
    assert_eq!((verified.is_unlocked, verified.counter, verified.is_behind), (true, 6, false));
}

#[test]
fn a_key_without_a_known_maker_is_called_what_it_is_for() {
    let party = RelyingParty::at(&shared(), ORIGIN).unwrap();
    for (purpose, name) in [(Use::Passkey, "Passkey"), (Use::SecurityKey, "Security key")] {
        let created = made(&party, &mut Authenticator::new(1), purpose).unwrap();
        assert_eq!(created.first_name(), name);
    }
}

#[test]
fn an_answer_for_another_origin_party_challenge_or_key_does_not_count() {
    let mut ada = Ada::new(Use::Passkey, Authenticator::new(1));
    let (options, request) = ada.asked();
    for origin in
        ["https://evil.example.com", "https://acme.example.com.evil.test", "http://acme.example.com"]
    {
        let answer = ada.device.get(&options, origin).unwrap();
        assert_eq!(ada.verify(&request, &answer).err(), Some(Fault::Foreign), "{origin}");
    }
    let answer = ada.device.get(&options, ORIGIN).unwrap();
    let (_, other) = ada.asked();
    assert_eq!(ada.verify(&other, &answer).err(), Some(Fault::Challenge));
    let elsewhere = RelyingParty::at(&config(&[]), ORIGIN).unwrap();
    let answer = Answer::read(&answer.to_string()).unwrap();
    assert_eq!(elsewhere.verify(&request, &answer, (&ada.passkey, 0)).err(), Some(Fault::Foreign));
    let stranger = Ada::new(Use::Passkey, Authenticator::new(2));
    assert_eq!(ada.party.verify(&request, &answer, (&stranger.passkey, 0)).err(), Some(Fault::Invalid));
}

#[test]
fn every_changed_byte_of_an_answer_is_noticed() {
    let mut ada = Ada::new(Use::Passkey, Authenticator::new(1));
    let (options, request) = ada.asked();
    let answer = ada.device.get(&options, ORIGIN).unwrap();
    for member in ["clientDataJSON", "authenticatorData", "signature"] {
        let bytes = from_base64url(answer["response"][member].as_str().unwrap()).unwrap();
        for at in (0..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x01;
            let mut bad = answer.clone();
            bad["response"][member] = base64url(changed).into();
            assert!(ada.verify(&request, &bad).is_err(), "{member} {at}");
        }
    }
    assert!(ada.verify(&request, &answer).is_ok());
    for bad in ["", "{}", "[]", "null", &"[".repeat(9000), &"x".repeat(20_000)] {
        assert!(Answer::read(bad).is_none(), "{bad:.9}");
    }
}

#[test]
fn a_key_that_is_only_touched_signs_in_as_a_second_factor_and_not_alone() {
    let touched = Authenticator::touched(1);
    let party = RelyingParty::at(&shared(), ORIGIN).unwrap();
    let mut locked = Authenticator::touched(9);
    assert_eq!(made(&party, &mut locked, Use::Passkey).err(), Some(Fault::Locked));
    let mut ada = Ada::new(Use::SecurityKey, touched);
    let (options, request) =
        ada.party.request(AllowedPasskeys::Touched(std::slice::from_ref(&ada.passkey)), NOW).unwrap();
    let answer = ada.device.get(&options, ORIGIN).unwrap();
    assert!(!ada.verify(&request, &answer).unwrap().is_unlocked);
    let (mut options, request) = ada.asked();
    assert!(ada.device.get(&options, ORIGIN).is_none(), "a security key does not know whose it is");
    options["allowCredentials"] = serde_json::json!([{ "id": answer["id"] }]);
    let answer = ada.device.get(&options, ORIGIN).unwrap();
    assert_eq!(ada.verify(&request, &answer).err(), Some(Fault::Locked));
}

#[test]
fn a_counter_that_went_back_is_noticed_and_refuses_nothing() {
    let mut ada = Ada::new(Use::Passkey, Authenticator::new(1));
    for (counter, is_behind) in [(4, true), (5, true), (6, false), (0, true)] {
        ada.device.counter = counter;
        let (options, request) = ada.asked();
        let answer = ada.device.get(&options, ORIGIN).unwrap();
        assert_eq!(ada.verify(&request, &answer).unwrap().is_behind, is_behind, "{counter}");
    }
}

#[test]
fn hosts_share_the_relying_party_that_covers_them_and_others_have_their_own() {
    let related = config(&[
        ("SVC_PASSKEY__RP_ID", "example.com"),
        ("SVC_PASSKEY__RELATED_ORIGINS", r#"["https://id.example.org"]"#),
    ]);
    let id =
        |config: &Config, origin: &str| RelyingParty::at(config, origin).map(|party| party.id().to_owned());
    for (config, origin, expected) in [
        (&shared(), "https://acme.example.com", Some("example.com")),
        (&shared(), "https://id.example.com", Some("example.com")),
        (&shared(), "https://login.customer.net", Some("login.customer.net")),
        (&shared(), "https://badexample.com", Some("badexample.com")),
        (&shared(), "https://203.0.113.7", None),
        (&related, "https://id.example.org", Some("example.com")),
        (&config(&[]), "https://acme.example.com", Some("acme.example.com")),
        (&config(&[]), "https://id.example.com", Some("id.example.com")),
    ] {
        assert_eq!(id(config, origin).as_deref(), expected, "{origin}");
    }
}

#[test]
fn a_challenge_is_over_after_its_time_and_a_device_keeps_one_key_of_a_person() {
    let mut ada = Ada::new(Use::Passkey, Authenticator::new(1));
    let (_, request) = ada.asked();
    assert!(!request.is_over(NOW + Seconds(299)) && request.is_over(NOW + Seconds(300)));
    let holder = Holder { account: person(), name: "", display_name: "Ada" };
    let present = std::slice::from_ref(&ada.passkey);
    let (options, _) = ada.party.create(&holder, Use::Passkey, (present, NOW)).unwrap();
    assert!(ada.device.create(&options, ORIGIN).is_none());
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert!(!options.to_string().contains(&person().to_string()));
}

#[test]
fn people_without_address_and_name_make_passkeys_as_well() {
    let party = RelyingParty::at(&shared(), ORIGIN).unwrap();
    for (name, display_name, shown) in [
        ("", "", ["account", "account"]),
        ("", "Ada", ["Ada", "Ada"]),
        ("ada", "", ["ada", "ada"]),
        ("ada", "Ada", ["ada", "Ada"]),
    ] {
        let holder = Holder { account: person(), name, display_name };
        let (options, _) = party.create(&holder, Use::Passkey, (&[], NOW)).unwrap();
        let user = &options["user"];
        assert_eq!(json!([user["name"], user["displayName"]]), json!(shown));
    }
}

#[test]
fn a_security_key_is_asked_for_in_words_that_older_browsers_know_as_well() {
    let party = RelyingParty::at(&shared(), ORIGIN).unwrap();
    let holder = Holder { account: person(), name: "ada@example.com", display_name: "Ada" };
    let asked = |purpose| party.create(&holder, purpose, (&[], NOW)).unwrap().0;
    let key = asked(Use::SecurityKey);
    assert_eq!(key["hints"], json!(["security-key"]));
    assert_eq!(key["authenticatorSelection"]["authenticatorAttachment"], "cross-platform");
    let passkey = asked(Use::Passkey);
    assert!(passkey["authenticatorSelection"]["authenticatorAttachment"].is_null(), "{passkey}");
}

#[test]
fn a_device_is_asked_by_the_name_for_the_time_and_for_the_verification_of_the_configuration() {
    let config = config(&[
        ("SVC_PASSKEY__RP_NAME", "Acme ID"),
        ("SVC_PASSKEY__TIMEOUT_SECS", "60"),
        ("SVC_PASSKEY__USER_VERIFICATION", "preferred"),
    ]);
    let party = RelyingParty::at(&config, ORIGIN).unwrap();
    let holder = Holder { account: person(), name: "ada@example.com", display_name: "Ada" };
    let (options, creation) = party.create(&holder, Use::Passkey, (&[], NOW)).unwrap();
    assert_eq!((&options["rp"]["name"], &options["timeout"]), (&json!("Acme ID"), &json!(60_000)));
    assert_eq!(options["authenticatorSelection"]["userVerification"], "preferred");
    assert!(!creation.is_over(NOW + Seconds(59)) && creation.is_over(NOW + Seconds(60)));
    let (options, request) = party.request(AllowedPasskeys::Any, NOW).unwrap();
    assert_eq!((&options["userVerification"], &options["timeout"]), (&json!("preferred"), &json!(60_000)));
    assert!(!request.is_over(NOW + Seconds(59)) && request.is_over(NOW + Seconds(60)));
}

#[test]
fn at_the_issuer_the_origin_counts_that_browsers_are_configured_to_visit() {
    let config = config(&[
        ("SVC_PASSKEY__RP_ID", "example.com"),
        ("SVC_PASSKEY__ORIGIN", "https://login.example.com"),
    ]);
    let holder = Holder { account: person(), name: "ada@example.com", display_name: "Ada" };
    for (at, visited, counts) in [
        ("https://id.example.com", "https://login.example.com", true),
        ("https://id.example.com", "https://id.example.com", false),
        (ORIGIN, ORIGIN, true),
        (ORIGIN, "https://login.example.com", false),
    ] {
        let party = RelyingParty::at(&config, at).unwrap();
        let (options, creation) = party.create(&holder, Use::Passkey, (&[], NOW)).unwrap();
        let answer = Authenticator::new(1).create(&options, visited).unwrap();
        assert_eq!(party.created(&creation, &answer.to_string()).is_ok(), counts, "{at} {visited}");
    }
}

#[test]
fn apps_that_share_the_passkeys_answer_where_they_are_taken_and_pages_everywhere() {
    let android = format!("[\"com.example.app={}\"]", ["aB"; 32].join(":"));
    let configured = config(&[
        ("SVC_PASSKEY__RP_ID", "example.com"),
        ("SVC_PASSKEY__ANDROID_APPS", android.as_str()),
        ("SVC_PASSKEY__APPLE_APPS", r#"["ABCDE12345.com.example.app"]"#),
    ]);
    let app = format!("android:apk-key-hash:{}", base64url([0xab; 32]));
    let other = format!("android:apk-key-hash:{}", base64url([0xac; 32]));
    let holder = Holder { account: person(), name: "ada@example.com", display_name: "Ada" };
    for (party, answered, counts) in [
        (RelyingParty::with_apps(&configured, ORIGIN), app.as_str(), true),
        (RelyingParty::with_apps(&configured, ORIGIN), "https://example.com", true),
        (RelyingParty::with_apps(&configured, ORIGIN), ORIGIN, true),
        (RelyingParty::with_apps(&configured, ORIGIN), other.as_str(), false),
        (RelyingParty::with_apps(&configured, ORIGIN), "https://id.example.com", false),
        (RelyingParty::at(&configured, ORIGIN), app.as_str(), false),
        (RelyingParty::at(&configured, ORIGIN), "https://example.com", false),
        (RelyingParty::at(&configured, ORIGIN), ORIGIN, true),
        (RelyingParty::with_apps(&shared(), ORIGIN), app.as_str(), false),
        (RelyingParty::with_apps(&shared(), ORIGIN), "https://example.com", false),
    ] {
        let party = party.unwrap();
        let (options, creation) = party.create(&holder, Use::Passkey, (&[], NOW)).unwrap();
        let answer = Authenticator::new(1).create(&options, answered).unwrap();
        let fault = party.created(&creation, &answer.to_string()).err();
        assert_eq!(fault, (!counts).then_some(Fault::Foreign), "{answered}");
    }
}
