//! Which ways to sign in count where a sign-in leads, by the application and by the rules of the organization: the page offers no
//! others, and the first proof and the session are held to both.

use std::sync::Arc;

use svc_core::capability::Capability;
use svc_core::{OrganizationId, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{App as Application, OrganizationUsage};
use svc_domain::claims::assurance::{Level, TRUSTED_BROWSER};
use svc_domain::claims::ways::{PastSignIn, SSO, Ways};
use svc_domain::federation::sso;
use svc_domain::grants::grant::Authentication;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::organizations::{Demand, Look, Place, SignInRules};
use svc_http::{App, HostCx};

use super::methods::{self, Method};

/// What is accepted before it is known who signs in. It follows from the request and from what was typed, never from an account.
#[derive(Clone, Debug, Default)]
pub struct Accepts {
    /// Those of the application.
    ways: Ways,
    /// The organization that is known already.
    organization: Option<Arc<Look>>,
}

impl Accepts {
    /// What is accepted on the way to an application and, where one is named, to an organization.
    pub async fn of(host: &HostCx, app: &Application, organization: Option<&str>) -> Result<Self> {
        let may_count =
            host.offers(&Capability::ORGANIZATIONS) && app.organization_usage() != OrganizationUsage::Deny;
        let organization = match organization.filter(|_| may_count) {
            Some(named) => host.app.services.looks.named(host.tenant.id, named).await?,
            None => None,
        };
        Ok(Self { ways: app.configuration.sign_in_methods.clone().unwrap_or_default(), organization })
    }

    /// Whether a sign-in may begin with a method: it is named, or one that is named can follow it.
    pub fn takes(&self, host: &HostCx, method: &Method) -> bool {
        let known = |name: &str| methods::known(&host.app).iter().find(|known| known.id == name);
        let accepts = |rules: &SignInRules| {
            let can_follow = |name: &str| known(name).is_some_and(|known| counts_later(rules, known));
            rules.accepts(method.id, can_follow)
        };
        self.ways.accepts(method.id, |name| known(name).is_some_and(|known| !known.is_first))
            && self.organization.as_ref().is_none_or(|found| accepts(&found.sign_in))
    }

    /// Whether the provider of the organization alone leads in.
    pub fn is_sso_alone(&self) -> bool {
        let is_demanded = |found: &Arc<Look>| found.sign_in.is_sso_alone() || self.ways.is_alone(SSO);
        self.organization.as_ref().is_some_and(is_demanded)
    }

    /// For how many seconds a sign-in counts in the organization, where it says so.
    pub fn longest(&self) -> Option<i64> {
        self.organization.as_ref()?.sign_in.session_max_age_secs.map(i64::from)
    }

    /// Whether these are the rules of this organization.
    pub fn are_of(&self, organization: OrganizationId) -> bool {
        self.organization.as_ref().is_some_and(|found| found.id == organization)
    }
}

/// Whether an application accepts the way in which a session was signed in.
pub fn is_taken_by(application: &Application, app: &App, authentication: &Authentication) -> bool {
    let Some(ways) = &application.configuration.sign_in_methods else { return true };
    let (known, amr) = (methods::known(app).iter(), &authentication.amr);
    let began: Vec<_> =
        known.clone().filter(|method| has_begun(method, amr)).map(|method| method.id).collect();
    let is_later = |method: &&&Method| !method.is_first && has_followed(method, amr);
    let later: Vec<_> = known.filter(is_later).map(|method| method.id).collect();
    ways.fit(&made(authentication, &began, &later))
}

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
    let amr = &authentication.amr;
    let known = methods::known(app).iter();
    // Of the providers at which people sign in, those of the organization count alone.
    let is_other = |method: &&&Method| method.id != SSO && has_begun(method, amr);
    let vouched = sso::of_organization(tx, authentication.session, place.id).await?.then_some(SSO);
    let began: Vec<_> = known.clone().filter(is_other).map(|method| method.id).chain(vouched).collect();
    let is_later = |method: &&&Method| counts_later(&place.sign_in, method) && has_followed(method, amr);
    let later: Vec<_> = known.filter(is_later).map(|method| method.id).collect();
    Ok(place.sign_in.fit(&made(authentication, &began, &later), now))
}

