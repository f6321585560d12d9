//! The page on which administrators see hosted pages and mails before they save how these look, and the samples that it shows.
//!
//! A sample is no page of its own: it stands in a sandboxed frame of that page, without scripts, with forms and links that lead
//! nowhere, and has no address that could be sent to a person.

use svc_core::{Error, Result, Seconds};
use svc_domain::tenancy::branding;

use super::account::{AccountFrame, AccountProfile, Tab};
use super::approvals::{App, Consent, RequestedAccess};
use super::assets;
use super::declare::page;
use super::ends::{Done, ErrorPage};
use super::forms::{
    Forgot, Form, MethodPart, Organization, OrganizationInvitation, Register, ResetPassword,
    SelectOrganization, SignIn, VerifyEmail,
};
use super::intake::{FieldPart, Intake, TermsPart};
use super::kit::{Look, Pages};
use super::mail::{Mail, Topic};
use super::outcomes::Outcome;
use super::owed::Complete;
use super::values::{Block, Line, Paragraph, Sentences, Verbatim};

page! {
    /// The form of a draft, and what it looks like: button `preview-submit`, frame `preview-frame`.
    pub struct Preview for "preview" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// Who is signed in.
        pub account: Line,
        /// The pages that can be shown.
        pub samples: Vec<PreviewChoice>,
        /// The languages on offer.
        pub locales: Vec<PreviewChoice>,
        /// The typefaces.
        pub fonts: Vec<PreviewChoice>,
        /// Whether it is shown as on a dark screen.
        pub is_dark: bool,
        /// Whether it is shown as on a phone.
        pub is_phone: bool,
        /// The organization, as addresses call it.
        pub organization: Block,
        /// The accent colour.
        pub accent: Block,
        /// The address of the logo.
        pub logo_uri: Block,
        /// The address of the privacy policy.
        pub policy_uri: Block,
        /// The address of the terms of service.
        pub tos_uri: Block,
        /// The roundness of corners.
        pub radius: Block,
        /// The name from which mails come.
        pub sender_name: Block,
        /// The texts, one a line.
        pub texts: Block,
        /// What is wrong with the draft.
        pub fault: Option<Paragraph>,
        /// The subject of the mail that is shown.
        pub subject: Option<Line>,
        /// The document in the frame, which is ours.
        pub frame: Option<Verbatim>,
    }

    /// What can be chosen.
    pub struct PreviewChoice {
        /// The value.
        pub value: Block,
        /// Its name for people.
        pub name: Line,
        /// Whether it is chosen.
        pub is_chosen: bool,
    }
}

/// What a sample shows.
#[derive(Clone, Copy)]
enum Sample {
    Page(fn(&Pages, &Look<'_>) -> Result<String>),
    Mail(Topic),
}

/// A sample, drawn.
pub struct Drawn {
    /// The document of the frame.
    pub html: String,
    /// The subject, where it is a mail.
    pub subject: Option<String>,
}

/// The samples by name, which is that of the template.
const SAMPLES: &[(&str, Sample)] = &[
    ("sign_in", Sample::Page(sign_in)),
    ("register", Sample::Page(|pages, look| pages.render(look, &register()))),
    ("verify_email", Sample::Page(|pages, look| pages.render(look, &verify_email()))),
    ("complete", Sample::Page(|pages, look| pages.render(look, &complete()))),
    ("forgot", Sample::Page(|pages, look| pages.render(look, &Forgot { form: form(), ..Forgot::default() }))),
    ("reset_password", Sample::Page(|pages, look| pages.render(look, &reset_password()))),
    ("select_organization", Sample::Page(|pages, look| pages.render(look, &select_organization()))),
    ("organization_invitation", Sample::Page(|pages, look| pages.render(look, &invitation()))),
    ("consent", Sample::Page(|pages, look| pages.render(look, &consent()))),
    ("account", Sample::Page(|pages, look| pages.render(look, &account()))),
    ("done", Sample::Page(|pages, look| pages.render(look, &done()))),
    ("error", Sample::Page(|pages, look| pages.render(look, &error()))),
    ("mail_verify", Sample::Mail(Topic::VerifyEmail)),
    ("mail_reset", Sample::Mail(Topic::ResetPassword)),
    ("mail_organization_invitation", Sample::Mail(Topic::OrganizationInvitation)),
    ("mail_code", Sample::Mail(Topic::SignInCode)),
];

/// The names of the samples.
pub fn samples() -> impl Iterator<Item = &'static str> {
    SAMPLES.iter().map(|(name, _)| *name)
}

/// The names of the typefaces.
pub fn fonts() -> impl Iterator<Item = &'static str> {
    branding::FONTS.into_iter()
}

