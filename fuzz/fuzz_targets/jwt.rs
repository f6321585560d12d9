//! Signed tokens and keys (RFC 7515, 7517, 7519): only what our key has signed for this purpose verifies.
//!
//! An input is a token, a key or a key set; or a header, a line feed and a payload, which are signed. An empty header
//! is a fitting one.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use svc_core::json;
use svc_fuzz::{NOW, SIGNER};
use svc_keys::{Algorithm, Jws, KeyRing, KeySet, KeyState, PublicKey, Typ};

static RING: LazyLock<KeyRing> = LazyLock::new(|| {
    KeyRing::verifying(vec![(SIGNER.public.clone(), Algorithm::EdDsa, KeyState::Active)]).unwrap()
});

fuzz_target!(|text: &str| {
    foreign(text);
    if let Some((header, payload)) = text.split_once('\n') {
        signed(header, payload);
    }
    keys(text.as_bytes());
});

fn foreign(token: &str) {
    if let Ok(jws) = Jws::parse(token, Algorithm::ALL) {
        assert_eq!(token.split('.').count(), 3);
        let _ = jws.unverified_claims();
        assert!(jws.verify(&SIGNER.public).is_err(), "no key of ours has signed it");
    }
    assert!(RING.verify_at_any_time(token, Typ::AccessToken).is_err(), "no key of ours has signed it");
}

fn signed(header: &str, payload: &str) {
    let usual = format!(r#"{{"alg":"EdDSA","typ":"at+jwt","kid":"{}"}}"#, SIGNER.thumbprint);
    let header = if header.is_empty() { &usual } else { header };
    let token = SIGNER.token(header, payload);
    let Ok(claims) = RING.verify(&token, Typ::AccessToken, NOW) else { return };

    let header: Value = serde_json::from_str(header).expect("an accepted header is JSON");
    assert!(matches!(header["alg"].as_str(), Some("EdDSA" | "Ed25519")));
    assert_eq!(header["kid"], SIGNER.thumbprint);
    let typ = header["typ"].as_str().expect("an accepted type is a text").to_ascii_lowercase();
    assert!(matches!(typ.as_str(), "at+jwt" | "application/at+jwt"), "{typ}");
    assert!(["crit", "jwk", "jku", "x5u", "x5c"].iter().all(|name| header.get(name).is_none()));

    let usual: Value = serde_json::from_str(payload).expect("accepted claims are JSON");
    assert!(usual["exp"].as_i64().is_some_and(|exp| exp > NOW.as_secs()));
    assert!(usual["iat"].as_i64().is_some_and(|iat| iat <= NOW.as_secs() + 60));
    assert_eq!(Value::Object(claims.into_map()), usual);
    forged(&token);
}

fn forged(token: &str) {
    let (input, signature) = token.rsplit_once('.').expect("a token has parts");
    let first = if signature.starts_with('A') { 'B' } else { 'A' };
    let other = format!("{input}.{first}{}", &signature[1..]);
    assert!(RING.verify_at_any_time(&other, Typ::AccessToken).is_err());
    assert!(RING.verify_at_any_time(token, Typ::Jwt).is_err());
}

fn keys(bytes: &[u8]) {
    let _ = KeySet::parse(bytes);
    let Ok(jwk) = json::parse(bytes, json::DEEPEST) else { return };
    let Ok(key) = PublicKey::from_jwk(&jwk) else { return };
    assert!(jwk.get("d").is_none() && jwk.get("k").is_none(), "a secret is not read");
    let thumbprint = key.thumbprint();
    for algorithm in Algorithm::ALL.iter().copied().filter(|algorithm| key.supports(*algorithm)) {
        let again =
            PublicKey::from_jwk(&key.jwk(&thumbprint, algorithm)).expect("what we publish can be read");
        assert_eq!((again.thumbprint(), again.kid()), (thumbprint.clone(), Some(&*thumbprint)));
    }
}
