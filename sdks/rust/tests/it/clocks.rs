//! Access tokens before a clock that is wrong.

use svc_sdk::{Keys, Request, Verifier, VerifierConfig};

use crate::vectors::{file, required, text};

type Clock = fn() -> i64;

#[tokio::test]
async fn a_token_before_a_clock_that_is_ten_minutes_off_is_refused_with_the_seconds() {
    let file = file("access_tokens.json");
    let case = &file["cases"][0];
    let claims = &case["outcome"]["claims"];
    assert_eq!((claims["exp"].as_i64(), claims["nbf"].as_i64()), (Some(1_800_000_300), Some(1_799_999_940)));
    let clocks: [(Clock, &str); 6] = [
        (
            || 1_800_000_900,
            "the token expired 600 s ago by this machine's clock; compare it with the issuer's",
        ),
        (|| 1_800_000_300, "the token expired 0 s ago by this machine's clock; compare it with the issuer's"),
        (|| 1_800_000_299, ""),
        (|| 1_799_999_930, ""),
        (
            || 1_799_999_929,
            "the token's nbf is 11 s ahead of this machine's clock; compare it with the issuer's",
        ),
        (
            || 1_799_999_340,
            "the token's nbf is 600 s ahead of this machine's clock; compare it with the issuer's",
        ),
    ];
    for (now, wanted) in clocks {
        let new =
            VerifierConfig::new(text(&file, "issuer"), text(&file, "audience"), text(&file, "tenant_id"));
        let keys = Keys::from_json(&file["jwks"]).unwrap();
        let verifier = Verifier::new(VerifierConfig { keys, now, ..new.unwrap() }).unwrap();
        let authorization = [text(&case["headers"], "authorization")];
        let (method, url) = (text(case, "method"), text(case, "url"));
        let request = Request { authorization: &authorization, dpop: &[], method, url };
        let judged = verifier.verify(request, &required(case)).await;
        let said = judged.err().map(|error| (error.code, error.description)).unwrap_or_default();
        let code = if wanted.is_empty() { "" } else { "invalid_token" };
        assert_eq!((said.0.as_str(), said.1.as_str()), (code, wanted));
    }
}
