//! Whether an organization accepts how a person has signed in, by its own rules.

use svc_core::{Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::{Level, TRUSTED_BROWSER};
use svc_domain::federation::sso;
use svc_domain::grants::grant::Authentication;
use svc_domain::organizations::sign_in::{Fit, Made};
use svc_domain::organizations::{Place, SignInRules};
use svc_http::App;

use super::methods;

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
    let has = |value: &&str| amr.iter().any(|used| used == value);
    let used = methods::known(app).iter().filter(|method| method.amr.iter().any(has));
    let used: Vec<_> = used.map(|method| method.id).collect();
    let made = Made {
        at: *auth_time,
        methods: &used,
        is_strong: Level::of(acr) >= Some(Level::Aal2) || has(&TRUSTED_BROWSER),
        is_vouched: sso::of_organization(tx, *session, place.id).await?,
    };
    Ok(place.sign_in.fit(&made, now))
}
