//! `cargo run --release --example validation`: how many tokens a core judges with known keys, and how that compares with the bare check
//! of the signature.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a measurement ends where it cannot go on")]

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use svc_sdk::{Keys, PublicKey, Request, Required, Verifier, VerifierConfig};

const ROUNDS: u32 = 2_000;
const SERIES: u32 = 10;

/// How long processors have worked for this process: what else the machine does takes no part in it.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let path = format!("{}/../vectors/access_tokens.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let text = |name: &str| file[name].as_str().unwrap();
    let new = VerifierConfig::new(text("issuer"), text("audience"), text("tenant_id")).unwrap();
    let keys = Keys::from_json(&file["jwks"]).unwrap();
    let verifier = Verifier::new(VerifierConfig { keys, now: || 1_800_000_000, ..new }).unwrap();
    for (case, jwk) in
        [(&file["cases"][0], &file["jwks"]["keys"][0]), (&file["cases"][1], &file["jwks"]["keys"][1])]
    {
        let header = case["headers"]["authorization"].as_str().unwrap();
        let (input, signature) = header.split_once(' ').unwrap().1.rsplit_once('.').unwrap();
        let (key, signature) =
            (PublicKey::from_jwk(jwk).unwrap(), URL_SAFE_NO_PAD.decode(signature).unwrap());
        let (authorization, required) = ([header], Required::scope("orders:read"));
        let request = Request {
            authorization: &authorization,
            dpop: &[],
            method: "GET",
            url: "https://api.example/orders",
        };
        // By turns, so that a warm cache or a slow clock serves both.
        let (mut bare, mut whole) = (Duration::MAX, Duration::MAX);
        for _ in 0..SERIES {
            let started = spent();
            (0..ROUNDS).for_each(|_| assert!(key.verifies(input.as_bytes(), &signature)));
            bare = bare.min((spent() - started) / ROUNDS);
            let started = spent();
            for _ in 0..ROUNDS {
                verifier.verify(request, &required).await.unwrap();
            }
            whole = whole.min((spent() - started) / ROUNDS);
        }
        let (per_second, ratio) = (1.0 / whole.as_secs_f64(), whole.as_secs_f64() / bare.as_secs_f64());
        println!("{}: {per_second:.0} validations/s, {ratio:.2} of the bare signature check", case["name"]);
    }
}
