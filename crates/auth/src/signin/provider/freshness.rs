//! How fresh a sign-in at a provider has to be (OpenID Connect Core §3.1.2.1, §3.1.3.7): how that is asked for, and whether the
//! answer shows it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{Class, Error, Result, Seconds, Timestamp};

/// How far the clock of a provider may be off.
pub(super) const SKEW: Seconds = Seconds(60);
/// The issuer of Google.
const GOOGLE: &str = "https://accounts.google.com";
/// Where the issuers of Entra ID begin.
const ENTRA: &[&str] = &[
    "https://login.microsoftonline.com/",
    "https://login.microsoftonline.us/",
    "https://login.partner.microsoftonline.cn/",
    "https://sts.windows.net/",
];

/// Where the issuers of Entra External ID are, each at a host of its own.
const EXTERNAL_ID: &str = ".ciamlogin.com";

/// How a provider is asked not to answer for a session that is open there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// By `prompt=login` and `max_age`; its ID token says when the person last proved who they are.
    Standard,
    /// By a parameter of its own, after which the person has to do something there. It need not say when they proved who they are.
    By(&'static str, &'static str),
    /// Not at all.
    Unknown,
}

/// How fresh the sign-in at a provider has to be.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Wanted {
    /// When it was asked for.
    at: Timestamp,
    /// How old it may be.
    max_age: Seconds,
    /// Whether the ID token has to say how old it is.
    is_to_be_shown: bool,
}

impl Renewal {
    /// That of a provider which shows accounts to choose from, and knows no new sign-in.
    pub const CHOICE: Self = Self::By("prompt", "select_account");
    /// That of a provider which asks for a new sign-in, and says nothing of its time.
    pub const LOGIN: Self = Self::By("prompt", "login");
    /// That of a provider which asks again what the person allows.
    pub const CONSENT: Self = Self::By("prompt", "consent");

    /// That of an OpenID provider.
    pub fn of_issuer(issuer: &str) -> Self {
        if issuer.trim_end_matches('/') == GOOGLE {
            Self::CHOICE
        } else if is_entra(issuer) {
            Self::LOGIN
        } else {
            Self::Standard
        }
    }

    /// What an authorization request says of it; an age of 0 asks for a sign-in even if the last was this very second.
    pub fn params(self, max_age: Option<Seconds>) -> Vec<(&'static str, String)> {
        let age = |max_age: Seconds| ("max_age", max_age.0.to_string());
        match (self, max_age) {
            (_, None) | (Self::Unknown, Some(_)) => Vec::new(),
            (Self::Standard, Some(Seconds(0))) => vec![("prompt", "login".to_owned()), age(Seconds(0))],
            (Self::Standard, Some(max_age)) => vec![age(max_age)],
            (Self::By(name, value), Some(_)) => vec![(name, value.to_owned())],
        }
    }

    /// What the answer is held to.
    pub fn wanted(self, max_age: Option<Seconds>, at: Timestamp) -> Option<Wanted> {
        max_age.map(|max_age| Wanted { at, max_age, is_to_be_shown: self == Self::Standard })
    }
}

/// Whether an issuer is a directory of Entra ID.
fn is_entra(issuer: &str) -> bool {
    let host = issuer.strip_prefix("https://").and_then(|rest| rest.split('/').next());
    ENTRA.iter().any(|known| issuer.starts_with(known))
        || host.is_some_and(|host| host.ends_with(EXTERNAL_ID))
}

/// When the person last proved who they are there; nothing where the provider does not say so and need not. A sign-in while the
/// person was away counts however long they took.
pub fn seen_at(
    claims: &Map<String, Value>,
    wanted: Option<&Wanted>,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let Some(seen_at) = auth_time(claims).filter(|seen_at| *seen_at <= now + SKEW) else {
        let is_refused = |wanted: &Wanted| wanted.is_to_be_shown || claims.contains_key("auth_time");
        return if wanted.is_some_and(is_refused) {
            Err(stale("does not say when the person signed in there"))
        } else {
            Ok(None)
        };
    };
    let oldest = wanted.map(|wanted| wanted.at.min(now - wanted.max_age));
    if oldest.is_some_and(|oldest| seen_at + SKEW < oldest) {
        return Err(stale("the person signed in there too long ago"));
    }
    Ok(Some(oldest.map_or(seen_at, |oldest| seen_at.max(oldest)).min(now)))
}

