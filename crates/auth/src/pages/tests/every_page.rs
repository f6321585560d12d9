//! Every page, with values of a test.

mod account_centre;
mod allowing;
mod guardians;
mod intake;

pub use self::allowing::{app, sentences};
use self::intake::intake;
use super::super::*;

pub const HOSTILE: &[&str] = &[
    "\"><script>alert(1)</script>",
    "'><img src=x onerror=alert(1)>",
    "{{700*701}}{% include 'x' %}",
    "{ $app }",
    "a\u{202E}b",
];

pub fn pages() -> Pages {
    Pages::load(None, "en", &[]).unwrap()
}

pub fn branding() -> Branding {
    Branding::new("Acme Bank", None, Some("#0f766e")).unwrap()
}

pub fn look<'a>(pages: &Pages, language: &str, branding: &'a Branding) -> Look<'a> {
    Look {
        locale: pages.negotiate(Some(language), None),
        branding,
        nonce: "bm9uY2U",
        address: None,
        acting: None,
    }
}

/// A page that is tried: its template and its HTML.
pub type Tried = (&'static str, String);

/// Renders one of each page.
pub struct Printer<'a>(&'a Pages, Look<'a>, Vec<Tried>);

impl Printer<'_> {
    pub fn print<P: Page>(&mut self, page: &P) {
        self.2.push((P::TEMPLATE, self.0.render(&self.1, page).unwrap()));
    }
}

/// One of each page, with `text` wherever another's words may stand.
pub fn every_page<'a>(pages: &'a Pages, look: Look<'a>, text: &str) -> Vec<Tried> {
    let mut printer = Printer(pages, look, Vec::new());
    of_accounts(&mut printer, text);
    account_centre::print(&mut printer, text);
    of_invitations(&mut printer, text);
    allowing::print(&mut printer, text);
    guardians::print(&mut printer, text);
    intake::print(&mut printer, text);
    of_ends(&mut printer, text);
    printer.2
}

pub fn form(text: &str) -> Form {
    Form::new("/auth/x", text.to_owned()).with(Some(MessageKey::WrongCredentials))
}

pub fn local() -> Link {
    "/auth/back".into()
}

pub fn mismatch(text: &str) -> Mismatch {
    Mismatch::between(text, &[text.to_owned(), text.to_owned()])
}

#[expect(clippy::too_many_lines, reason = "a list")]
pub fn of_accounts(printer: &mut Printer<'_>, text: &str) {
    let (app_name, email) = (Some(Name::from(text)), Line::from(text));
    printer.print(&SignIn {
        is_recovery: true,
        form: form(text),
        username: text.into(),
        phone: text.into(),
        tried: Some("email_otp"),
        notice: Some(MessageKey::SignInAgain),
        app_name: app_name.clone(),
        purpose: Some("signin-for-device"),
        register_url: Some(local()),
        forgot_url: Some(local()),
        methods: first_parts(),
        is_second: false,
        is_linking: true,
        is_narrowed: true,
        switch_url: Some(local()),
        trust_days: None,
    });
    printer.print(&SignIn { form: form(text), is_narrowed: true, ..SignIn::default() });
    print_mailed_code(printer, text);
    print_links_and_texts(printer, text);
    for shown in [None, Some(serde_json::json!({ "secret": "ABC", "url": "otpauth://totp/a" }))] {
        printer.print(&SignIn {
            form: form(text).with(Some(MessageKey::CodeWrong)),
            methods: second_parts(shown),
            is_second: true,
            trust_days: Some(30),
            ..SignIn::default()
        });
    }
    let work = Captcha { challenge: Some(text.to_owned().into()), ..Captcha::default() };
    let widget = Captcha {
        script: Some("https://captcha.example/api.js"),
        class: Some("captcha-of-another"),
        site_key: Some(text.to_owned().into()),
        ..Captcha::default()
    };
    printer.print(&RegisterCode {
        form: form(text).with(Some(MessageKey::MailCodeWrong)),
        email: email.clone(),
        again_url: Some(local()),
        signin_url: Some(local()),
    });
    printer.print(&RegisterName {
        form: form(text).with(Some(MessageKey::NameMissing)),
        email: email.clone(),
        name: text.into(),
        intake: intake(text),
    });
    let register = Register {
        by_code: true,
        chooses_password: true,
        form: form(text).with(Some(MessageKey::EmailInvalid)).asking(Some(work)),
        notice: Some(MessageKey::HereAsGuest),
        email: text.into(),
        app_name: app_name.clone(),
        signin_url: Some(local()),
        policy_url: Some("https://shop.example/privacy".into()),
        tos_url: Some(text.into()),
    };
    printer.print(&register);
    for has_account in [false, true] {
        printer.print(&RegisterSent {
            form: form(text),
            email: text.into(),
            has_account,
            again_url: Some(local()),
            signin_url: Some(local()),
        });
    }
    printer.print(&VerifyEmail {
        form: form(text).with(Some(MessageKey::PasswordTooCommon)),
        email: email.clone(),
        asks_name: true,
        asks_password: true,
        name: text.into(),
        min_length: 12,
        intake: intake(text),
        passkey_url: Some(local()),
        is_passkey_alone: false,
    });
    printer.print(&Join { form: form(text), account: text.into(), app_name: app_name.clone() });
    printer.print(&Forgot {
        form: form(text).asking(Some(widget)),
        username: text.into(),
        signin_url: Some(local()),
        others: Some(OtherWays {
            form: form(text),
            methods: recovery_parts(),
            is_second: false,
            is_recovery: true,
        }),
        guardians_url: Some(local()),
    });
    printer.print(&ForgotSent {
        form: form(text),
        username: text.into(),
        again_url: Some(local()),
        signin_url: Some(local()),
    });
    printer.print(&ResetPassword { form: form(text), username: text.into(), min_length: 12 });
    let account = |name: &str, is_signed_in| Account {
        value: text.into(),
        name: name.into(),
        detail: text.into(),
        is_signed_in,
    };
    let accounts = vec![account(text, true), account("", false)];
    let purpose = Some(FOR_ACCOUNT);
    printer.print(&SelectAccount { form: form(text), app_name: app_name.clone(), purpose, accounts });
    let organization =
        |is_chosen| Organization { value: text.into(), name: text.into(), slug: text.into(), is_chosen };
    for organizations in [vec![organization(true), organization(false)], Vec::new()] {
        printer.print(&SelectOrganization {
            form: form(text),
            app_name: app_name.clone(),
            account: text.into(),
            switch_url: Some(local()),
            organizations,
            is_named: true,
        });
    }
    for accounts in [Vec::new(), vec![account(text, true), account("", true)]] {
        printer.print(&SignOut {
            form: form(text),
            app_name: app_name.clone(),
            account: Some(email.clone()),
            accounts,
            is_unregistered: true,
            mismatch: Some(mismatch(text)),
        });
    }
}

