//! The mails that the sign-in pages send, as a subject, plain text and HTML.

use fluent_bundle::FluentArgs;
use serde::Serialize;
use svc_core::{Error, Seconds};

use super::branding::Branding;
use super::catalogue;
use super::changed::Changed;
use super::durations::Rest;
use super::kit::{Data, Look, Pages};
use super::locale::Locale;
use super::text;

/// Declares what mails are about, one row each: what else it says, with an example, the middle of the ids of its messages, and
/// whether it names how long its link works.
macro_rules! topics {
    ($($(#[$doc:meta])* $variant:ident $(($of:ty = $one:expr))? => $id:literal, $names_lifetime:literal;)*) => {
        /// What a mail is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Topic {$(
            $(#[$doc])*
            $variant $(($of))?,
        )*}

        impl Topic {
            /// One of each, for tests that enumerate.
            pub const ALL: &'static [Self] = &[$(Self::$variant $(($one))?),*];

            fn id(self) -> &'static str {
                match self { $(Self::$variant { .. } => $id),* }
            }

            fn names_lifetime(self) -> bool {
                match self { $(Self::$variant { .. } => $names_lifetime),* }
            }
        }
    };
}

topics! {
    /// Confirm the address of an account to be.
    VerifyEmail => "verify", true;
    /// Confirm the address of an account whose sign-in waits for it.
    ProveAddress => "prove", true;
    /// Choose a new password.
    ResetPassword => "reset", true;
    /// Choose a new password, because an administrator asks for it.
    Recovery => "recovery", true;
    /// Accept an invitation to become a member.
    Invitation => "invitation", true;
    /// Accept an invitation to an organization.
    OrganizationInvitation => "organization-invitation", true;
    /// A registration named the address of an account that exists already: the link signs in.
    AccountExists => "exists", true;
    /// The account is to be deleted; the link leads to where it is kept.
    DeletionBegun => "deletion", false;
    /// Confirm the address that an account is to have.
    NewAddress => "new-address", true;
    /// An account was to have an address that another account has; the link leads to the tenant.
    AddressTaken => "address-taken", false;
    /// An account has another address now; this one is the one before. The link leads to the tenant.
    AddressChanged => "address-changed", false;
    /// The same where the address before was proven; the link takes the change back.
    UndoAddress => "address-undo", true;
    /// Too many wrong guesses have locked the account; the link leads to the form for a forgotten password.
    LockedOut => "locked", false;
    /// Someone signed in with a browser that is new for the account, or in an unusual way; the link says that it was not its owner.
    NewDevice => "new-device", true;
    /// The same where the sign-in was refused.
    SignInRefused => "sign-in-refused", true;
    /// The password was changed; the link leads to the form for a forgotten password.
    PasswordChanged => "changed", false;
    /// An account that had no password has one now; the link leads to the form for a forgotten password.
    PasswordSet => "changed-first", false;
    /// A way to prove who the person is was added; the link leads to the form for a forgotten password.
    CredentialAdded(Changed = Changed::App) => "credential-added", false;
    /// One was removed.
    CredentialRemoved(Changed = Changed::App) => "credential-removed", false;
    /// The account was handed over to who has just proven its address, and what was added before is gone.
    HandedOver => "handed-over", false;
    /// Become the guardian of a person, who is named.
    GuardianInvitation => "guardian-invitation", false;
    /// A guardian, who is named, has accepted; the link leads to the guardians.
    GuardianAccepted => "guardian-accepted", false;
    /// A guardian, who is named, is none any more.
    GuardianLeft => "guardian-left", false;
    /// The number of guardians who are needed, or the time of waiting, has changed; the link leads to the guardians.
    GuardianRules => "guardian-rules", false;
    /// Someone asks a guardian to recover the account of a person, who is named.
    RecoveryAsked => "recovery-asked", false;
    /// Someone asks the owner's guardians; the link cancels it.
    RecoveryOpened => "recovery-opened", true;
    /// A guardian, who is named, has confirmed it.
    RecoveryConfirmed => "recovery-confirmed", true;
    /// A guardian, who is named, has refused.
    RecoveryRefused => "recovery-refused", true;
    /// Enough guardians have confirmed; the link cancels it while the account waits.
    RecoveryReached => "recovery-reached", false;
    /// The account was recovered; the link leads to the account.
    Recovered => "recovered", false;
    /// A staff member, who is named, asks to act for the person; the link leads to the approvals.
    ImpersonationAsked => "impersonation-asked", false;
    /// A staff member, who is named, acts for the person; the link leads to where it is ended.
    ImpersonationStarted => "impersonation-started", false;
    /// A staff member, who is named, has acted for the person.
    ImpersonationEnded => "impersonation-ended", false;
    /// A link to sign in with.
    SignInLink => "signin-link", true;
    /// A code to sign in with; there is no link to follow.
    SignInCode => "code", false;
    /// A code to register with; there is no link to follow.
    RegistrationCode => "registration-code", false;
}

