//! Whether an organization accepts how a person has signed in, by its own rules.

use svc_core::{Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::{Level, TRUSTED_BROWSER};
use svc_domain::federation::sso;
use svc_domain::grants::grant::Authentication;
use svc_domain::organizations::sign_in::{Fit, Made};
use svc_domain::organizations::{Place, SignInRules};
use svc_http::App;

use super::methods::{self, Method};
use super::progress::Factor;

/// Whether a sign-in counts at a place at this time; where there is none, nothing is asked.
pub async fn fit(
    app: &App,
    tx: &mut Tx<Tenant>,
    authentication: &Authentication,
    (place, now): (Option<&Place>, Timestamp),
) -> Result<Fit> {
    let Some(place) = place.filter(|place| place.sign_in != SignInRules::default()) else {
        return Ok(Fit::Fits);
    };
    let Authentication { amr, acr, auth_time, session, acting: _ } = authentication;
    let has = |value: &str| amr.iter().any(|used| used == value);
    let used: Vec<_> =
        methods::known(app).iter().filter(|method| is_used(method, amr)).map(|method| method.id).collect();
    let made = Made {
        at: *auth_time,
        methods: &used,
        is_strong: Level::of(acr) >= Some(Level::Aal2) || has(TRUSTED_BROWSER),
        is_vouched: sso::of_organization(tx, *session, place.id).await?,
    };
    Ok(place.sign_in.fit(&made, now))
}

/// Whether a method is among those of these `amr` values. Codes of an app and codes that were mailed share one; a mailed code never
/// makes a sign-in one of several factors, and a code of an app always does.
fn is_used(method: &Method, amr: &[String]) -> bool {
    let has = |value: &&str| amr.iter().any(|used| used == value);
    let is_weak_code = method.factor == Factor::Possession && method.amr == ["otp"] && !has(&"mfa");
    method.amr.iter().any(has) && !is_weak_code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailed_code_is_not_taken_for_that_of_an_app() {
        let used = |amr: &[&str]| {
            let amr: Vec<_> = amr.iter().map(|value| (*value).to_owned()).collect();
            let used = methods::METHODS.iter().filter(|method| is_used(method, &amr));
            used.map(|method| method.id).collect::<Vec<_>>()
        };
        assert_eq!(used(&["pwd"]), ["password"]);
        assert_eq!(used(&["otp"]), ["email_otp", "magic_link"]);
        let with_app = used(&["pwd", "otp", "mfa"]);
        assert!(with_app.contains(&"totp") && with_app.contains(&"backup_code"), "{with_app:?}");
        assert_eq!(used(&["swk", "user", "mfa"]), ["passkey"]);
    }
}
