use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
    RsaKeyPair,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// The key of every example in RFC 9449.
const KEY: &str = concat!(
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs",
    "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2",
    "In19",
);
const JKT: &str = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
const URL: &str = "https://server.example.com/token";
const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

fn expected() -> Expected<'static> {
    Expected {
        method: "POST",
        url: URL,
        access_token: None,
        now: NOW,
        max_age: Seconds(60),
        ahead: Seconds(10),
    }
}

/// A proof of section 4.1 of the RFC.
fn example() -> String {
    let rest = concat!(
        ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIi",
        "wiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZ",
        "T3Lg",
    );
    format!("{KEY}{rest}")
}

#[test]
fn the_proof_of_rfc_9449_section_4_verifies() {
    let now = Timestamp::from_secs(1_562_262_616);
    let proof = verify(&example(), &Expected { now, ..expected() }).unwrap();
    let jti = "-BwC3ESc6acc2lTc".to_owned();
    assert_eq!(proof, Proof { jkt: JKT.to_owned(), jti, iat: now, nonce: None });
    assert!(is_thumbprint(&proof.jkt) && !is_thumbprint("0ZcOCORZNYy") && !is_thumbprint(""));
}

#[test]
fn the_proof_of_rfc_9449_section_7_verifies_with_its_access_token() {
    let rest = concat!(
        ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZW",
        "N0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFby",
        "J9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA",
    );
    let fitting = Expected {
        method: "GET",
        url: "https://resource.example.org/protectedresource",
        access_token: Some("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"),
        now: Timestamp::from_secs(1_562_262_618),
        ..expected()
    };
    assert_eq!(verify(&format!("{KEY}{rest}"), &fitting).unwrap().jkt, JKT);
    let other = Expected { access_token: Some("Kz~8mXK1EalYznwH"), ..fitting };
    assert!(verify(&format!("{KEY}{rest}"), &other).is_err());
}

/// A client that can sign whatever a test wants.
enum Sender {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(RsaKeyPair),
}

impl Sender {
    fn p256() -> Self {
        Self::P256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    fn jwk(&self) -> Value {
        match self {
            Self::P256(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "x": base64url(x), "y": base64url(y)})
            }
            Self::Ed25519(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(pair.public_key().as_ref())})
            }
            Self::Rsa(pair) => {
                let key = pair.public_key();
                let n = key.modulus().big_endian_without_leading_zero();
                json!({"kty": "RSA", "n": base64url(n), "e": "AQAB"})
            }
        }
    }

    fn proof(&self, header: &Value, claims: &str) -> String {
        let input = format!("{}.{}", base64url(header.to_string()), base64url(claims));
        let random = SystemRandom::new();
        let rsa = |pair: &RsaKeyPair, scheme| {
            let mut signature = vec![0; pair.public_modulus_len()];
            pair.sign(scheme, &random, input.as_bytes(), &mut signature).unwrap();
            signature
        };
        let signature = match self {
            Self::P256(pair) => pair.sign(&random, input.as_bytes()).unwrap().as_ref().to_vec(),
            Self::Ed25519(pair) => pair.sign(input.as_bytes()).as_ref().to_vec(),
            Self::Rsa(pair) if header["alg"] == "RS256" => rsa(pair, &RSA_PKCS1_SHA256),
            Self::Rsa(pair) => rsa(pair, &RSA_PSS_SHA256),
        };
        format!("{input}.{}", base64url(signature))
    }

    fn header(&self, alg: &str) -> Value {
        json!({"typ": "dpop+jwt", "alg": alg, "jwk": self.jwk()})
    }
}

fn claims() -> Value {
    json!({"jti": "1", "htm": "POST", "htu": URL, "iat": NOW.as_secs()})
}

/// Whether a good proof passes after one of its claims was changed or, with null, removed.
fn passes_with(name: &str, value: Value) -> bool {
    let (sender, mut claims) = (Sender::p256(), claims());
    if value.is_null() {
        claims.as_object_mut().unwrap().remove(name)
    } else {
        claims.as_object_mut().unwrap().insert(name.to_owned(), value)
    };
    verify(&sender.proof(&sender.header("ES256"), &claims.to_string()), &expected()).is_ok()
}