impl Topic {
    /// An account has another password than this one by now, or its first.
    pub fn of_password(before: Option<&str>) -> Self {
        before.map_or(Self::PasswordSet, |_| Self::PasswordChanged)
    }

    /// The credential that it names.
    fn changed(self) -> Option<Changed> {
        match self {
            Self::CredentialAdded(changed) | Self::CredentialRemoved(changed) => Some(changed),
            _ => None,
        }
    }
}

/// A mail to be written.
#[derive(Clone, Copy, Debug)]
pub struct Mail<'a> {
    /// What it is about.
    pub topic: Topic,
    /// The name as the account has it; one that was only typed is not repeated to a stranger's inbox.
    pub name: Option<&'a str>,
    /// The organization or the other person that it is about.
    pub organization: Option<&'a str>,
    /// The link, which is ours.
    pub url: &'a str,
    /// The code that it brings instead of a link.
    pub code: Option<&'a str>,
    /// How long the link works, or a lock lasts.
    pub time: Option<Seconds>,
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
    /// The name from which it comes, if it is not the deployment's.
    pub sender_name: Option<String>,
}

/// The messages of each mail, after `mail-` and its topic.
const PARTS: [&str; 4] = ["subject", "text", "button", "ignore"];

/// The ids of all messages of mails.
#[cfg(test)]
pub(super) fn ids() -> impl Iterator<Item = String> {
    let topics = Topic::ALL.iter().flat_map(|topic| PARTS.map(|part| format!("mail-{}-{part}", topic.id())));
    let all = ["greeting", "greeting-plain", "expires", "link"].map(|part| format!("mail-{part}"));
    topics.chain(all).chain(["duration-minutes", "duration-hours", "duration-days"].map(str::to_owned))
}

/// What the template `mail.html` sees, and the plain text is made of.
#[derive(Serialize)]
struct Parts<'a> {
    subject: String,
    greeting: String,
    text: String,
    button: String,
    url: &'a str,
    code: Option<&'a str>,
    expires: Option<String>,
    link: String,
    ignore: String,
    colour: String,
    on_colour: String,
    radius: u32,
    font: &'static str,
    /// Mail programs show pictures from the web only.
    logo_url: Option<&'a str>,
}

impl Pages {
    /// The mail in the person's language.
    pub fn mail(&self, locale: &Locale, branding: &Branding, mail: &Mail<'_>) -> Result<MailText, Error> {
        if !text::is_web_url(mail.url) {
            return Err(Error::internal("a mail links to something that is not a web address"));
        }
        let parts = self.parts(locale, branding, mail)?;
        let look = Look { locale: locale.clone(), branding, nonce: "", address: None, acting: None };
        let html = self.fill(&look, "mail.html", Data::of(&parts))?;
        let sender_name = branding.sender_name().map(str::to_owned);
        Ok(MailText { text: plain(&parts, branding), subject: parts.subject, html, sender_name })
    }