fn of_invitations(printer: &mut Printer<'_>, text: &str) {
    for is_refused in [true, false] {
        printer.print(&WasThisYou {
            form: form(text),
            at: text.into(),
            browser: text.into(),
            os: text.into(),
            network: text.into(),
            is_refused,
        });
    }
    printer.print(&UndoAddress { form: form(text), email: text.into(), at: text.into() });
    printer.print(&NewAddress {
        form: form(text),
        account: text.into(),
        switch_url: Some(local()),
        email: text.into(),
    });
    for is_new in [true, false] {
        printer.print(&OrganizationInvitation {
            form: form(text),
            organization: text.into(),
            email: text.into(),
            account: (!is_new).then(|| text.into()),
            switch_url: (!is_new).then(local),
            is_other: false,
            asks_name: is_new,
            asks_password: is_new,
            name: text.into(),
            min_length: 8,
            intake: if is_new { intake(text) } else { Intake::default() },
            passkey_url: is_new.then(local),
            is_passkey_alone: false,
        });
    }
    printer.print(&OrganizationInvitation {
        form: form(text),
        organization: text.into(),
        email: text.into(),
        account: Some(text.into()),
        switch_url: Some(local()),
        is_other: true,
        asks_name: false,
        asks_password: false,
        name: text.into(),
        min_length: 8,
        intake: Intake::default(),
        passkey_url: None,
        is_passkey_alone: false,
    });
}

pub fn of_ends(printer: &mut Printer<'_>, text: &str) {
    let app_name = Some(Name::from(text));
    printer.print(&Start {
        account: Some(text.into()),
        approvals_url: "/a".into(),
        access_url: Some(local()),
        sign_out_url: "/a".into(),
    });
    printer.print(&SignedOut {
        app_name: app_name.clone(),
        continue_url: Some("https://shop.example/".into()),
        accounts_url: Some(local()),
        mismatch: Some(mismatch(text)),
        is_unregistered: true,
    });
    let fields = || -> Vec<Field> { ["code", "state"].map(|name| Field { name, value: text.into() }).into() };
    printer.print(&FormPost { action: "https://shop.example/cb".into(), fields: fields() });
    for (action, fields) in [(None, Vec::new()), (Some("https://shop.example/cb".into()), fields())] {
        printer.print(&Leaving {
            app_name: text.into(),
            destination: text.into(),
            url: "com.example.app:/cb?error=x".into(),
            action,
            fields,
            error: text.into(),
            detail: text.into(),
        });
    }
    printer.print(&ErrorPage {
        code: text.into(),
        detail: Some(text.into()),
        request_id: text.into(),
        wait: Some(MessageKey::TooManyAttempts { minutes: 5 }),
        may_repeat: false,
        retry_url: Some(local()),
        app_name,
        signs_in: false,
        is_stale: true,
        mismatch: Some(mismatch(text)),
    });
    printer.print(&Done { outcome: Outcome::EmailVerified, continue_url: local() });
    printer.print(&preview(text));
    printer.print(&reference(text));
}