/// Whether a good proof passes after a member of its header was changed or, with null, removed.
fn passes_with_header(name: &str, value: Value) -> bool {
    let sender = Sender::p256();
    let mut header = sender.header("ES256");
    if value.is_null() {
        header.as_object_mut().unwrap().remove(name)
    } else {
        header.as_object_mut().unwrap().insert(name.to_owned(), value)
    };
    verify(&sender.proof(&header, &claims().to_string()), &expected()).is_ok()
}

#[test]
fn every_asymmetric_algorithm_but_rs256_may_sign_a_proof() {
    let rsa = || Sender::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).unwrap());
    let ed25519 = || Sender::Ed25519(Ed25519KeyPair::generate().unwrap());
    for (sender, alg, passes) in [
        (Sender::p256(), "ES256", true),
        (ed25519(), "EdDSA", true),
        (ed25519(), "Ed25519", true),
        (rsa(), "PS256", true),
        (rsa(), "RS256", false),
    ] {
        let proof = sender.proof(&sender.header(alg), &claims().to_string());
        assert_eq!(verify(&proof, &expected()).is_ok(), passes, "{alg}");
        assert_eq!(ALGORITHM_NAMES.contains(&alg), passes, "{alg}");
    }
}

#[test]
fn each_member_of_the_header_is_required_and_has_one_meaning() {
    for name in ["typ", "alg", "jwk"] {
        assert!(!passes_with_header(name, Value::Null), "{name}");
    }
    for typ in ["JWT", "at+jwt", "dpop", "dpop+jwt ", ""] {
        assert!(!passes_with_header("typ", json!(typ)), "{typ}");
    }
    for alg in ["none", "None", "HS256", "RS256", "PS256", "EdDSA", "ES384", "es256"] {
        assert!(!passes_with_header("alg", json!(alg)), "{alg}");
    }
    for name in ["crit", "jku", "x5u", "x5c"] {
        assert!(!passes_with_header(name, json!("https://evil.example")), "{name}");
    }
    assert!(passes_with_header("typ", json!("DPoP+JWT")));
    assert!(passes_with_header("kid", json!("mine")));
}

#[test]
fn the_key_is_a_public_one_and_the_one_that_signed() {
    let sender = Sender::p256();
    for secret in ["d", "k", "p", "q", "dp", "dq", "qi"] {
        let mut jwk = sender.jwk();
        jwk[secret] = json!("AQAB");
        let header = json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk});
        assert!(verify(&sender.proof(&header, &claims().to_string()), &expected()).is_err(), "{secret}");
    }
    for jwk in [Sender::p256().jwk(), json!({"kty": "oct", "k": "AQAB"}), json!("key"), json!([]), json!({})]
    {
        let header = json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk});
        assert!(verify(&sender.proof(&header, &claims().to_string()), &expected()).is_err(), "{jwk}");
    }
}

#[test]
fn each_claim_is_required_and_fits_the_request() {
    for name in ["jti", "htm", "htu", "iat"] {
        assert!(!passes_with(name, Value::Null), "{name}");
        assert!(!passes_with(name, json!({})) && !passes_with(name, json!("")), "{name}");
    }
    for htm in ["GET", "post", "Post", "POST "] {
        assert!(!passes_with("htm", json!(htm)), "{htm}");
    }
    assert!(passes_with("jti", json!("j".repeat(256))) && !passes_with("jti", json!("j".repeat(257))));
    assert!(passes_with("nonce", json!("n")) && !passes_with("nonce", json!(1)));
    assert!(passes_with("anything", json!({"else": [1, 2]})));
}

