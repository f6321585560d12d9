//! Proofs that the package makes itself, judged by the package.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use svc_sdk::{
    Keys, MemoryReplays, ProofKey, PublicKey, ReplayStore, Request, Required, Verifier, VerifierConfig,
};

use crate::issuer::{key, signed};

/// Protects nothing.
pub const PEM: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+yO4t0OwJOl3J9Tr
9aim9vlxRP7dNSn8y6SjtMbxyiKhRANCAAS1AXFzSfN1CU5owBcAdyiZnFM5NUUG
R/SUXygXWN0cvZpoYH6pb0G8g/+5al0n4qZGGy0IK9iWTymvR5L6FEQB
-----END PRIVATE KEY-----
";
const URL: &str = "https://api.example/orders";

#[tokio::test]
async fn a_proof_of_ones_own_passes_once_and_no_other_proof_does() {
    let now = now();
    let (proofs, other) = (ProofKey::generate().unwrap(), ProofKey::generate().unwrap());
    let token = bound(&thumbprint(&proofs), now);
    let verifier = verifier();
    let authorization = format!("DPoP {token}");
    let verify = async |proofs: &[&str]| {
        let request = Request { authorization: &[&authorization], dpop: proofs, method: "GET", url: URL };
        verifier.verify(request, &Required::scope("")).await
    };
    let good = proofs.proof("GET", "https://API.example:443/orders?x=1#y", Some(&token), None).unwrap();
    let refused = [
        proofs.proof("POST", URL, Some(&token), None).unwrap(),
        proofs.proof("GET", "https://api.example/orders/1", Some(&token), None).unwrap(),
        proofs.proof("GET", URL, Some("another"), None).unwrap(),
        proofs.proof("GET", URL, None, None).unwrap(),
        other.proof("GET", URL, Some(&token), None).unwrap(),
    ];
    for proof in &refused {
        assert_eq!(verify(&[proof]).await.unwrap_err().code, "invalid_dpop_proof");
    }
    assert!(verify(&[&good, &good]).await.is_err(), "two proofs are none");
    assert_eq!(verify(&[&good]).await.unwrap().subject(), "usr_1");
    assert!(verify(&[&good]).await.unwrap_err().description.contains("before"));
}

fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

/// An access token that is bound to this key.
fn bound(jkt: &str, now: u64) -> String {
    signed(
        &json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}),
        &json!({
            "iss": "https://id.example", "aud": "https://api.example", "tenant_id": "tnt_1", "sub": "usr_1", "exp": now + 60,
            "client_id": "app_1", "subject_type": "human", "cnf": {"jkt": jkt},
        }),
    )
}

fn verifier() -> Verifier {
    let config = VerifierConfig::new("https://id.example", "https://api.example", "tnt_1").unwrap();
    let keys = Keys::from_json(&json!({"keys": [key().1]})).unwrap();
    Verifier::new(VerifierConfig { keys, ..config }).unwrap()
}

/// A proof by an RSA key, signed by PKCS #1 v1.5 where the algorithm is RS256.
fn rsa_proof(pair: &RsaKeyPair, alg: &str, token: &str) -> String {
    let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let n = URL_SAFE_NO_PAD.encode(pair.public_key().modulus().big_endian_without_leading_zero());
    let ath = URL_SAFE_NO_PAD.encode(digest(&SHA256, token.as_bytes()));
    let header = json!({"typ": "dpop+jwt", "alg": alg, "jwk": {"kty": "RSA", "n": n, "e": "AQAB"}});
    let claims = json!({"htm": "GET", "htu": URL, "iat": now(), "jti": format!("{alg}-1"), "ath": ath});
    let input = format!("{}.{}", part(&header), part(&claims));
    let mut signature = vec![0; pair.public_modulus_len()];
    let how = if alg == "RS256" { &RSA_PKCS1_SHA256 } else { &RSA_PSS_SHA256 };
    pair.sign(how, &SystemRandom::new(), input.as_bytes(), &mut signature).unwrap();
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(signature))
}

#[tokio::test]
async fn a_proof_by_an_rsa_key_passes_with_ps256_and_no_other_algorithm() {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let n = URL_SAFE_NO_PAD.encode(pair.public_key().modulus().big_endian_without_leading_zero());
    let members = format!(r#"{{"e":"AQAB","kty":"RSA","n":"{n}"}}"#);
    let token = bound(&URL_SAFE_NO_PAD.encode(digest(&SHA256, members.as_bytes())), now());
    let verifier = verifier();
    let authorization = format!("DPoP {token}");
    for (alg, passes) in [("RS256", false), ("ES256", false), ("PS256", true)] {
        let proof = rsa_proof(&pair, alg, &token);
        let request = Request { authorization: &[&authorization], dpop: &[&proof], method: "GET", url: URL };
        let judged = verifier.verify(request, &Required::scope("")).await;
        assert_eq!(
            judged.map_err(|error| error.code).err().as_deref(),
            (!passes).then_some("invalid_dpop_proof"),
            "{alg}"
        );
    }
}

fn thumbprint(key: &ProofKey) -> String {
    let shown = format!("{:?}", PublicKey::from_jwk(&key.jwk()).unwrap());
    shown.rsplit(' ').next().unwrap().trim_end_matches(']').to_owned()
}

#[tokio::test]
async fn a_full_store_lets_no_proof_pass_and_a_failing_one_neither() {
    let store = MemoryReplays::with_clock(2, || 1_800_000_000);
    assert!(store.note("a", 1_800_000_060).await.unwrap());
    assert!(!store.note("a", 1_800_000_060).await.unwrap());
    assert!(store.note("b", 1_799_999_999).await.unwrap());
    assert_eq!(store.note("c", 1_800_000_060).await.unwrap_err().status, 503);
    let shared: Arc<dyn ReplayStore> = Arc::new(store);
    assert!(!shared.note("a", 1_800_000_060).await.unwrap());
}

#[test]
fn a_key_is_read_from_pem_and_another_kind_is_refused() {
    let key = ProofKey::from_pem(PEM).unwrap();
    assert!(PublicKey::from_jwk(&key.jwk()).is_some());
    assert!(ProofKey::from_pem(&PEM.replace("MIGH", "MIGG")).is_err());
    assert!(ProofKey::from_pem("no key").is_err());
}
