//! How hosted pages and mails look, as a tenant or an organization chooses it.

use serde::{Deserialize, Serialize};
use svc_core::text::is_shown;
use svc_core::{Error, Result};
use utoipa::ToSchema;

use crate::checks::require;
use crate::web_uri::is_web_uri;

/// The look of hosted pages and mails. An organization inherits from its tenant what it leaves out, and a tenant from the
/// deployment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(examples(json!({ "accent": "#8a2be2", "logo_uri": "https://acme.example/logo.svg", "radius": 4, "font": "serif" })))]
pub struct Branding {
    /// An accent colour, `#rrggbb`.
    #[schema(pattern = "^#[0-9a-fA-F]{6}$")]
    pub accent: Option<String>,
    /// A logo, an https URL.
    #[schema(format = "uri")]
    pub logo_uri: Option<String>,
    /// The privacy policy, linked from every hosted page, an https URL.
    #[schema(format = "uri")]
    pub policy_uri: Option<String>,
    /// The terms of service, linked from every hosted page, an https URL.
    #[schema(format = "uri")]
    pub tos_uri: Option<String>,
    /// The corner radius, in pixels.
    #[schema(minimum = 0, maximum = 24)]
    pub radius: Option<u32>,
    /// The typeface: `system`, `humanist`, `geometric`, `rounded`, `serif` or `monospace`, as the person's device has it.
    #[schema(pattern = "^(system|humanist|geometric|rounded|serif|monospace)$")]
    pub font: Option<String>,
    /// The name from which mails come, at most 60 characters; their address stays the deployment's.
    #[schema(min_length = 1, max_length = 60)]
    pub sender_name: Option<String>,
}

/// The roundest corners, in pixels.
pub const ROUNDEST: u32 = 24;
/// The typefaces: devices have them, so that no page loads one.
pub const FONTS: [&str; 6] = ["system", "humanist", "geometric", "rounded", "serif", "monospace"];
/// Longest name of a sender, in characters.
const LONGEST_SENDER: usize = 60;

impl Branding {
    /// Refuses what no page and no mail can have.
    pub fn check(&self) -> Result<()> {
        let is_web = |uri: &Option<String>| uri.as_deref().is_none_or(is_web_uri);
        Error::every([
            require(self.accent.as_deref().is_none_or(is_colour), "accent: write a colour as #rrggbb"),
            require(is_web(&self.logo_uri), "logo_uri: give an https URL"),
            require(is_web(&self.policy_uri), "policy_uri: give an https URL"),
            require(is_web(&self.tos_uri), "tos_uri: give an https URL"),
            require(self.radius.is_none_or(|radius| radius <= ROUNDEST), "radius: use 0 to 24 pixels"),
            require(
                self.font.as_deref().is_none_or(|font| FONTS.contains(&font)),
                "font: use system, humanist, geometric, rounded, serif or monospace",
            ),
            require(
                self.sender_name.as_deref().is_none_or(is_sender),
                "sender_name: use 1 to 60 characters, without @, <, >, quotes, slashes, backslashes and control characters",
            ),
        ])
    }

    /// This look, and where it leaves something out, that of `above`.
    #[must_use]
    pub fn over(self, above: Self) -> Self {
        Self {
            accent: self.accent.or(above.accent),
            logo_uri: self.logo_uri.or(above.logo_uri),
            policy_uri: self.policy_uri.or(above.policy_uri),
            tos_uri: self.tos_uri.or(above.tos_uri),
            radius: self.radius.or(above.radius),
            font: self.font.or(above.font),
            sender_name: self.sender_name.or(above.sender_name),
        }
    }
}

fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A name that no mail program can take for an address.
fn is_sender(name: &str) -> bool {
    (1..=LONGEST_SENDER).contains(&name.chars().count())
        && name.trim() == name
        && name.chars().all(|c| is_shown(c) && !matches!(c, '@' | '＠' | '<' | '>' | '"' | '\\' | '/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn branding(value: serde_json::Value) -> Branding {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn what_no_page_and_no_mail_can_have_is_refused() {
        for (bad, named) in [
            (json!({ "accent": "red" }), "accent"),
            (json!({ "accent": "#123456;}body{" }), "accent"),
            (json!({ "logo_uri": "javascript:alert(1)" }), "logo_uri"),
            (json!({ "logo_uri": "http://acme.example/x.png" }), "logo_uri"),
            (json!({ "logo_uri": "data:image/svg+xml,<svg/>" }), "logo_uri"),
            (json!({ "policy_uri": "//acme.example" }), "policy_uri"),
            (json!({ "tos_uri": "https://a:b@acme.example" }), "tos_uri"),
            (json!({ "radius": 25 }), "radius"),
            (json!({ "font": "Comic Sans" }), "font"),
            (json!({ "font": "serif;}body{" }), "font"),
            (json!({ "sender_name": "" }), "sender_name"),
            (json!({ "sender_name": "Bank <a@bank.example>" }), "sender_name"),
            (json!({ "sender_name": "Bank\r\nBcc: x" }), "sender_name"),
            (json!({ "sender_name": "a".repeat(61) }), "sender_name"),
        ] {
            let error = branding(bad.clone()).check().unwrap_err();
            assert!(error.detail().starts_with(&format!("{named}:")), "{bad}: {}", error.detail());
        }
        let good =
            json!({ "accent": "#A1b2C3", "radius": 0, "font": "rounded", "sender_name": "Étoile, Ltd." });
        branding(good).check().unwrap();
    }

    #[test]
    fn a_look_takes_from_above_what_it_leaves_out() {
        let above = branding(json!({ "accent": "#111111", "radius": 2, "tos_uri": "https://a.example/" }));
        let own = branding(json!({ "accent": "#222222", "font": "serif" }));
        let both =
            json!({ "accent": "#222222", "radius": 2, "font": "serif", "tos_uri": "https://a.example/" });
        assert_eq!(own.over(above), branding(both));
    }
}
