//! Proofs that the package makes itself, judged by the package.

use std::sync::Arc;

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
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let (proofs, other) = (ProofKey::generate().unwrap(), ProofKey::generate().unwrap());
    let jkt = thumbprint(&proofs);
    let token = signed(
        &json!({"alg": "ES256", "kid": "k1", "typ": "at+jwt"}),
        &json!({
            "iss": "https://id.example", "aud": "https://api.example", "tenant_id": "tnt_1", "sub": "usr_1", "exp": now + 60,
            "subject_type": "human", "cnf": {"jkt": jkt},
        }),
    );
    let config = VerifierConfig::new("https://id.example", "https://api.example", "tnt_1").unwrap();
    let keys = Keys::from_json(&json!({"keys": [key().1]})).unwrap();
    let verifier = Verifier::new(VerifierConfig { keys, ..config }).unwrap();
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
