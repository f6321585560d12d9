//! Browsers in which a person is not asked for a second factor, for as long as `two_factor.trusted_device_days` of the deployment and
//! the tenant say.

use serde_json::json;
use svc_core::{Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::people::credentials::{self, Credential, Kind, NewCredential, Owner, lookup_of};
use svc_domain::people::login_history::words;
use svc_domain::people::tenant_users::Person;
use svc_http::SetCookie;
use svc_keys::{digest, token};

use super::tokens;
use super::visit::Visit;

/// Most browsers that an account trusts.
const MOST: usize = 10;
/// Most people who trust one browser.
const MOST_PEOPLE: usize = tokens::MOST;

/// Whether this browser is one that the owner of these credentials trusts.
pub fn is_known(visit: &Visit, all: &[Credential]) -> bool {
    days(visit) > 0 && visit.browser.trusted().any(|secret| credential(visit, all, secret).is_some())
}

/// The live credential behind a secret, where it is one of these. The trust of an account holds in all its tenants, in each for as
/// long as that tenant allows.
fn credential<'a>(visit: &Visit, all: &'a [Credential], secret: &str) -> Option<&'a Credential> {
    let (lookup, now) = (Some(lookup_of(digest(secret))), visit.cx().now);
    all.iter().find(|credential| {
        credential.kind == Some(Kind::TrustedBrowser)
            && credential.lookup == lookup
            && credential.is_live(now)
            && now < credential.created_at + lifetime(visit)
    })
}

/// Trusts this browser from now on. The credentials are held since the sign-in was settled: who takes such trust back waits, and finds
/// this one.
pub async fn remember(visit: &Visit, tx: &mut Tx<Tenant>, person: &Person) -> Result<Option<SetCookie>> {
    let lifetime = lifetime(visit);
    if lifetime.0 == 0 {
        return Ok(None);
    }
    let (cx, owner) = (visit.cx(), Owner::from(person));
    let all = credentials::of_account(tx, owner.account).await?;
    let known: Vec<&Credential> =
        all.iter().filter(|credential| credential.kind == Some(Kind::TrustedBrowser)).collect();
    // A browser that is trusted once more stands there once; else the one that was trusted first makes room.
    let own = visit.browser.trusted().find_map(|secret| credential(visit, &all, secret));
    let first = known.first().copied().filter(|_| known.len() >= MOST);
    if let Some(leaving) = own.or(first) {
        credentials::remove(tx, cx, owner, leaving).await?;
    }
    let secret = token(&*cx.entropy);
    let name = name_of(&visit.user_agent);
    let new = NewCredential {
        id: cx.id(),
        kind: Kind::TrustedBrowser,
        lookup: Some(lookup_of(digest(&secret))),
        name: &name,
        document: &json!({}),
        sealed: None,
        mark: 0,
        expires_at: Some(cx.now + lifetime),
    };
    // Not counted again: fewer are left than there may be.
    credentials::keep(tx, cx, owner, new).await?;
    // Other people who use this browser trust it by secrets of their own.
    let others = visit.browser.trusted().filter(|other| credential(visit, &all, other).is_none());
    let secrets: Vec<_> = [secret.as_str()].into_iter().chain(others).take(MOST_PEOPLE).collect();
    visit.browser.trusted_cookie(&secrets, lifetime).map(Some)
}

/// What the owner of the account reads of a browser.
fn name_of(user_agent: &str) -> String {
    match words(user_agent) {
        ("", "") => "Browser".to_owned(),
        ("", one) | (one, "") => one.to_owned(),
        (browser, os) => format!("{browser} · {os}"),
    }
}

/// Days for which a browser is trusted in this tenant; 0 where none is.
pub fn days(visit: &Visit) -> u32 {
    visit.host.tenant.settings.limits.two_factor.trusted_device_days(visit.config())
}

fn lifetime(visit: &Visit) -> Seconds {
    Seconds::from_days(days(visit))
}