impl Pages {
    /// A sample as it looks on a light or on a dark screen; the first one where there is none of this name.
    pub fn draw(&self, look: &Look<'_>, name: &str, is_dark: bool) -> Result<Drawn> {
        let found = SAMPLES.iter().find(|(known, _)| *known == name).or_else(|| SAMPLES.first());
        let (_, sample) = found.ok_or_else(|| Error::internal("there is no sample"))?;
        let (html, subject) = match sample {
            Sample::Page(draw) => (draw(self, look)?, None),
            Sample::Mail(topic) => {
                let mail = self.mail(&look.locale, look.branding, &mail(*topic))?;
                (mail.html, Some(mail.subject))
            }
        };
        Ok(Drawn { html: framed(&html, (look.nonce, is_dark)), subject })
    }
}

/// The document as it stands in the frame: with styles that the policy of the page lets pass by its nonce, in one colour scheme,
/// without scripts, inert, and without `autofocus`, which browsers refuse to a sandboxed frame.
fn framed(html: &str, (nonce, is_dark): (&str, bool)) -> String {
    let link = |href: &str, nonce: &str| format!("<link rel=\"stylesheet\" href=\"{href}\"{nonce}>");
    let style = assets::url("style").unwrap_or_default();
    let nonce = format!(" nonce=\"{nonce}\"");
    let html = html.replace(&link(style, ""), &link(assets::style_url(is_dark), &nonce));
    let (html, rules) = styled_apart(&without_scripts(&html));
    let html = html.replacen("</head>", &format!("<style>{rules}</style></head>"), 1);
    let html = assets::in_scheme(&html.replace("<style>", &format!("<style{nonce}>")), is_dark);
    let scheme = if is_dark { "dark" } else { "light" };
    let html = html.replace("content=\"light dark\"", &format!("content=\"{scheme}\""));
    html.replace(" autofocus", "").replacen("<body", "<body inert", 1)
}

fn without_scripts(html: &str) -> String {
    let mut parts = html.split("<script");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |html, part| html + part.split_once("</script>").map_or("", |(_, rest)| rest))
}

/// Moves the styles that stand at elements of mails, all of them ours, into rules.
fn styled_apart(html: &str) -> (String, String) {
    let mut parts = html.split(" style=\"");
    let (mut moved, mut rules) = (parts.next().unwrap_or_default().to_owned(), String::new());
    for (number, part) in parts.enumerate() {
        let (style, rest) = part.split_once('"').unwrap_or_default();
        let name = format!("data-style=\"{number}\"");
        moved.extend([" ", &name, rest]);
        rules.extend(["[", &name, "]{", &style.replace("&#39;", "'"), "}"]);
    }
    (moved, rules)
}

const PERSON: &str = "ada@example.com";

fn form() -> Form {
    Form::new("/account/preview", String::new())
}

fn sign_in(pages: &Pages, look: &Look<'_>) -> Result<String> {
    let password = MethodPart { id: "password", partial: "_password.html", shown: None };
    pages.render(
        look,
        &SignIn {
            form: form(),
            app_name: Some("Example".into()),
            register_url: Some("/".into()),
            forgot_url: Some("/".into()),
            methods: vec![password],
            ..SignIn::default()
        },
    )
}

fn register() -> Register {
    let (app_name, signin_url) = (Some("Example".into()), Some("/".into()));
    Register { form: form(), app_name, signin_url, ..Register::default() }
}

fn verify_email() -> VerifyEmail {
    let form = form();
    VerifyEmail {
        form,
        email: PERSON.into(),
        asks_name: true,
        asks_password: true,
        min_length: 12,
        ..Default::default()
    }
}