#[test]
fn an_address_is_compared_after_normalisation() {
    for same in [
        "https://server.example.com/token",
        "HTTPS://SERVER.example.COM/token",
        "https://server.example.com:443/token",
        "https://server.example.com/token?a=b",
        "https://server.example.com/token#c",
        "https://server.example.com/x/../token",
        "https://server.example.com/%74o%6Ben",
        "https://server.example.com/x/%2E%2e/token",
    ] {
        assert!(passes_with("htu", json!(same)), "{same}");
    }
    for other in [
        "http://server.example.com/token",
        "https://server.example.com:444/token",
        "https://server.example.com/token/",
        "https://server.example.com/Token",
        "https://server.example.com/%54oken",
        "https://server.example.com/token%",
        "https://server.example.com/%2574oken",
        "https://server.example.com/%+4token",
        "https://server.example.com/",
        "https://server.example.com.evil.example/token",
        "https://ada@server.example.com/token",
        "https:\\\\server.example.com\\token",
        " https://server.example.com/token",
        "https://server.example.com/to\nken",
        "//server.example.com/token",
        "/token",
        "urn:token",
    ] {
        assert!(!passes_with("htu", json!(other)), "{other}");
    }
}

#[test]
fn an_escape_is_the_same_in_either_case_and_is_no_separator() {
    let at = |path: &str| format!("https://a.example{path}");
    let is_same = |htu: &str, url: &str| is_same_url(&at(htu), &at(url));
    for (htu, url) in
        [("/x%2fy", "/x%2Fy"), ("/x%c3%a4", "/x%C3%A4"), ("/%7euser", "/~user"), ("/x%zzy", "/x%zzy?a")]
    {
        assert!(is_same(htu, url) && is_same(url, htu), "{htu} {url}");
    }
    for (htu, url) in [("/x%2Fy", "/x/y"), ("/x%252Fy", "/x%2Fy"), ("/x%3By", "/x;y"), ("/x%", "/x")] {
        assert!(!is_same(htu, url) && !is_same(url, htu), "{htu} {url}");
    }
}

#[test]
fn a_proof_lives_for_a_minute_and_may_be_a_little_ahead() {
    let now = NOW.as_secs();
    for (offset, passes) in
        [(-3600, false), (-61, false), (-60, true), (-10, true), (10, true), (11, false), (3600, false)]
    {
        assert_eq!(passes_with("iat", json!(now + offset)), passes, "{offset}");
    }
    assert!(passes_with("nbf", json!(now + 10)) && !passes_with("nbf", json!(now + 11)));
    assert!(passes_with("exp", json!(now + 60)) && !passes_with("exp", json!(now - 3600)));
    assert!(!passes_with("iat", json!(now.to_string())) && !passes_with("iat", json!(-1)));
    let fraction = |secs: i64| serde_json::from_str(&format!("{secs}.75")).unwrap();
    assert!(passes_with("iat", fraction(now)) && passes_with("iat", fraction(now + 10)));
    assert!(!passes_with("iat", fraction(now + 11)) && !passes_with("iat", fraction(now - 61)));
}

#[test]
fn a_repeated_member_and_a_changed_byte_are_noticed() {
    let sender = Sender::p256();
    let twice = claims().to_string().replacen('{', r#"{"htm":"GET","#, 1);
    assert!(verify(&sender.proof(&sender.header("ES256"), &twice), &expected()).is_err());
    let good = sender.proof(&sender.header("ES256"), &claims().to_string());
    assert!(verify(&good, &expected()).is_ok());
    for cut in [good.len() - 1, good.len() / 2, 1, 0] {
        assert!(verify(&good[..cut], &expected()).is_err());
    }
}

proptest! {
    #[test]
    fn whatever_is_sent_is_answered_with_a_refusal(text in "\\PC{0,300}", claims in "\\PC{0,200}") {
        prop_assert_eq!(verify(&text, &expected()).unwrap_err().class(), Class::InvalidDpopProof);
        let sender = Sender::p256();
        let signed = verify(&sender.proof(&sender.header("ES256"), &claims), &expected());
        prop_assert_eq!(signed.unwrap_err().class(), Class::InvalidDpopProof);
    }
}
