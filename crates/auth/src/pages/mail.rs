//! The mails that the sign-in pages send, as a subject, plain text and HTML.

use fluent_bundle::FluentArgs;
use serde::Serialize;
use svc_core::{Error, Seconds};

use super::branding::Branding;
use super::catalogue;
use super::kit::Pages;
use super::locale::Locale;
use super::text;

/// What a mail is about; `name` is whatever the person typed, links are ours.
#[derive(Clone, Copy, Debug)]
pub enum Mail<'a> {
    /// Confirm the address of an account to be.
    VerifyEmail {
        /// The link with the proof.
        url: &'a str,
        /// How long it works.
        expires: Seconds,
    },
    /// Choose a new password.
    ResetPassword {
        /// The person's name.
        name: Option<&'a str>,
        /// The link with the proof.
        url: &'a str,
        /// How long it works.
        expires: Seconds,
    },
    /// A registration named the address of an account that exists already: the link signs in.
    AccountExists {
        /// The link with the proof.
        url: &'a str,
        /// How long it works.
        expires: Seconds,
    },
    /// Too many wrong guesses have locked the account.
    LockedOut {
        /// The page for a forgotten password.
        url: &'a str,
        /// How long the lock lasts.
        lasts: Seconds,
    },
    /// The password was changed.
    PasswordChanged {
        /// The person's name.
        name: Option<&'a str>,
        /// The page for a forgotten password.
        url: &'a str,
    },
}

/// A mail ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailText {
    /// One line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
}

/// The ids of the messages of each mail, and of all of them.
#[cfg(test)]
pub(super) const IDS: &[&str] = &[
    "mail-verify-subject",
    "mail-verify-text",
    "mail-verify-button",
    "mail-verify-ignore",
    "mail-reset-subject",
    "mail-reset-text",
    "mail-reset-button",
    "mail-reset-ignore",
    "mail-exists-subject",
    "mail-exists-text",
    "mail-exists-button",
    "mail-exists-ignore",
    "mail-locked-subject",
    "mail-locked-text",
    "mail-locked-button",
    "mail-locked-ignore",
    "mail-changed-subject",
    "mail-changed-text",
    "mail-changed-button",
    "mail-changed-ignore",
    "mail-greeting",
    "mail-greeting-plain",
    "mail-expires",
    "mail-link",
    "duration-minutes",
    "duration-hours",
];

/// What the template `mail.html` sees, and the plain text is made of.
#[derive(Serialize)]
struct Parts<'a> {
    subject: String,
    greeting: String,
    text: String,
    button: String,
    url: &'a str,
    expires: Option<String>,
    link: String,
    ignore: String,
    colour: String,
    on_colour: String,
}

impl Mail<'_> {
    fn topic(&self) -> &'static str {
        match self {
            Self::VerifyEmail { .. } => "verify",
            Self::ResetPassword { .. } => "reset",
            Self::AccountExists { .. } => "exists",
            Self::LockedOut { .. } => "locked",
            Self::PasswordChanged { .. } => "changed",
        }
    }

    /// The name as the account has it; one that was only typed is not repeated to a stranger's inbox.
    fn name(&self) -> Option<String> {
        let name = match self {
            Self::ResetPassword { name, .. } | Self::PasswordChanged { name, .. } => *name,
            Self::VerifyEmail { .. } | Self::AccountExists { .. } | Self::LockedOut { .. } => None,
        };
        name.map(text::mail_name).filter(|name| !name.is_empty())
    }

    fn url(&self) -> &str {
        let (Self::VerifyEmail { url, .. }
        | Self::ResetPassword { url, .. }
        | Self::AccountExists { url, .. }
        | Self::LockedOut { url, .. }
        | Self::PasswordChanged { url, .. }) = self;
        url
    }

    /// The time that the mail names: the life of its link, or of a lock.
    fn duration(&self) -> Option<Seconds> {
        match self {
            Self::VerifyEmail { expires, .. }
            | Self::ResetPassword { expires, .. }
            | Self::AccountExists { expires, .. } => Some(*expires),
            Self::LockedOut { lasts, .. } => Some(*lasts),
            Self::PasswordChanged { .. } => None,
        }
    }
}

impl Pages {
    /// The mail in the person's language.
    pub fn mail(&self, locale: &Locale, branding: &Branding, mail: &Mail<'_>) -> Result<MailText, Error> {
        if !text::is_web_url(mail.url()) {
            return Err(Error::internal("a mail links to something that is not a web address"));
        }
        let parts = self.parts(locale, branding, mail)?;
        let html = self.fill(locale, branding, "", ("mail.html", &parts))?;
        Ok(MailText { text: plain(&parts, branding), subject: parts.subject, html })
    }

