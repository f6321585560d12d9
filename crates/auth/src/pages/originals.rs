//! The messages of the catalogues, as those who reword them see them, and what a text in place of one must keep to.

use fluent_bundle::FluentArgs;
use svc_core::{Error, Result};
use svc_domain::tenancy::texts::{self, Texts};
use svc_http::{App, Original, Originals, Wording};

use super::fixed::is_fixed;
use super::kit::Pages;

/// What the management API asks of the catalogues.
pub const WORDING: Wording = Wording {
    check: |app, texts| app.part::<Pages>()?.check(texts),
    originals: |app, language| originals(app, language),
};

impl Pages {
    /// Refuses texts that stand in place of no message, or that have other values than it.
    pub fn check(&self, texts: &Texts) -> Result<()> {
        let fault = |place: &str, why: String| Error::bad_request(format!("texts.{place}: {why}"));
        let languages = texts.0.keys().filter(|tag| self.locale(tag).is_none());
        let languages = languages.map(|tag| {
            let offered = self.locales().join(", ");
            Err(fault(tag, format!("this language is not on offer; use one of {offered}")))
        });
        let messages = texts.iter().map(|(language, key, text)| {
            let why = self.fault_of(key, text);
            why.map_or(Ok(()), |why| Err(fault(&format!("{language}.{key}"), why)))
        });
        Error::every(languages.chain(messages))
    }

    fn fault_of(&self, key: &str, text: &str) -> Option<String> {
        let Some(wanted) = self.catalogues.values().get(key) else {
            return Some("there is no such message; GET /api/v1/texts/originals has them all".to_owned());
        };
        if is_fixed(key) {
            return Some("people decide by this message about their security; leave it as it is".to_owned());
        }
        // What is no text at all is refused by itself.
        let named = texts::values(text)?;
        if named.len() == wanted.len() && named.iter().all(|name| wanted.contains(*name)) {
            return None;
        }
        let all: Vec<_> = wanted.iter().map(|name| format!("`{{{name}}}`")).collect();
        Some(match all.as_slice() {
            [] => "this message has no values; leave out the braces".to_owned(),
            all => format!("use the values of the message, each of them and no other: {}", all.join(", ")),
        })
    }
}

fn originals(app: &App, language: Option<&str>) -> Result<Option<Originals>> {
    let pages = app.part::<Pages>()?;
    let locale = match language {
        None => Some(pages.negotiate(None, None)),
        Some(tag) => pages.locale(tag),
    };
    let Some(locale) = locale else { return Ok(None) };
    let messages = pages.catalogues.values().iter().map(|(key, values)| {
        let args: FluentArgs<'_> = values.iter().map(|name| (name.as_str(), format!("{{{name}}}"))).collect();
        Ok(Original {
            key: key.clone(),
            text: pages.catalogues.text(locale.as_str(), key, &args)?,
            values: values.iter().cloned().collect(),
            is_replaceable: !is_fixed(key),
        })
    });
    let messages = messages.collect::<Result<_>>()?;
    Ok(Some(Originals { language: locale.as_str().to_owned(), messages }))
}

#[cfg(test)]
mod tests {
    use svc_domain::tenancy::texts::Texts;

    use super::super::fixed::{FIXED, FIXED_ENDS};
    use super::*;

    fn pages() -> Pages {
        Pages::load(None, "en", &[]).unwrap()
    }

    fn refusal(language: &str, key: &str, text: &str) -> Option<String> {
        let texts: Texts =
            serde_json::from_value(serde_json::json!({ (language): { (key): text } })).unwrap();
        pages().check(&texts).err().map(|error| error.detail().to_owned())
    }

    #[test]
    fn a_text_stands_in_place_of_a_message_with_the_same_values() {
        for (language, key, text) in [
            ("en", "signin-title", "Welcome"),
            ("de", "signin-to", "weiter zu {app}"),
            ("ar", "mail-verify-subject", "{tenant}"),
            ("en", "mail-organization-invitation-text", "{tenant} invites you to {organization}."),
        ] {
            assert_eq!(refusal(language, key, text), None, "{key}");
        }
        for (language, key, text, place) in [
            ("tlh", "signin-title", "Welcome", "texts.tlh: "),
            ("DE", "signin-title", "Welcome", "texts.DE: "),
            ("en", "signin-titel", "Welcome", "texts.en.signin-titel: there is no such"),
            ("en", "", "Welcome", "texts.en.: there is no such"),
            ("en", "signin-title", "Welcome to {app}", "texts.en.signin-title: this message has no values"),
            ("en", "signin-to", "to the shop", "texts.en.signin-to: use the values"),
            ("en", "signin-to", "{app} {tenant}", "texts.en.signin-to: use the values"),
            ("en", "scope-email", "Nothing", "texts.en.scope-email: people decide"),
            ("en", "consent-unverified", "All is well", "texts.en.consent-unverified: people decide"),
            ("en", "was-this-you-title", "Hello", "texts.en.was-this-you-title: people decide"),
            ("en", "mail-new-device-text", "Hello", "texts.en.mail-new-device-text: people decide"),
            ("en", "mail-handed-over-text", "Hello", "texts.en.mail-handed-over-text: people decide"),
            ("en", "mail-changed-first-text", "Hello", "texts.en.mail-changed-first-text: people decide"),
            ("en", "mail-verify-ignore", "Press it", "texts.en.mail-verify-ignore: people decide"),
        ] {
            let told = refusal(language, key, text).unwrap_or_default();
            assert!(told.starts_with(place), "{key} {text}: {told}");
        }
    }

    #[test]
    fn what_is_fixed_names_messages_that_there_are() {
        let pages = pages();
        let keys: Vec<_> = pages.catalogues.values().keys().collect();
        assert!(keys.len() > 500, "{}", keys.len());
        for (start, _) in FIXED {
            assert!(keys.iter().any(|key| key.starts_with(start)), "{start}");
        }
        for (end, _) in FIXED_ENDS {
            assert!(keys.iter().any(|key| key.ends_with(end)), "{end}");
        }
    }
}
