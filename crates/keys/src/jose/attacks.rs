//! The published attacks on JWT verification (RFC 8725 §2), each tried against a ring.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use proptest::prelude::*;
use svc_core::{Class, Timestamp};

use super::{Algorithm, KeyRing, KeyState, SigningKey, Typ};
use crate::{base64url, from_base64url, hmac_sha256};

const NOW: Timestamp = Timestamp::from_secs(1_000);
const PAYLOAD: &str = r#"{"sub":"ada","iat":990,"exp":1060}"#;

struct Victim {
    ring: KeyRing,
    kid: String,
    key: SigningKey,
}

fn victim(algorithm: Algorithm) -> Victim {
    let key = SigningKey::generate(algorithm).unwrap();
    let copy = SigningKey::from_pkcs8(key.kid(), algorithm, &key.to_pkcs8().unwrap()).unwrap();
    Victim { ring: KeyRing::new(vec![(copy, KeyState::Active)]).unwrap(), kid: key.kid().to_owned(), key }
}

impl Victim {
    fn accepts(&self, token: &str) -> bool {
        match self.ring.verify(token, Typ::Jwt, NOW) {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.class(), Class::InvalidToken);
                false
            }
        }
    }

    fn token(&self) -> String {
        self.key.sign(Typ::Jwt, PAYLOAD.as_bytes()).unwrap()
    }

    /// A token with this header text, signed properly with the victim's own key.
    fn signed(&self, header: &str, payload: &str) -> String {
        let pair = EcdsaKeyPair::from_pkcs8(
            &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            &self.key.to_pkcs8().unwrap(),
        );
        let input = format!("{}.{}", base64url(header), base64url(payload));
        let signature = pair.unwrap().sign(&SystemRandom::new(), input.as_bytes()).unwrap();
        format!("{input}.{}", base64url(signature.as_ref()))
    }

    fn header(&self, extra: &str) -> String {
        format!(r#"{{"alg":"ES256","typ":"JWT","kid":"{}"{extra}}}"#, self.kid)
    }
}

fn with_signature(token: &str, signature: &[u8]) -> String {
    format!("{}.{}", token.rsplit_once('.').unwrap().0, base64url(signature))
}

fn signature(token: &str) -> Vec<u8> {
    from_base64url(token.rsplit_once('.').unwrap().1).unwrap()
}

