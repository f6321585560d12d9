//! Texts of a tenant and of an organization in place of those of the catalogues: plain text, with the values of the message.

use std::sync::Arc;

use fluent_bundle::{FluentArgs, FluentValue};
use minijinja::value::Object;
use svc_domain::tenancy::texts::{Piece, Texts, pieces};

use super::locale;

/// Texts that stand above the catalogues, those of the organization above those of its tenant.
#[derive(Clone, Debug, Default)]
pub struct Own(Arc<Vec<Arc<Texts>>>);

/// Own texts travel through templates as a value that they cannot look into.
impl Object for Own {}

impl Own {
    /// Texts, the nearest first.
    pub fn new(texts: impl IntoIterator<Item = Arc<Texts>>) -> Self {
        Self(Arc::new(texts.into_iter().filter(|texts| !texts.0.is_empty()).collect()))
    }

    /// The text for a message in a language; nothing where the message is shown as the catalogues have it.
    pub fn text(&self, language: &str, id: &str, args: &FluentArgs<'_>) -> Option<String> {
        if self.0.is_empty() || super::fixed::is_fixed(id) {
            return None;
        }
        let texts = self.0.iter();
        let texts =
            texts.flat_map(|texts| locale::with_parents(language).map(move |tag| texts.text(tag, id)));
        let is_isolating = locale::parse(language).is_some_and(|id| locale::is_right_to_left(&id));
        texts.flatten().find_map(|text| filled(text, args, is_isolating))
    }
}

/// The text with its values; nothing where it has one that the message has not.
fn filled(text: &str, args: &FluentArgs<'_>, is_isolating: bool) -> Option<String> {
    let piece = |piece: Piece<'_>| match piece {
        Piece::Plain(plain) => Some(plain.to_owned()),
        Piece::Named(name) => {
            let value = match args.get(name)? {
                FluentValue::String(text) => text.to_string(),
                FluentValue::Number(number) => number.as_string().into_owned(),
                _ => return None,
            };
            Some(if is_isolating { format!("\u{2068}{value}\u{2069}") } else { value })
        }
    };
    pieces(text)?.into_iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(layers: &[serde_json::Value]) -> Own {
        Own::new(layers.iter().map(|texts| Arc::new(serde_json::from_value(texts.clone()).unwrap())))
    }

    fn app() -> FluentArgs<'static> {
        FluentArgs::from_iter([("app", "Shop")])
    }

    #[test]
    fn the_organization_s_text_comes_before_the_tenant_s_in_the_same_language() {
        let own = own(&[
            serde_json::json!({ "de": { "signin-title": "Organisation" } }),
            serde_json::json!({ "de": { "signin-title": "Mandant", "signin-to": "zu {app}" }, "en": { "signin-submit": "Go" } }),
        ]);
        let text = |language: &str, id: &str| own.text(language, id, &app());
        assert_eq!(text("de", "signin-title").as_deref(), Some("Organisation"));
        assert_eq!(text("de-AT", "signin-title").as_deref(), Some("Organisation"));
        assert_eq!(text("de", "signin-to").as_deref(), Some("zu Shop"));
        assert_eq!(text("de", "signin-submit"), None, "another language's text is none");
        assert_eq!(text("fr", "signin-title"), None);
        assert_eq!(text("en", "signin-submit").as_deref(), Some("Go"));
    }

    #[test]
    fn stored_texts_that_cannot_be_filled_or_may_not_be_replaced_are_left_out() {
        let own = own(&[serde_json::json!({ "en": {
            "signin-to": "to {nothing}", "signin-title": "{{7*7}}", "consent-unverified": "All is well",
        } })]);
        for id in ["signin-to", "signin-title", "consent-unverified"] {
            assert_eq!(own.text("en", id, &app()), None, "{id}");
        }
    }

    #[test]
    fn a_value_does_not_reorder_a_right_to_left_sentence() {
        let own = own(&[serde_json::json!({ "ar": { "signin-to": "إلى {app}" } })]);
        assert_eq!(own.text("ar", "signin-to", &app()).as_deref(), Some("إلى \u{2068}Shop\u{2069}"));
    }
}
