//! DPoP (RFC 9449): proofs at the token endpoint and at our own resources, and what they bind.

mod binding;
mod nonces;
mod par;
mod proofs;
pub mod prover;
mod refresh;
mod replay;
mod resources;

use svc_domain::apps::{AuthMethod, Configuration, Kind};

use self::prover::Prover;
use crate::harness::client::Tokens;
use crate::harness::{Answer, Client, Code, Person};

/// The token endpoint of an application's tenant.
pub fn token_url(app: &Client<'_>) -> String {
    format!("{}/oauth/token", app.site.issuer())
}

/// Exchanges a code with a proof, whatever comes of it.
async fn exchange(app: &Client<'_>, code: &Code, proof: &str) -> Answer {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.code.as_str()),
        ("redirect_uri", app.redirect_uri()),
        ("code_verifier", code.verifier.as_str()),
    ];
    app.post_with("/oauth/token", &[("dpop", proof)], &form, &[]).await
}

/// Everything from sign-in to tokens that are bound to a key.
pub async fn tokens(app: &Client<'_>, person: &Person, prover: &Prover) -> Tokens {
    let code = app.code(person).await;
    let proof = prover.proof("POST", &token_url(app), &[]);
    Tokens { response: exchange(app, &code, &proof).await.expect(200).json() }
}

/// Client credentials with some DPoP headers.
pub async fn own(app: &Client<'_>, proofs: &[&str]) -> Answer {
    let headers: Vec<_> = proofs.iter().map(|proof| ("dpop", *proof)).collect();
    app.post_with("/oauth/token", &headers, &[("grant_type", "client_credentials")], &[]).await
}

/// Uses a refresh token, with a proof or without.
pub async fn refresh(app: &Client<'_>, token: &str, proof: Option<&str>) -> Answer {
    let headers: Vec<_> = proof.into_iter().map(|proof| ("dpop", proof)).collect();
    let form = [("grant_type", "refresh_token"), ("refresh_token", token)];
    app.post_with("/oauth/token", &headers, &form, &[]).await
}

/// The configuration of an application whose tokens are always bound.
pub fn bound(configuration: &mut Configuration) {
    configuration.dpop_bound_access_tokens = true;
}

/// The same for a public one.
fn bound_public(configuration: &mut Configuration) {
    bound(configuration);
    configuration.kind = Kind::Spa;
    configuration.token_endpoint_auth_method = AuthMethod::None;
    configuration
        .grant_types
        .retain(|grant| ["authorization_code", "refresh_token"].contains(&grant.as_str()));
}
