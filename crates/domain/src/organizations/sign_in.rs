//! How the members of an organization must have signed in for tokens that count in it.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::OrganizationUpdated;
use svc_core::{Cx, Error, Result, Seconds, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql};
use utoipa::ToSchema;

use super::Organization;
use crate::document;
use crate::log::{Action, Meaning, change, check_version};

/// The rules: members that are left out demand nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = OrganizationSignInRules)]
pub struct SignInRules {
    /// The ways to sign in of which one must have been used, such as `password`, `passkey` or `sso`; empty for every one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub methods: Vec<String>,
    /// Whether a second factor must have been used.
    pub second_factor: Demand,
    /// Whether the organization's own provider must have vouched for the person.
    pub sso: Demand,
    /// For how many seconds a sign-in counts; as long as the session unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 60, maximum = 2_592_000)]
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

/// The name by which rules call the organization's own provider as a way to sign in.
pub const SSO: &str = "sso";

impl SignInRules {
    /// What holds where a newer version has written rules that this one does not understand.
    fn strictest() -> Self {
        let (second_factor, sso) = (Demand::Required, Demand::Required);
        Self { methods: Vec::new(), second_factor, sso, session_max_age_secs: Some(SHORTEST) }
    }

    /// Whether a sign-in is as the organization wants it at this time.
    pub fn fit(&self, made: &Made<'_>, now: Timestamp) -> Fit {
        let is_named =
            |method: &String| made.methods.contains(&method.as_str()) || (made.is_vouched && method == SSO);
        let is_recent = |most: u32| now - made.at <= Seconds(i64::from(most));
        let is_of_its_kind = (self.methods.is_empty() || self.methods.iter().any(is_named))
            && (self.sso == Demand::Optional || made.is_vouched)
            && self.session_max_age_secs.is_none_or(is_recent);
        match (is_of_its_kind, self.second_factor == Demand::Optional || made.is_strong) {
            (true, true) => Fit::Fits,
            (true, false) => Fit::LacksSecondFactor,
            (false, _) => Fit::Other,
        }
    }
}

/// How a person has signed in.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// When.
    pub at: Timestamp,
    /// The ways to sign in that were used.
    pub methods: &'a [&'a str],
    /// Whether a second factor was among them.
    pub is_strong: bool,
    /// Whether the organization's provider vouched.
    pub is_vouched: bool,
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
    let is_word = |name: &String| {
        (1..=40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let fits = |secs: u32| (SHORTEST..=LONGEST).contains(&secs);
    let held = |is_held: bool, why: &str| if is_held { Ok(()) } else { Err(Error::bad_request(why)) };
    Error::every([
        held(
            rules.methods.len() <= 20 && rules.methods.iter().all(is_word),
            "sign_in.methods: name at most 20 ways to sign in, such as `password`, `passkey` or `sso`",
        ),
        held(
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
        let by =
            |methods, is_strong, is_vouched| Made { at: NOW - Seconds(100), methods, is_strong, is_vouched };
        let (weak, strong) = (by(&["password"], false, false), by(&["password", "totp"], true, false));
        let vouched = by(&[], false, true);
        for (text, made, fit) in [
            (json!({}), weak, Fit::Fits),
            (json!({ "second_factor": "required" }), weak, Fit::LacksSecondFactor),
            (json!({ "second_factor": "required" }), strong, Fit::Fits),
            (json!({ "second_factor": "required", "sso": "required" }), weak, Fit::Other),
            (json!({ "sso": "required" }), strong, Fit::Other),
            (json!({ "sso": "required" }), vouched, Fit::Fits),
            (json!({ "methods": ["passkey"] }), strong, Fit::Other),
            (json!({ "methods": ["passkey", "password"] }), weak, Fit::Fits),
            (json!({ "methods": ["sso"] }), vouched, Fit::Fits),
            (json!({ "session_max_age_secs": 99 }), strong, Fit::Other),
            (json!({ "session_max_age_secs": 100 }), weak, Fit::Fits),
        ] {
            assert_eq!(rules(text.clone()).fit(&made, NOW), fit, "{text}");
        }
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