/// The claim, which may have a fraction; some providers say 0 where they do not know.
fn auth_time(claims: &Map<String, Value>) -> Option<Timestamp> {
    let secs: i64 = claims.get("auth_time")?.as_f64()?.trunc().to_string().parse().ok()?;
    (secs > 0).then(|| Timestamp::from_secs(secs))
}

#[track_caller]
fn stale(what: &str) -> Error {
    Error::new(Class::LoginRequired, format!("the provider's token: auth_time: {what}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_700_000_000);

    fn counted(renewal: Renewal, max_age: Option<i64>, auth_time: &Value) -> Result<Option<i64>> {
        let claims = json!({ "auth_time": auth_time });
        let mut claims = claims.as_object().unwrap().clone();
        if auth_time.is_null() {
            claims.clear();
        }
        // The person was away for ten minutes.
        let wanted = renewal.wanted(max_age.map(Seconds), NOW - Seconds(600));
        Ok(seen_at(&claims, wanted.as_ref(), NOW)?.map(|seen_at| seen_at.as_secs() - NOW.as_secs()))
    }

    #[test]
    fn a_provider_is_asked_in_the_words_that_it_knows() {
        let asked = |renewal: Renewal, max_age: Option<i64>| {
            let params = renewal.params(max_age.map(Seconds));
            params.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
        };
        for (issuer, of_login, of_age) in [
            ("https://login.acme.example", "prompt=login&max_age=0", "max_age=60"),
            ("https://accounts.google.com", "prompt=select_account", "prompt=select_account"),
            ("https://login.microsoftonline.com/72f988bf/v2.0", "prompt=login", "prompt=login"),
            ("https://login.microsoftonline.com.acme.example", "prompt=login&max_age=0", "max_age=60"),
            ("https://acme.ciamlogin.com/72f988bf/v2.0", "prompt=login", "prompt=login"),
            ("https://acme.example/x.ciamlogin.com", "prompt=login&max_age=0", "max_age=60"),
        ] {
            let renewal = Renewal::of_issuer(issuer);
            assert_eq!(asked(renewal, Some(0)), of_login, "{issuer}");
            assert_eq!(asked(renewal, Some(60)), of_age, "{issuer}");
            assert_eq!(asked(renewal, None), "", "{issuer}");
        }
        assert_eq!(asked(Renewal::Unknown, Some(0)), "");
    }

    #[test]
    fn a_sign_in_there_counts_from_when_it_was_and_not_where_it_is_too_old() {
        let at = |ago: i64| json!(NOW.as_secs() - ago);
        for (max_age, auth_time, expected) in [
            (None, at(90_000), Some(-90_000)),
            (None, json!(1_699_999_000.75), Some(-1000)),
            (Some(0), at(5), Some(-5)),
            (Some(60), at(500), Some(-500)),
            // The clock over there may be off by a minute.
            (Some(0), at(630), Some(-600)),
            (Some(3600), at(3630), Some(-3600)),
            (Some(0), at(-30), Some(0)),
        ] {
            let seen = counted(Renewal::Standard, max_age, &auth_time).unwrap();
            assert_eq!(seen, expected, "{max_age:?} {auth_time}");
        }
        for (max_age, auth_time) in [(0, at(661)), (60, at(661)), (3600, at(3661)), (0, at(-61))] {
            for renewal in [Renewal::Standard, Renewal::LOGIN, Renewal::Unknown] {
                let refused = counted(renewal, Some(max_age), &auth_time).unwrap_err();
                assert_eq!(refused.class(), Class::LoginRequired, "{max_age} {auth_time}");
            }
        }
    }

    #[test]
    fn what_says_nothing_of_its_time_is_refused_where_it_had_to_say_it() {
        let no_times = [Value::Null, json!("1700000000"), json!(0), json!(-1), json!(1e300)];
        for nothing in &no_times {
            assert!(counted(Renewal::Standard, Some(3600), nothing).is_err(), "{nothing}");
            assert_eq!(counted(Renewal::Standard, None, nothing).unwrap(), None, "{nothing}");
        }
        assert_eq!(counted(Renewal::LOGIN, Some(0), &Value::Null).unwrap(), None);
        assert_eq!(counted(Renewal::Unknown, Some(0), &Value::Null).unwrap(), None);
    }
}