    fn parts<'a>(
        &self,
        locale: &Locale,
        branding: &'a Branding,
        mail: &'a Mail<'_>,
    ) -> Result<Parts<'a>, Error> {
        let mut args = FluentArgs::new();
        args.set("tenant", catalogue::value(text::mail_name(branding.name())));
        let name = mail.name.map(text::mail_name).filter(|name| !name.is_empty());
        let greeting = name.map_or("mail-greeting-plain", |name| {
            args.set("name", catalogue::value(name));
            "mail-greeting"
        });
        if let Some(organization) = mail.organization {
            args.set("organization", catalogue::value(text::mail_name(organization)));
            args.set("person", catalogue::value(text::mail_name(organization)));
        }
        if let Some(changed) = mail.topic.changed() {
            args.set("kind", changed.name());
        }
        if let Some(time) = mail.time {
            args.set("duration", self.duration(locale, time)?);
        }
        let say = |id: &str| self.catalogues.say((branding.own(), locale.as_str()), id, &args);
        let [subject, text, button, ignore] =
            PARTS.map(|part| say(&format!("mail-{}-{part}", mail.topic.id())));
        let expires = mail.topic.names_lifetime().then(|| say("mail-expires")).transpose()?;
        let (colour, on_colour) = branding.button();
        Ok(Parts {
            subject: text::clean(&subject?, 200),
            greeting: say(greeting)?,
            text: text?,
            button: button?,
            url: mail.url,
            code: mail.code,
            expires,
            link: say("mail-link")?,
            ignore: ignore?,
            colour,
            on_colour,
            radius: branding.radius(),
            font: branding.font(),
            logo_url: branding.logo_url().filter(|url| url.starts_with("https:")),
        })
    }

    /// How long something works or lasts, in words.
    pub(super) fn duration(&self, locale: &Locale, duration: Seconds) -> Result<String, Error> {
        self.catalogues.duration(locale.as_str(), (duration.0 / 60, Rest::LeftOut))
    }
}