fn complete() -> Complete {
    let terms = TermsPart {
        value: "example".into(),
        title: "Example".into(),
        url: "https://example.com".into(),
        lang: "en".into(),
        is_required: true,
        ..TermsPart::default()
    };
    let company = FieldPart {
        name: "company".into(),
        kind: "text",
        label: "Example".into(),
        max_length: 200,
        ..FieldPart::default()
    };
    let intake = Intake { terms: vec![terms], fields: vec![company] };
    let app_name = Some("Example".into());
    Complete { form: form(), app_name, account: PERSON.into(), intake, ..Complete::default() }
}

fn reset_password() -> ResetPassword {
    ResetPassword { form: form(), username: PERSON.into(), min_length: 12 }
}

fn select_organization() -> SelectOrganization {
    let organization = |name: &str, is_chosen| Organization {
        value: name.into(),
        name: name.into(),
        slug: name.to_lowercase().into(),
        is_chosen,
    };
    SelectOrganization {
        form: form(),
        account: PERSON.into(),
        organizations: vec![organization("Initech", true), organization("Hooli", false)],
        ..SelectOrganization::default()
    }
}

fn invitation() -> OrganizationInvitation {
    OrganizationInvitation {
        form: form(),
        organization: "Initech".into(),
        email: PERSON.into(),
        asks_name: true,
        asks_password: true,
        min_length: 12,
        ..OrganizationInvitation::default()
    }
}

fn consent() -> Consent {
    let app = App { name: "Example".into(), initials: "E".into(), is_foreign: true, ..App::default() };
    let scopes = ["openid", "profile", "email"].map(|name| (name, None));
    let asked = RequestedAccess::of(scopes.into_iter(), None, Sentences::default());
    let destination = "example.com".into();
    Consent { form: form(), app, account: PERSON.into(), asked, destination, ..Consent::default() }
}

fn account() -> AccountProfile {
    let tab = |id: &'static str, title, is_current| Tab { id, title, url: "/".into(), is_current };
    let sections = vec![
        tab("overview", "account-overview", false),
        tab("profile", "account-profile", true),
        tab("password", "account-password", false),
    ];
    let title = "account-profile";
    let frame = AccountFrame { form: form(), title, account: PERSON.into(), sections, ..Default::default() };
    AccountProfile { frame, name: "Ada Lovelace".into(), ..AccountProfile::default() }
}

fn done() -> Done {
    Done { outcome: Outcome::EmailVerified, continue_url: "/".into() }
}

fn error() -> ErrorPage {
    ErrorPage { code: "not_found".into(), request_id: "example".into(), ..ErrorPage::default() }
}

fn mail(topic: Topic) -> Mail<'static> {
    let code = (topic == Topic::SignInCode).then_some("123456");
    let (name, organization) = (Some("Ada"), Some("Initech"));
    Mail { topic, name, organization, url: "https://example.com/link", code, time: Some(Seconds(3600)) }
}

#[cfg(test)]
mod tests {
    use super::super::branding::Branding;
    use super::*;

    #[test]
    fn every_sample_is_drawn_in_every_language_without_scripts_and_inert() {
        let pages = Pages::load(None, "en", &[]).unwrap();
        let branding = Branding::new("Acme Bank", None, Some("#0f766e")).unwrap();
        for language in pages.locales() {
            let locale = pages.locale(&language).unwrap();
            let look = Look { locale, branding: &branding, nonce: "bm9uY2U", address: None, acting: None };
            for name in samples() {
                for is_dark in [true, false] {
                    let drawn = pages.draw(&look, name, is_dark).unwrap();
                    assert_eq!(drawn.subject.is_some(), name.starts_with("mail_"), "{name}");
                    assert!(
                        drawn.html.contains("<body inert") && drawn.html.contains("<style nonce"),
                        "{name}"
                    );
                    for left in
                        ["<script", " autofocus", "prefers-color-scheme", "light dark", " style=", "<style>"]
                    {
                        assert!(!drawn.html.contains(left), "{left} in {name}");
                    }
                    let is_styled = drawn.html.contains(&format!("{}\" nonce", assets::style_url(is_dark)));
                    assert_ne!(is_styled, name.starts_with("mail_"), "{name}: {}", drawn.html);
                    assert!(drawn.html.len() < 20_000, "{name}: {}", drawn.html.len());
                }
            }
        }
    }
}