fn made<'a>(by: &Authentication, began: &'a [&'a str], later: &'a [&'a str]) -> PastSignIn<'a> {
    let is_trusted = by.amr.iter().any(|value| value == TRUSTED_BROWSER);
    PastSignIn {
        at: by.auth_time,
        began,
        later,
        is_strong: is_trusted || Level::of(&by.acr) >= Some(Level::Aal2),
    }
}

/// Whether rules that name a method accept it behind another one: where it only ever follows, or where they leave no choice of what a
/// sign-in begins with.
fn counts_later(rules: &SignInRules, method: &Method) -> bool {
    !method.is_first || rules.sso == Demand::Required
}

/// Whether a sign-in of these `amr` values, which stand in the order of their use, may have begun with a method. Nothing was proven
/// where there are none: that is a guest.
fn has_begun(method: &Method, amr: &[String]) -> bool {
    // A passkey says of itself how it is kept: a key that may be copied, or one in hardware.
    // So does a provider whose word counts in the tenant alone.
    let is_of = |first: &str| {
        let as_listed = match first {
            "swk" => "hwk",
            "connector" => "social",
            other => other,
        };
        method.amr.contains(&as_listed)
    };
    method.is_first && amr.first().map_or(method.amr.is_empty(), |first| is_of(first))
}

/// Whether a method has followed the first proof of these `amr` values. Codes of an app and codes that were mailed share one; a mailed
/// code never makes a sign-in one of several factors, and a code of an app always does.
fn has_followed(method: &Method, amr: &[String]) -> bool {
    let later = amr.get(1..).unwrap_or_default();
    let has = |value: &&str| later.iter().any(|used| used == value);
    method.amr.iter().any(has) && (method.amr != ["otp"] || has(&"mfa"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods of which something holds for `amr` values.
    fn methods_of(amr: &[&str], holds: fn(&Method, &[String]) -> bool) -> Vec<&'static str> {
        let amr: Vec<_> = amr.iter().map(|value| (*value).to_owned()).collect();
        methods::METHODS.iter().filter(|method| holds(method, &amr)).map(|method| method.id).collect()
    }

    #[test]
    fn what_a_sign_in_began_with_is_its_first_proof() {
        for (amr, began) in [
            (&["pwd"][..], &["password"][..]),
            (&["pwd", "hwk", "user", "mfa"], &["password"]),
            (&["pwd", "sms", "mfa"], &["password"]),
            (&["hwk", "user", "mfa"], &["passkey"]),
            (&["swk", "user", "mfa"], &["passkey"]),
            (&["otp"], &["email_otp", "magic_link"]),
            (&["fed", "mfa"], &["sso"]),
            (&["connector"], &["social"]),
            (&[], &["anonymous"]),
        ] {
            assert_eq!(methods_of(amr, has_begun), began, "{amr:?}");
        }
    }

    #[test]
    fn a_mailed_code_is_not_taken_for_that_of_an_app() {
        let followed = |amr: &[&str]| {
            let only_later = |method: &Method, amr: &[String]| {
                counts_later(&SignInRules::default(), method) && has_followed(method, amr)
            };
            methods_of(amr, only_later)
        };
        assert_eq!(followed(&["pwd", "otp", "mfa"]), ["totp", "backup_code", "set_up_totp"]);
        for amr in [&["otp", "hwk", "user", "mfa"][..], &["pwd", "hwk", "user", "mfa"]] {
            assert_eq!(followed(amr), ["set_up_passkey"], "{amr:?}");
        }
        for amr in [&["otp"][..], &["pwd"], &[]] {
            assert!(followed(amr).is_empty(), "{amr:?}");
        }
    }

    #[test]
    fn behind_the_demanded_word_of_a_provider_every_named_way_counts() {
        let rules = SignInRules { sso: Demand::Required, ..SignInRules::default() };
        assert!(counts_later(&rules, &methods::passkey::METHOD));
        assert!(!counts_later(&SignInRules::default(), &methods::passkey::METHOD));
    }
}
