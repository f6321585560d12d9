//! DPoP proofs (RFC 9449 §4.3): what is accepted fits the request, however it is written.
//!
//! An input is a proof; or a header, a line feed and claims, which are signed. An empty header is a fitting one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use svc_core::Seconds;
use svc_fuzz::{NOW, SIGNER};
use svc_keys::dpop::{self, Expected};
use url::Url;

const EXPECTED: Expected<'_> = Expected {
    method: "POST",
    url: "https://server.example.com/token",
    access_token: None,
    now: NOW,
    max_age: Seconds(60),
    ahead: Seconds(10),
};

fuzz_target!(|text: &str| {
    let _ = dpop::verify(text, &EXPECTED);
    let Some((header, claims)) = text.split_once('\n') else { return };
    let usual = json!({"typ": "dpop+jwt", "alg": "EdDSA", "jwk": SIGNER.jwk}).to_string();
    let header = if header.is_empty() { &usual } else { header };
    let token = SIGNER.token(header, claims);
    let bound = Expected { access_token: Some("token"), ..EXPECTED };
    let with_token = dpop::verify(&token, &bound);
    let Ok(proof) = dpop::verify(&token, &EXPECTED) else {
        assert!(with_token.is_err(), "a proof for a token fits without it, too");
        return;
    };

    assert_eq!(proof.jkt, SIGNER.thumbprint);
    let claims: Value = serde_json::from_str(claims).expect("accepted claims are JSON");
    assert_eq!(claims["htm"], EXPECTED.method);
    assert_eq!(address(claims["htu"].as_str().expect("an accepted address is a text")), EXPECTED.url);
    assert_eq!(claims["iat"], proof.iat.as_secs());
    assert!((NOW.as_secs() - 60..=NOW.as_secs() + 10).contains(&proof.iat.as_secs()));
    assert_eq!(claims["jti"], proof.jti);
    assert!((1..=256).contains(&proof.jti.len()));
    assert_eq!(claims.get("nonce").and_then(Value::as_str), proof.nonce.as_deref());
    if with_token.is_ok() {
        assert_eq!(claims["ath"], dpop::ath("token"));
    }
});

fn address(htu: &str) -> String {
    let mut url = Url::parse(htu).expect("an accepted address is a URL");
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
