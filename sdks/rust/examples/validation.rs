//! `cargo run --example validation`: the speed of the whole judgement with known keys, as a ratio to the bare signature check.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use svc_sdk::{Keys, PublicKey, Request, Required, Verifier, VerifierConfig};

const ROUNDS: u32 = 20_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let path = format!("{}/../vectors/access_tokens.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |name: &str| file[name].as_str().unwrap();
    let new = VerifierConfig::new(text("issuer"), text("audience"), text("tenant_id")).unwrap();
    let keys = Keys::from_json(&file["jwks"]).unwrap();
    let verifier = Verifier::new(VerifierConfig { keys, now: || 1_800_000_000, ..new }).unwrap();
    for (case, jwk) in [(&file["cases"][0], &file["jwks"]["keys"][0]), (&file["cases"][1], &file["jwks"]["keys"][1])] {
        let header = case["headers"]["authorization"].as_str().unwrap();
        let (input, signature) = header.split_once(' ').unwrap().1.rsplit_once('.').unwrap();
        let (key, signature) = (PublicKey::from_jwk(jwk).unwrap(), URL_SAFE_NO_PAD.decode(signature).unwrap());
        let started = Instant::now();
        (0..ROUNDS).for_each(|_| assert!(key.verifies(input.as_bytes(), &signature)));
        let bare = started.elapsed();
        let (authorization, required) = ([header], Required::scope("orders:read"));
        let request = Request { authorization: &authorization, dpop: &[], method: "GET", url: "https://api.example/orders" };
        let started = Instant::now();
        for _ in 0..ROUNDS {
            verifier.verify(request, &required).await.unwrap();
        }
        let whole = started.elapsed();
        let per_second = f64::from(ROUNDS) / whole.as_secs_f64();
        let ratio = whole.as_secs_f64() / bare.as_secs_f64();
        println!("{}: {per_second:.0} validations/s, {ratio:.2} of the bare signature check", case["name"]);
    }
}
