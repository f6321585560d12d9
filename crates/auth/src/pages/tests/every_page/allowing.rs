//! The pages on which people allow what is asked, and the applications that ask.

use svc_domain::apis::{Part as Piece, Sentence};

use super::super::super::*;
use super::{Printer, form, local};

pub fn print(printer: &mut Printer<'_>, text: &str) {
    let account = Line::from(text);
    printer.print(&Consent {
        form: form(text),
        app: app(text, true),
        account: account.clone(),
        switch_url: Some(local()),
        asked: asked(text),
        organization: Some(text.into()),
        destination: text.into(),
        access_url: Some(local()),
    });
    let allowed = vec![Allowed { value: text.into(), app: app(text, false), asked: asked(text) }];
    printer.print(&Access { form: form(text), account: account.clone(), switch_url: Some(local()), allowed });
    printer.print(&DeviceCode {
        form: form(text).with(Some(MessageKey::UserCodeUnknown)),
        user_code: text.into(),
        account: account.clone(),
        switch_url: Some(local()),
    });
    let organization =
        |is_chosen| Organization { value: text.into(), name: text.into(), slug: text.into(), is_chosen };
    let request = |user_code: Option<Line>, organizations| Approval {
        flow: text.into(),
        app: app(text, false),
        binding_message: user_code.clone(),
        user_code,
        asked: asked(text),
        organization: Some(organization(true)),
        organizations,
        minutes: 1,
    };
    printer.print(&Approvals {
        action: "/auth/x".into(),
        account: account.clone(),
        switch_url: Some(local()),
        device_url: Some(local()),
        requests: vec![
            request(Some(account), vec![organization(true), organization(false)]),
            request(None, Vec::new()),
        ],
        support: vec![SupportRequest {
            flow: text.into(),
            staff: text.into(),
            reason: text.into(),
            minutes: 5,
        }],
    });
    printer.print(&Impersonate {
        form: form(text),
        account: text.into(),
        staff: text.into(),
        reason: text.into(),
        minutes: 1,
    });
}

pub fn app(text: &str, is_unverified: bool) -> App {
    App {
        name: text.into(),
        initials: text.into(),
        logo_url: Some(text.into()),
        home_url: Some(text.into()),
        policy_url: Some("https://shop.example/privacy".into()),
        tos_url: Some(text.into()),
        is_foreign: true,
        is_unverified,
    }
}

/// Every standard scope, one of an API, and a sentence in detail.
pub fn asked(text: &str) -> RequestedAccess {
    let named = ["openid", "profile", "email", "address", "phone", "offline_access", text];
    let scopes = named.iter().map(|name| (*name, None)).chain([("orders:write", Some(text))]);
    RequestedAccess::of(scopes, Some(text), sentences(text))
}

/// What is asked for in detail.
pub fn sentences(text: &str) -> Sentences {
    let part = |text: &str, is_value| Piece { text: text.to_owned(), is_value };
    Sentences(vec![Sentence(vec![part("Pay ", false), part(text, true), part(text, false)])])
}
