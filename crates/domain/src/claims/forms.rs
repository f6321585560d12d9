//! What the standard claims have to look like, so that applications can take them for what OpenID Connect Core §5.1 says that they are.

use serde_json::Value;
use svc_core::text::is_visible;
use svc_core::{Error, Result};

use super::profile::Profile;
use crate::checks::{is_language, is_line, require};
use crate::web_uri::is_of_web;

/// Longest claim in characters.
const LONGEST: usize = 500;
/// Longest name in characters that is chosen here.
const LONGEST_NAME: usize = 200;
/// Longest name of a time zone, and most parts of one.
const LONGEST_ZONE: usize = 64;
const MOST_PARTS: usize = 3;

impl Profile {
    /// Refuses claims of another form; an empty text says nothing. `member` is where they stand in what was sent.
    pub fn check(&self, member: &str) -> Result<()> {
        let claims = Value::Object(self.claims());
        let fits = |name: &str, is_fit: fn(&str) -> bool, told: &str| {
            let is_right = claims.get(name).and_then(Value::as_str).is_none_or(is_fit);
            require(is_right, &format!("{member}.{name}: {told}"))
        };
        let of_web = "give an address with https:// or http://";
        let of_person = "use one line with at least one visible character";
        Error::every([
            require(
                are_fit(&claims),
                &format!("{member}: use at most {LONGEST} characters in a claim, without control characters"),
            ),
            fits("name", is_readable, of_person),
            fits("given_name", is_readable, of_person),
            fits("family_name", is_readable, of_person),
            fits("nickname", is_readable, of_person),
            fits("profile", is_of_web, of_web),
            fits("picture", is_of_web, of_web),
            fits("website", is_of_web, of_web),
            fits("birthdate", is_birthdate, "give a day as YYYY-MM-DD, or a year"),
            fits("zoneinfo", is_zone, "give a name of the time zone database, such as Europe/London"),
            fits("locale", is_tag, "give a language tag such as de or pt-BR"),
        ])
    }
}

/// Whether people may choose a text as a name here: one line, in which something can be seen.
pub fn is_name(text: &str) -> bool {
    is_visible(text) && is_line(text, LONGEST_NAME)
}

/// Whether a name of another system can be shown: it may be longer than one that is chosen here.
fn is_readable(text: &str) -> bool {
    is_visible(text) && !text.contains(['\n', '\r'])
}

/// Whether a text has the form of a name in the time zone database (RFC 6557). Which names there are changes.
pub fn is_zone(text: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
    };
    text.len() <= LONGEST_ZONE && text.split('/').count() <= MOST_PARTS && text.split('/').all(is_part)
}

/// Whether a text has the form of a language tag (BCP 47), or that of one which is written with underscores, as other systems do.
fn is_tag(text: &str) -> bool {
    is_language(&text.replace('_', "-"))
}

/// A day, whose year may be left out as `0000`, or a year.
fn is_birthdate(text: &str) -> bool {
    let is_day = || text.parse::<jiff::civil::Date>().is_ok_and(|day| day.to_string() == text);
    let is_year = || text.bytes().all(|byte| byte.is_ascii_digit());
    match text.len() {
        4 => is_year(),
        10 => is_day(),
        _ => false,
    }
}

/// Addresses have lines.
fn are_fit(claims: &Value) -> bool {
    match claims {
        Value::String(text) => text.is_empty() || is_line(&text.replace(['\n', '\r'], " "), LONGEST),
        Value::Object(members) => members.values().all(are_fit),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(claims: Value) -> Vec<String> {
        let profile: Profile = serde_json::from_value(claims).unwrap();
        let error = profile.check("claims").err();
        error.map_or_else(Vec::new, |error| error.flaws().iter().map(|flaw| flaw.detail.clone()).collect())
    }

    #[test]
    fn a_birthday_is_a_day_a_day_of_any_year_or_a_year() {
        for fit in ["1906-12-09", "0000-12-09", "2000-02-29", "1906"] {
            assert!(is_birthdate(fit), "{fit}");
        }
        for unfit in
            ["09/12/1906", "1906-13-09", "1906-2-9", "19061209", "-906", "1906-12-09T00:00:00Z", "1907-02-29"]
        {
            assert!(!is_birthdate(unfit), "{unfit}");
        }
    }

    #[test]
    fn a_time_zone_has_the_name_of_one() {
        for fit in ["Europe/London", "UTC", "Etc/GMT+1", "America/Argentina/Buenos_Aires", "EST5EDT"] {
            assert!(is_zone(fit), "{fit}");
        }
        for unfit in [
            "",
            "Romance Standard Time",
            "+01:00",
            "Europe/",
            "/UTC",
            "a/b/c/d",
            "Europe/Lond\u{f6}n",
            " UTC",
        ] {
            assert!(!is_zone(unfit), "{unfit}");
        }
    }

    #[test]
    fn a_language_is_a_tag() {
        for fit in ["de", "pt-BR", "en_US", "zh-Hant-TW", "sl-rozaj-biske-1994"] {
            assert!(is_tag(fit), "{fit}");
        }
        for unfit in ["", "German (Austria)", "-de", "de-", "4", "de--AT", "d\u{e9}", &"a-".repeat(20)] {
            assert!(!is_tag(unfit), "{unfit}");
        }
    }

    #[test]
    fn each_claim_that_does_not_fit_is_named_where_it_stands() {
        let lines = json!({ "formatted": "12 Elm Street\nLondon", "region": "" });
        let longest = "n".repeat(500);
        assert_eq!(refused(json!({ "name": longest, "website": "", "address": lines })), [""; 0]);
        assert_eq!(
            refused(
                json!({ "nickname": "\u{200b}", "website": " ", "zoneinfo": "GMT 1", "birthdate": "soon" })
            ),
            [
                "claims.nickname: use one line with at least one visible character",
                "claims.website: give an address with https:// or http://",
                "claims.birthdate: give a day as YYYY-MM-DD, or a year",
                "claims.zoneinfo: give a name of the time zone database, such as Europe/London",
            ]
        );
        let long = refused(json!({ "gender": "x".repeat(501) }));
        assert_eq!(long, ["claims: use at most 500 characters in a claim, without control characters"]);
    }
}
