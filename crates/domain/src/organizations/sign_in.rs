//! How the members of an organization must have signed in for tokens that count in it.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::OrganizationUpdated;
use svc_core::{Cx, Error, Result, Seconds, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql};
use utoipa::ToSchema;

use super::{Organization, looks};
use crate::checks::require;
use crate::claims::ways::{PastSignIn, SSO, Ways};
use crate::document;
use crate::log::{Action, Meaning, change, check_version};

/// The rules: members that are left out demand nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = OrganizationSignInRules)]
pub struct SignInRules {
    /// The ways to sign in that are accepted, such as `password`, `passkey` or `sso`; empty for every one. A sign-in begins with one of
    /// them, or uses one that only follows another, such as `totp`.
    #[serde(skip_serializing_if = "Ways::is_every")]
    #[schema(value_type = Vec<String>, max_items = 20)]
    pub methods: Ways,
    /// Whether a second factor must have been used.
    pub second_factor: Demand,
    /// Whether the organization's own provider must have vouched for the person.
    pub sso: Demand,
    /// For how many seconds a sign-in counts; as long as the session unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 60, maximum = 2_592_000)]
    pub session_max_age_secs: Option<u32>,
}

/// Whether something is demanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignInDemand)]
pub enum Demand {
    /// It is not.
    #[default]
    Optional,
    /// It is.
    Required,
}

impl SignInRules {
    /// What holds where a newer version has written rules that this one does not understand.
    fn strictest() -> Self {
        let (second_factor, sso) = (Demand::Required, Demand::Required);
        Self { methods: Ways::default(), second_factor, sso, session_max_age_secs: Some(SHORTEST) }
    }

    /// Whether a sign-in is accepted that begins with a way, where `is_later` says of a named way that it follows the first one. The
    /// sign-in page asks what can follow, and [`Self::fit`] what has followed.
    pub fn accepts(&self, first: &str, is_later: impl Fn(&str) -> bool) -> bool {
        (self.sso == Demand::Optional || first == SSO) && self.methods.accepts(first, is_later)
    }

    /// Whether every way to sign in is accepted.
    fn takes_every_way(&self) -> bool {
        self.methods.is_every() && self.sso == Demand::Optional
    }

    /// Whether the organization's own provider alone can lead in.
    pub fn is_sso_alone(&self) -> bool {
        self.sso == Demand::Required || self.methods.is_alone(SSO)
    }

    /// For how long a sign-in counts, where one of that time counts no more.
    pub fn outlived_by(&self, signed_in: Timestamp, now: Timestamp) -> Option<Seconds> {
        let longest = Seconds(i64::from(self.session_max_age_secs?));
        (now - signed_in > longest).then_some(longest)
    }

    /// Whether a sign-in is as the organization wants it at this time.
    pub fn fit(&self, made: &PastSignIn<'_>, now: Timestamp) -> Fit {
        let is_accepted = |first: &&str| self.accepts(first, |name| made.later.contains(&name));
        let is_of_its_kind = (self.takes_every_way() || made.began.iter().any(is_accepted))
            && self.outlived_by(made.at, now).is_none();
        match (is_of_its_kind, self.second_factor == Demand::Optional || made.is_strong) {
            (true, true) => Fit::Fits,
            (true, false) => Fit::LacksSecondFactor,
            (false, _) => Fit::Other,
        }
    }
}

/// Whether a sign-in is as an organization wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is.
    Fits,
    /// But for a second factor.
    LacksSecondFactor,
    /// It is another one.
    Other,
}

/// The shortest time for which a sign-in can be made to count.
const SHORTEST: u32 = 60;
/// The longest: sessions live no longer.
const LONGEST: u32 = 30 * 86_400;