    fn parts<'a>(
        &self,
        locale: &Locale,
        branding: &Branding,
        mail: &'a Mail<'_>,
    ) -> Result<Parts<'a>, Error> {
        let mut args = FluentArgs::new();
        args.set("tenant", catalogue::value(text::mail_name(branding.name())));
        let greeting = mail.name().map_or("mail-greeting-plain", |name| {
            args.set("name", catalogue::value(name));
            "mail-greeting"
        });
        let duration = mail.duration().map(|duration| self.duration(locale, duration)).transpose()?;
        if let Some(duration) = &duration {
            args.set("duration", duration.clone());
        }
        let say = |id: &str| self.catalogues.text(locale.as_str(), id, &args);
        let topic = |part: &str| say(&format!("mail-{}-{part}", mail.topic()));
        let (colour, on_colour) = branding.button();
        Ok(Parts {
            subject: text::clean(&topic("subject")?, 200),
            greeting: say(greeting)?,
            text: topic("text")?,
            button: topic("button")?,
            url: mail.url(),
            expires: duration
                .filter(|_| !matches!(mail, Mail::LockedOut { .. }))
                .map(|_| say("mail-expires"))
                .transpose()?,
            link: say("mail-link")?,
            ignore: topic("ignore")?,
            colour,
            on_colour,
        })
    }

    /// Whole hours where that is exact, else minutes.
    fn duration(&self, locale: &Locale, duration: Seconds) -> Result<String, Error> {
        let minutes = duration.0.max(60) / 60;
        let (id, count) =
            if minutes % 60 == 0 { ("duration-hours", minutes / 60) } else { ("duration-minutes", minutes) };
        self.catalogues.text(locale.as_str(), id, &FluentArgs::from_iter([("count", count)]))
    }
}

fn plain(parts: &Parts<'_>, branding: &Branding) -> String {
    let mut paragraphs = vec![parts.greeting.as_str(), &parts.text, parts.url];
    paragraphs.extend(parts.expires.as_deref());
    let signature = text::mail_name(branding.name());
    paragraphs.extend([parts.ignore.as_str(), "-- ", &signature]);
    paragraphs.join("\n\n").replace("-- \n\n", "-- \n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        Pages::load(None, "en", &[]).unwrap()
    }

    #[test]
    fn every_mail_is_written_in_every_language() {
        let (pages, branding) = (pages(), Branding::new("Acme Bank", None, None).unwrap());
        let url = "https://acme.example/auth/verify?token=abc&x=1";
        for language in pages.locales() {
            let locale = pages.negotiate(Some(&language), None);
            for name in [Some("Ada"), None, Some("http://evil.example/\r\nBcc: x@evil.example")] {
                let expires = Seconds(24 * 3600);
                for mail in [
                    Mail::VerifyEmail { url, expires },
                    Mail::ResetPassword { name, url, expires: Seconds(1800) },
                    Mail::AccountExists { url, expires },
                    Mail::LockedOut { url, lasts: Seconds(900) },
                    Mail::PasswordChanged { name, url },
                ] {
                    let sent = pages.mail(&locale, &branding, &mail).unwrap();
                    assert!(
                        sent.subject.contains("Acme Bank") && !sent.subject.contains(['\r', '\n']),
                        "{sent:?}"
                    );
                    assert!(sent.text.contains(url), "{sent:?}");
                    assert!(
                        sent.html.contains("token&#x3d;abc") || sent.html.contains("token=abc"),
                        "{sent:?}"
                    );
                    for bad in ["evil.example", "http://", "@evil", "\r"] {
                        assert!(!sent.text.contains(bad) && !sent.html.contains(bad), "{bad} in {sent:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_mail_reads_like_this() {
        let pages = pages();
        let branding = Branding::new("Evil.example", None, None).unwrap();
        let mail =
            Mail::ResetPassword { name: Some("Ada"), url: "https://a.example/r?t=1", expires: Seconds(1800) };
        let sent = pages.mail(&pages.negotiate(None, None), &branding, &mail).unwrap();
        assert_eq!(sent.subject, "Evil. example: reset your password");
        assert_eq!(
            sent.text,
            "Hello Ada,\n\nSomeone, hopefully you, asked at Evil. example for a new password for the account with this \
             address. Choose it here.\n\n\
             https://a.example/r?t=1\n\nThe link works once, for 30 minutes.\n\n\
             If it was not you, ignore this message. Your password stays as it is.\n\n-- \nEvil. example\n"
        );
        let bad = Mail::PasswordChanged { name: None, url: "javascript:alert(1)" };
        assert!(pages.mail(&pages.negotiate(None, None), &branding, &bad).is_err());
    }
}
