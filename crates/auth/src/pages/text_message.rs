//! The text messages that the service sends: one line with a code, and never a link.

use fluent_bundle::FluentArgs;
use svc_core::{Error, Seconds};

use super::catalogue;
use super::kit::Pages;
use super::locale::Locale;
use super::text;

/// What a text message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTopic {
    /// A code to sign in with.
    SignIn,
    /// A code by which a forgotten password is replaced.
    NewPassword,
    /// A code that proves a number.
    NewNumber,
}

impl TextTopic {
    /// One of each, for tests that enumerate.
    pub const ALL: &'static [Self] = &[Self::SignIn, Self::NewPassword, Self::NewNumber];

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::SignIn => "text-sign-in",
            Self::NewPassword => "text-new-password",
            Self::NewNumber => "text-new-number",
        }
    }
}

/// The message that tells the owner of an account of a recovery by guardians.
pub(super) const RECOVERY_NOTICE: &str = "text-recovery";

/// The message that tells the owner of an account of a new password.
pub(super) const PASSWORD_NOTICE: &str = "text-password-changed";

/// Longest text, in characters.
const LONGEST: usize = 300;

impl Pages {
    /// A text message of a tenant, in the person's language.
    pub fn text_message(
        &self,
        locale: &Locale,
        (topic, tenant): (TextTopic, &str),
        (code, time): (&str, Seconds),
    ) -> Result<String, Error> {
        let mut args = FluentArgs::new();
        args.set("tenant", catalogue::value(text::mail_name(tenant)));
        args.set("code", catalogue::value(code.to_owned()));
        args.set("duration", self.duration(locale, time)?);
        Ok(text::clean(&self.catalogues.text(locale.as_str(), topic.id(), &args)?, LONGEST))
    }

    /// The message that tells the owner of an account of a recovery by guardians.
    pub fn text_of_recovery(&self, locale: &Locale, tenant: &str) -> Result<String, Error> {
        self.notice(locale, RECOVERY_NOTICE, tenant)
    }

    /// The message that tells the owner of an account of a new password.
    pub fn text_of_new_password(&self, locale: &Locale, tenant: &str) -> Result<String, Error> {
        self.notice(locale, PASSWORD_NOTICE, tenant)
    }

    fn notice(&self, locale: &Locale, id: &str, tenant: &str) -> Result<String, Error> {
        let args = FluentArgs::from_iter([("tenant", catalogue::value(text::mail_name(tenant)))]);
        Ok(text::clean(&self.catalogues.text(locale.as_str(), id, &args)?, LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_message_names_code_tenant_and_time_in_every_language_and_links_nowhere() {
        let pages = Pages::load(None, "en", &[]).unwrap();
        for language in pages.locales() {
            let locale = pages.negotiate(Some(&language), None);
            for &topic in TextTopic::ALL {
                let about = (topic, "Acme https://evil.example/x\r\nBcc");
                let sent = pages.text_message(&locale, about, ("493028", Seconds(300))).unwrap();
                assert!(sent.contains("493028") && sent.contains("Acme") && sent.contains('5'), "{sent}");
                assert!(!sent.contains("evil.example") && !sent.contains(['\r', '\n']), "{sent}");
            }
        }
        let sent = pages.text_message(
            &pages.negotiate(None, None),
            (TextTopic::SignIn, "Acme"),
            ("493028", Seconds(300)),
        );
        let expected = "493028 is your code to sign in at Acme. It works for 5 minutes. Give it to no one.";
        assert_eq!(sent.unwrap(), expected);
    }
}