/// The same for mail programs that show no HTML: the name of the button says what the link does, which stands on a line of its own.
fn plain(parts: &Parts<'_>, branding: &Branding) -> String {
    let named = format!("{}\n{}", parts.button, parts.code.unwrap_or(parts.url));
    let mut paragraphs = vec![parts.greeting.as_str(), &parts.text, &named];
    paragraphs.extend(parts.expires.as_deref());
    let signature = text::mail_name(branding.name());
    paragraphs.extend([parts.ignore.as_str(), "-- ", &signature]);
    paragraphs.join("\n\n").replace("-- \n\n", "-- \n") + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
                let time = Seconds(24 * 3600);
                for &topic in Topic::ALL {
                    let is_code = matches!(topic, Topic::SignInCode | Topic::RegistrationCode);
                    let code = is_code.then_some("493028");
                    let organization = Some("Initech");
                    let mail = Mail { topic, name, organization, url, code, time: Some(time) };
                    let sent = pages.mail(&locale, &branding, &mail).unwrap();
                    assert!(
                        sent.subject.contains("Acme Bank") && !sent.subject.contains(['\r', '\n']),
                        "{sent:?}"
                    );
                    let lines: Vec<_> = sent.text.lines().collect();
                    let at = lines.iter().position(|line| *line == code.unwrap_or(url)).unwrap();
                    let button = lines[at - 1];
                    assert!(!button.is_empty() && sent.html.contains(button), "{sent:?}");
                    assert!(
                        ["token&#x3d;abc", "token=abc"].iter().any(|link| sent.html.contains(link))
                            != code.is_some_and(|code| sent.html.contains(code)),
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
        let (topic, url) = (Topic::ResetPassword, "https://a.example/r?t=1");
        let mail =
            Mail { topic, name: Some("Ada"), organization: None, url, code: None, time: Some(Seconds(1800)) };
        let sent = pages.mail(&pages.negotiate(None, None), &branding, &mail).unwrap();
        assert_eq!(sent.subject, "Evil. example: reset your password");
        assert_eq!(
            sent.text,
            "Hello Ada,\n\nSomeone, hopefully you, asked at Evil. example for a new password for the account with this \
             address. Choose it here.\n\nChoose a new password\n\
             https://a.example/r?t=1\n\nThe link works once, for 30 minutes.\n\n\
             If it was not you, ignore this message. Your password stays as it is.\n\n-- \nEvil. example\n"
        );
        let bad = Mail {
            topic: Topic::PasswordChanged,
            name: None,
            organization: None,
            url: "javascript:alert(1)",
            code: None,
            time: None,
        };
        assert!(pages.mail(&pages.negotiate(None, None), &branding, &bad).is_err());
    }

    #[test]
    fn a_mail_about_a_credential_names_the_kind_that_changed_and_no_other() {
        let (pages, branding) = (pages(), Branding::new("Acme", None, None).unwrap());
        let named = [
            (Changed::App, "authenticator app"),
            (Changed::BackupCodes, "ackup codes"),
            (Changed::Passkey, "passkey"),
            (Changed::SecurityKey, "security key"),
            (Changed::Phone, "phone number"),
            (Changed::Identity, "connected"),
            (Changed::Wallet, "wallet"),
        ];
        let written = |language: &str, topic| {
            let url = "https://a.example/";
            let mail = Mail { topic, name: None, organization: None, url, code: None, time: None };
            pages.mail(&pages.negotiate(Some(language), None), &branding, &mail).unwrap()
        };
        let topics: [fn(Changed) -> Topic; 2] = [Topic::CredentialAdded, Topic::CredentialRemoved];
        for topic in topics {
            for (kind, word) in named {
                let sent = written("en", topic(kind));
                for text in [&sent.subject, &sent.text, &sent.html] {
                    assert!(text.contains(word), "{word} in {text}");
                    let others = named.iter().filter(|(other, _)| *other != kind);
                    for (_, other) in others {
                        assert!(!text.contains(other), "{other} in {text}");
                    }
                }
            }
        }
        for language in pages.locales() {
            for topic in topics {
                let said = named.iter().map(|(kind, _)| written(&language, topic(*kind)).text);
                let said: BTreeSet<_> = said.collect();
                assert_eq!(said.len(), named.len(), "{language}: {said:?}");
            }
        }
    }

    #[test]
    fn a_time_in_a_german_sentence_has_the_case_of_its_words() {
        let (pages, branding) = (pages(), Branding::new("Acme", None, None).unwrap());
        let german = pages.negotiate(Some("de"), None);
        for &topic in Topic::ALL {
            let (person, time) = (Some("Ada"), Some(Seconds(3 * 24 * 3600)));
            let url = "https://a.example/r?t=1";
            let mail = Mail { topic, name: None, organization: person, url, code: None, time };
            let text = pages.mail(&german, &branding, &mail).unwrap().text;
            for preposition in ["von", "in", "nach", "mit"] {
                assert!(!text.contains(&format!(" {preposition} 3 Tage ")), "{text}");
                assert!(!text.contains(&format!(" {preposition} 3 Tage.")), "{text}");
            }
        }
    }

    #[test]
    fn a_mail_has_the_tenant_s_logo_from_the_web_and_a_dark_look() {
        let (pages, topic, url) = (pages(), Topic::VerifyEmail, "https://a.example/v?t=1");
        let mail = Mail { topic, name: None, organization: None, url, code: None, time: Some(Seconds(3600)) };
        let html = |logo| {
            let branding = Branding::new("Acme", Some(logo), None).unwrap();
            pages.mail(&pages.negotiate(None, None), &branding, &mail).unwrap().html
        };
        let shown = html("https://acme.example/logo.png");
        assert!(shown.contains("src=\"https://acme.example/logo.png\" alt=\"Acme\""), "{shown}");
        assert!(shown.contains("prefers-color-scheme: dark"), "{shown}");
        let left_out = html("data:image/png;base64,AAAA");
        assert!(!left_out.contains("<img") && left_out.contains(">A</span>Acme"), "{left_out}");
    }

    #[test]
    fn a_list_of_mails_shows_what_a_mail_says_before_whose_it_is() {
        let (pages, topic, url) = (pages(), Topic::VerifyEmail, "https://a.example/v?t=1");
        let branding = Branding::new("Acme", None, None).unwrap();
        let mail = Mail { topic, name: None, organization: None, url, code: None, time: Some(Seconds(3600)) };
        let html = pages.mail(&pages.negotiate(None, None), &branding, &mail).unwrap().html;
        let body = html.split_once("<body").unwrap().1;
        let at = |what: &str| body.find(what).unwrap();
        assert!(at("Please confirm that this is your address") < at("class=\"brand\""), "{html}");
        assert!(body.contains("<span aria-hidden=\"true\" style=\"display:inline-block"), "{html}");
    }
}
