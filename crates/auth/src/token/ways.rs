//! Applications that accept some ways to sign in alone, at grants before which no person has signed in for them.

use svc_core::{Error, Result};

use super::grant::Request;

/// Refuses a subject token that was issued to another: its sign-in was not judged for this application.
pub fn must_be_own(request: &Request<'_>, issued_to: &str) -> Result<()> {
    if accepts_every_way(request) || issued_to == request.app.client_id() {
        return Ok(());
    }
    Err(Error::invalid_request(
        "subject_token: the application accepts some ways to sign in alone, and this sign-in was not made for it; send the \
         person to the authorization endpoint",
    ))
}

/// Refuses the word of another issuer, who has signed the person in.
pub fn must_take_every_one(request: &Request<'_>) -> Result<()> {
    if accepts_every_way(request) {
        return Ok(());
    }
    Err(Error::invalid_grant(
        "assertion: the application accepts some ways to sign in alone, and this sign-in was not made here; send the person \
         to the authorization endpoint",
    ))
}

fn accepts_every_way(request: &Request<'_>) -> bool {
    request.app.configuration.sign_in_methods.is_none()
}