/// Makes the rules so; returns whether anything changed.
pub async fn set(tx: &mut Tx<Tenant>, cx: &Cx, present: &Organization, rules: &SignInRules) -> Result<bool> {
    check(rules)?;
    if *rules == present.sign_in {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE organizations SET sign_in_rules = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $5"
    );
    let (id, name) = (present.id, present.configuration.name.clone());
    let event = OrganizationUpdated { organization_id: id, name, status: present.status.name() };
    let facts = json!({ "sign_in": rules });
    let meaning = Meaning::done(Action::OrganizationSignInRulesChanged, id).with(facts).telling(event);
    let arguments = args![id, document::store(rules)?, cx.now, present.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the organization")?;
    looks::touch(tx, cx);
    Ok(true)
}

/// The rules of a row.
pub(super) fn read(row: &Row) -> Result<SignInRules> {
    match row.maybe_text("sign_in_rules")? {
        None => Ok(SignInRules::default()),
        Some(_) => Ok(document::known_whole(row, "sign_in_rules")?.unwrap_or_else(SignInRules::strictest)),
    }
}

fn check(rules: &SignInRules) -> Result<()> {
    let fits = |secs: u32| (SHORTEST..=LONGEST).contains(&secs);
    Error::every([
        rules.methods.check("sign_in.methods"),
        require(
            rules.session_max_age_secs.is_none_or(fits),
            "sign_in.session_max_age_secs: use 60 to 2592000 seconds, or leave it out",
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_700_000_000);

    fn rules(text: serde_json::Value) -> SignInRules {
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn each_rule_is_held_for_itself() {
        let by = |began, later, is_strong| PastSignIn { at: NOW - Seconds(100), began, later, is_strong };
        let (weak, strong) = (by(&["password"], &[], false), by(&["password"], &["totp"], true));
        let vouched = by(&[SSO], &[], false);
        let nothing = by(&[], &[], false);
        for (text, made, fit) in [
            (json!({}), weak, Fit::Fits),
            (json!({ "second_factor": "required" }), weak, Fit::LacksSecondFactor),
            (json!({ "second_factor": "required" }), strong, Fit::Fits),
            (json!({ "second_factor": "required", "sso": "required" }), weak, Fit::Other),
            (json!({ "sso": "required" }), strong, Fit::Other),
            (json!({ "sso": "required" }), vouched, Fit::Fits),
            (json!({ "methods": ["passkey"] }), strong, Fit::Other),
            (json!({ "methods": ["passkey", "password"] }), weak, Fit::Fits),
            (json!({ "methods": ["totp"] }), strong, Fit::Fits),
            (json!({ "methods": ["totp"] }), weak, Fit::Other),
            (json!({ "methods": ["sso"] }), vouched, Fit::Fits),
            (json!({ "methods": ["sso"] }), weak, Fit::Other),
            (json!({ "sso": "required", "methods": ["totp"] }), vouched, Fit::Other),
            (json!({ "second_factor": "optional" }), nothing, Fit::Fits),
            (json!({ "methods": ["password"] }), nothing, Fit::Other),
            (json!({ "session_max_age_secs": 99 }), strong, Fit::Other),
            (json!({ "session_max_age_secs": 100 }), weak, Fit::Fits),
        ] {
            assert_eq!(rules(text.clone()).fit(&made, NOW), fit, "{text}");
        }
    }

    #[test]
    fn a_sign_in_begins_as_the_rules_can_accept_it() {
        let firsts = |text: serde_json::Value| {
            let rules = rules(text);
            let accepted = |method: &&&str| rules.accepts(method, |name| name == "totp");
            let all = ["password", "passkey", "sso"];
            all.iter().filter(accepted).copied().collect::<Vec<_>>().join(" ")
        };
        for (text, accepted) in [
            (json!({}), "password passkey sso"),
            (json!({ "second_factor": "required" }), "password passkey sso"),
            (json!({ "methods": ["passkey"] }), "passkey"),
            (json!({ "methods": ["passkey", "sso"] }), "passkey sso"),
            (json!({ "methods": ["passkey", "totp"] }), "password passkey sso"),
            (json!({ "sso": "required" }), "sso"),
            (json!({ "sso": "required", "methods": ["totp"] }), "sso"),
            (json!({ "sso": "required", "methods": ["passkey"] }), ""),
            (json!({ "methods": ["kerberos"] }), ""),
        ] {
            assert_eq!(firsts(text.clone()), accepted, "{text}");
        }
        assert!(rules(json!({ "methods": ["sso"] })).is_sso_alone());
        assert!(rules(json!({ "sso": "required" })).is_sso_alone());
        assert!(!rules(json!({ "methods": ["sso", "passkey"] })).is_sso_alone());
        assert!(!rules(json!({})).is_sso_alone());
    }

    #[test]
    fn rules_that_could_not_be_kept_are_refused() {
        for bad in [
            json!({ "methods": ["Pass word"] }),
            json!({ "methods": [""] }),
            json!({ "session_max_age_secs": 59 }),
            json!({ "session_max_age_secs": 2_592_001 }),
        ] {
            assert!(check(&rules(bad.clone())).is_err(), "{bad}");
        }
    }
}