#[test]
fn no_spelling_of_none_passes() {
    for algorithm in Algorithm::SIGNING {
        let victim = victim(*algorithm);
        for none in ["none", "None", "nOnE", "NONE", ""] {
            let header = format!(r#"{{"alg":"{none}","typ":"JWT","kid":"{}"}}"#, victim.kid);
            for signature in ["", "AA", &base64url([0; 64])] {
                assert!(!victim.accepts(&format!(
                    "{}.{}.{signature}",
                    base64url(&header),
                    base64url(PAYLOAD)
                )));
            }
        }
    }
}

#[test]
fn a_public_key_is_no_hmac_secret() {
    for algorithm in Algorithm::SIGNING {
        let victim = victim(*algorithm);
        let jwk = victim.key.public_jwk().to_string();
        let coordinate = from_base64url(victim.key.public_jwk()["x"].as_str().unwrap_or_default()).unwrap();
        for secret in [jwk.as_bytes(), victim.ring.jwks().as_ref(), &coordinate] {
            let header = format!(r#"{{"alg":"HS256","typ":"JWT","kid":"{}"}}"#, victim.kid);
            let input = format!("{}.{}", base64url(header), base64url(PAYLOAD));
            let code = hmac_sha256(secret, input.as_bytes());
            assert!(!victim.accepts(&format!("{input}.{}", base64url(code))));
        }
    }
}

#[test]
fn an_algorithm_that_is_not_the_keys_is_refused() {
    for &algorithm in Algorithm::SIGNING {
        let victim = victim(algorithm);
        let token = victim.token();
        for &claimed in Algorithm::ALL.iter().filter(|claimed| **claimed != algorithm) {
            let header = format!(r#"{{"alg":"{claimed}","typ":"JWT","kid":"{}"}}"#, victim.kid);
            let (_, rest) = token.split_once('.').unwrap();
            assert!(!victim.accepts(&format!("{}.{rest}", base64url(header))), "{algorithm} as {claimed}");
        }
    }
}

#[test]
fn degenerate_signatures_are_refused() {
    for &algorithm in Algorithm::SIGNING {
        let victim = victim(algorithm);
        let token = victim.token();
        assert!(victim.accepts(&token));
        let good = signature(&token);
        let longer = [&good[..], &[0]].concat();
        for bad in [&vec![0; good.len()], &vec![0xff; good.len()], &good[1..].to_vec(), &longer, &Vec::new()]
        {
            assert!(!victim.accepts(&with_signature(&token, bad)), "{algorithm} {}", bad.len());
        }
    }
}

#[test]
fn a_der_encoded_es256_signature_is_refused() {
    let victim = victim(Algorithm::Es256);
    let token = victim.token();
    let pair =
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &victim.key.to_pkcs8().unwrap()).unwrap();
    let input = token.rsplit_once('.').unwrap().0;
    let der = pair.sign(&SystemRandom::new(), input.as_bytes()).unwrap();
    assert!(!victim.accepts(&with_signature(&token, der.as_ref())));
}

#[test]
fn a_malleated_ed25519_signature_is_refused() {
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let victim = victim(Algorithm::EdDsa);
    let token = victim.token();
    let mut bad = signature(&token);
    let mut carry = 0;
    for (byte, order) in bad[32..].iter_mut().zip(ORDER) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = u8::try_from(sum & 0xff).unwrap();
        carry = sum >> 8;
    }
    assert!(!victim.accepts(&with_signature(&token, &bad)));
}

#[test]
fn a_header_never_brings_its_own_key_or_asks_for_extensions() {
    let victim = victim(Algorithm::Es256);
    assert!(victim.accepts(&victim.signed(&victim.header(""), PAYLOAD)));
    assert!(victim.accepts(&victim.signed(&victim.header(r#","x5t":"AA","unknown":1"#), PAYLOAD)));
    let jwk = format!(r#","jwk":{}"#, victim.key.public_jwk());
    for extra in [
        &jwk,
        r#","jku":"https://x""#,
        r#","x5u":"https://x""#,
        r#","x5c":[]"#,
        r#","crit":[]"#,
        r#","crit":["b64"],"b64":false"#,
    ] {
        assert!(!victim.accepts(&victim.signed(&victim.header(extra), PAYLOAD)), "{extra}");
    }
}

#[test]
fn repeated_members_are_refused_even_when_signed() {
    let victim = victim(Algorithm::Es256);
    for extra in [r#","alg":"ES256""#, r#","kid":"x""#, r#","\u0061lg":"none""#] {
        assert!(!victim.accepts(&victim.signed(&victim.header(extra), PAYLOAD)), "{extra}");
    }
    for payload in [
        r#"{"sub":"ada","iat":990,"exp":1,"exp":1060}"#,
        r#"{"iat":990,"exp":1060,"act":{"sub":"a","sub":"b"}}"#,
    ] {
        assert!(!victim.accepts(&victim.signed(&victim.header(""), payload)), "{payload}");
    }
}

#[test]
fn hostile_sizes_are_refused() {
    let victim = victim(Algorithm::Es256);
    let nested = format!(r#"{{"iat":990,"exp":1060,"x":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    assert!(!victim.accepts(&victim.signed(&victim.header(""), &nested)));
    let huge = format!(r#"{{"iat":990,"exp":1060,"x":"{}"}}"#, "x".repeat(1_000_000));
    assert!(!victim.accepts(&victim.signed(&victim.header(""), &huge)));
    let kid = format!(r#"{{"alg":"ES256","typ":"JWT","kid":"{}"}}"#, "k".repeat(10_000));
    assert!(!victim.accepts(&victim.signed(&kid, PAYLOAD)));
    for text in [".", "..", "...", &".".repeat(1_000_000), &"a".repeat(1_000_000)] {
        assert!(!victim.accepts(text));
    }
}

#[test]
fn an_unknown_or_missing_kid_is_refused() {
    let victim = victim(Algorithm::Es256);
    for kid in [r#","kid":"""#, r#","kid":"../../dev/null""#, r#","kid":"' OR 1=1--""#, ""] {
        let header = format!(r#"{{"alg":"ES256","typ":"JWT"{kid}}}"#);
        assert!(!victim.accepts(&victim.signed(&header, PAYLOAD)), "{kid}");
    }
}

#[test]
fn a_token_has_one_spelling() {
    let victim = victim(Algorithm::Es256);
    let token = victim.token();
    let mut parts = token.split('.');
    let (header, payload, signature) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    // 64 bytes end in a character of which two bits count; the other spellings of it must not pass.
    let last = signature.chars().last().unwrap();
    for other in
        ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']).filter(|other| *other != last)
    {
        let respelled = format!("{}{other}", &signature[..signature.len() - 1]);
        assert!(!victim.accepts(&format!("{header}.{payload}.{respelled}")));
    }
    for bad in [
        format!("{header}=.{payload}.{signature}"),
        format!("{header}.{payload}=.{signature}"),
        format!("{header}.{payload}.{signature}=="),
        format!(" {token}"),
        format!("{token}\n"),
        token.to_uppercase(),
        token[..token.len() - 1].to_owned(),
    ] {
        assert!(!victim.accepts(&bad), "{bad}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_other_byte_at_any_place_verifies(place: prop::sample::Index, byte in 0x21u8..0x7f) {
        let victim = victim(Algorithm::EdDsa);
        let token = victim.token();
        let mut bytes = token.clone().into_bytes();
        let place = place.index(bytes.len());
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        prop_assert!(!victim.accepts(&String::from_utf8(bytes).unwrap()));
    }
}