fn preview(text: &str) -> Preview {
    let choice = || PreviewChoice { value: text.into(), name: text.into(), is_chosen: true };
    Preview {
        form: form(text),
        account: text.into(),
        samples: vec![choice()],
        locales: vec![choice()],
        fonts: vec![choice()],
        is_dark: true,
        is_phone: true,
        organization: text.into(),
        accent: text.into(),
        logo_uri: text.into(),
        policy_uri: text.into(),
        tos_uri: text.into(),
        radius: text.into(),
        sender_name: text.into(),
        texts: text.into(),
        fault: Some(text.into()),
        subject: Some(text.into()),
        frame: Some("A document of ours".into()),
    }
}

pub fn reference(text: &str) -> Reference {
    let told = || vec![Part { text: text.into(), style: "code" }];
    let parameter = |place: &str| Parameter {
        name: text.into(),
        place: place.into(),
        kind: text.into(),
        is_required: true,
        description: told(),
    };
    let body = Body { media_type: text.into(), members: vec![parameter("")], example: text.into() };
    let operation = Operation {
        id: text.into(),
        method: text.into(),
        path: text.into(),
        summary: text.into(),
        description: told(),
        parameters: vec![parameter("path")],
        shared: vec![Shared { name: text.into(), place: text.into() }],
        body: Some(body),
        answers: vec![Answer { status: text.into(), description: told() }],
        errors: vec![text.into()],
    };
    let group =
        Group { id: text.into(), name: text.into(), description: text.into(), operations: vec![operation] };
    let sign_in = SignInOf {
        client_id: text.into(),
        scope: text.into(),
        audience: text.into(),
        redirect_uri: text.into(),
    };
    Reference {
        title: text.into(),
        version: text.into(),
        paragraphs: vec![told()],
        parameters: vec![parameter("query")],
        errors: vec![Answer { status: text.into(), description: told() }],
        groups: vec![group],
        sign_in: Some(sign_in),
    }
}

pub fn second_parts(shown: Option<serde_json::Value>) -> Vec<MethodPart> {
    let part = |id, partial, shown| MethodPart { id, partial, shown };
    vec![
        part("totp", "_totp.html", None),
        part("backup_code", "_backup_code.html", None),
        part("sms", "_sms.html", None),
        part("set_up_totp", "_set_up_totp.html", shown),
    ]
}

fn recovery_parts() -> Vec<MethodPart> {
    let part = |id, partial, shown| MethodPart { id, partial, shown };
    let providers = serde_json::json!({ "providers": [{ "id": "google", "name": "Google" }] });
    vec![
        part("passkey", "_passkey.html", None),
        part("sms", "_sms.html", None),
        part("social", "_social.html", Some(providers)),
    ]
}

fn print_mailed_code(printer: &mut Printer<'_>, text: &str) {
    for shown in [serde_json::json!({ "to": null }), serde_json::json!({ "to": text })] {
        let method = MethodPart { id: "email_otp", partial: "_email_otp.html", shown: Some(shown) };
        printer.print(&SignIn {
            form: form(text).with(Some(MessageKey::MailCodeWrong)),
            username: text.into(),
            methods: vec![method],
            ..SignIn::default()
        });
    }
}

fn print_links_and_texts(printer: &mut Printer<'_>, text: &str) {
    printer.print(&SignInLink { form: form(text), email: text.into() });
    let number = |shown| ("sms", "_sms.html", shown);
    let link = |shown| ("magic_link", "_magic_link.html", shown);
    let (empty, full) =
        (serde_json::json!({ "to": null, "end": null }), serde_json::json!({ "to": text, "end": null }));
    let second = serde_json::json!({ "to": null, "end": "123" });
    let wallet = |shown| ("siwe", "_siwe.html", shown);
    // What this step shows is of the configuration, or made of it.
    let chain = serde_json::json!({ "id": 1, "name": "main" });
    let chains = wallet(serde_json::json!({ "message": null, "chains": [chain, chain] }));
    let message = wallet(serde_json::json!({ "message": "a\nb", "address": "0x5aAe", "by_wallet": true }));
    for (id, partial, shown) in [
        number(empty.clone()),
        number(full.clone()),
        number(second),
        link(empty),
        link(full),
        chains,
        message,
    ] {
        printer.print(&SignIn {
            form: form(text).with(Some(MessageKey::TextCodeWrong)),
            username: text.into(),
            is_second: !shown["end"].is_null(),
            methods: vec![MethodPart { id, partial, shown: Some(shown) }],
            ..SignIn::default()
        });
    }
}

fn first_parts() -> Vec<MethodPart> {
    let part = |id, partial| MethodPart { id, partial, shown: None };
    vec![
        password_part(),
        part("email_otp", "_email_otp.html"),
        part("magic_link", "_magic_link.html"),
        part("anonymous", "_anonymous.html"),
        part("sms", "_sms.html"),
        part("siwe", "_siwe.html"),
    ]
}

pub fn password_part() -> MethodPart {
    MethodPart { id: "password", partial: "_password.html", ..MethodPart::default() }
}
