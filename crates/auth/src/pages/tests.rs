//! Every page in every language, with friendly and with hostile values.

use std::collections::BTreeSet;

use svc_domain::apis::{Part as Piece, Sentence};

use super::*;

const HOSTILE: &[&str] = &[
    "\"><script>alert(1)</script>",
    "'><img src=x onerror=alert(1)>",
    "{{7*7}}{% include 'x' %}",
    "{ $app }",
    "a\u{202E}b",
];

fn pages() -> Pages {
    Pages::load(None, "en", &[]).unwrap()
}

fn branding() -> Branding {
    Branding::new("Acme Bank", None, Some("#0f766e")).unwrap()
}

fn look<'a>(pages: &Pages, language: &str, branding: &'a Branding) -> Look<'a> {
    Look { locale: pages.negotiate(Some(language), None), branding, nonce: "bm9uY2U", address: None }
}

/// A page that is tried: its template and its HTML.
type Tried = (&'static str, String);

/// Renders one of each page.
struct Printer<'a>(&'a Pages, Look<'a>, Vec<Tried>);

impl Printer<'_> {
    fn print<P: Page>(&mut self, page: &P) {
        self.2.push((P::TEMPLATE, self.0.render(&self.1, page).unwrap()));
    }
}

/// One of each page, with `text` wherever another's words may stand.
fn every_page<'a>(pages: &'a Pages, look: Look<'a>, text: &str) -> Vec<Tried> {
    let mut printer = Printer(pages, look, Vec::new());
    of_accounts(&mut printer, text);
    of_allowing(&mut printer, text);
    of_ends(&mut printer, text);
    printer.2
}

fn form(text: &str) -> Form {
    Form::new("/auth/x", text.to_owned()).with(Some(MessageKey::WrongCredentials))
}

fn local() -> Link {
    "/auth/back".into()
}

fn mismatch(text: &str) -> Mismatch {
    Mismatch::between(text, &[text.to_owned(), text.to_owned()])
}

fn of_accounts(printer: &mut Printer<'_>, text: &str) {
    let (app_name, email) = (Some(Name::from(text)), Line::from(text));
    printer.print(&SignIn {
        form: form(text),
        username: text.into(),
        notice: Some(MessageKey::SignInAgain),
        app_name: app_name.clone(),
        purpose: Some("signin-for-device"),
        register_url: Some(local()),
        forgot_url: Some(local()),
        methods: vec![password_part()],
    });
    let register = Register {
        form: form(text).with(Some(MessageKey::EmailInvalid)),
        email: text.into(),
        app_name: app_name.clone(),
        signin_url: Some(local()),
        policy_url: Some("https://shop.example/privacy".into()),
        tos_url: Some(text.into()),
    };
    printer.print(&register);
    printer.print(&RegisterSent {
        form: form(text),
        email: text.into(),
        again_url: Some(local()),
        signin_url: Some(local()),
    });
    printer.print(&VerifyEmail {
        form: form(text).with(Some(MessageKey::PasswordTooCommon)),
        email: email.clone(),
        asks_name: true,
        asks_password: true,
        name: text.into(),
        min_length: 12,
    });
    printer.print(&Join { form: form(text), account: text.into(), app_name: app_name.clone() });
    printer.print(&Forgot { form: form(text), username: text.into(), signin_url: Some(local()) });
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
    printer.print(&SelectAccount { form: form(text), app_name: app_name.clone(), accounts });
    printer.print(&SignOut {
        form: form(text),
        app_name,
        account: Some(email),
        is_unregistered: true,
        mismatch: Some(mismatch(text)),
    });
}

fn of_allowing(printer: &mut Printer<'_>, text: &str) {
    let account = Line::from(text);
    printer.print(&Consent {
        form: form(text),
        app: app(text, true),
        account: account.clone(),
        switch_url: Some(local()),
        asked: asked(text),
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
    let request = |user_code: Option<Line>| Approval {
        flow: text.into(),
        app: app(text, false),
        binding_message: user_code.clone(),
        user_code,
        asked: asked(text),
        minutes: 1,
    };
    printer.print(&Approvals {
        action: "/auth/x".into(),
        account: account.clone(),
        switch_url: Some(local()),
        device_url: Some(local()),
        requests: vec![request(Some(account)), request(None)],
    });
}

fn of_ends(printer: &mut Printer<'_>, text: &str) {
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
        mismatch: Some(mismatch(text)),
        is_unregistered: true,
    });
    let fields = ["code", "state"].map(|name| Field { name, value: text.into() }).into();
    printer.print(&FormPost { action: "https://shop.example/cb".into(), fields });
    printer.print(&Leaving {
        app_name: text.into(),
        destination: text.into(),
        url: "com.example.app:/cb?error=x".into(),
        error: text.into(),
        detail: text.into(),
    });
    printer.print(&ErrorPage {
        code: text.into(),
        detail: Some(text.into()),
        request_id: text.into(),
        retry_url: Some(local()),
        app_name,
        is_stale: true,
        mismatch: Some(mismatch(text)),
    });
    printer.print(&Done { outcome: Outcome::EmailVerified, continue_url: local() });
    printer.print(&reference(text));
}

fn reference(text: &str) -> Reference {
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
        body: Some(body),
        answers: vec![Answer { status: text.into(), description: told() }],
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
        groups: vec![group],
        sign_in: Some(sign_in),
    }
}

fn password_part() -> MethodPart {
    MethodPart { id: "password", partial: "_password.html", ..MethodPart::default() }
}

fn app(text: &str, is_unverified: bool) -> App {
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
fn asked(text: &str) -> Asked {
    let named = ["openid", "profile", "email", "address", "phone", "offline_access", text];
    let scopes = named.iter().map(|name| (*name, None)).chain([("orders:write", Some(text))]);
    Asked::of(scopes, Some(text), sentences(text))
}

/// What is asked for in detail.
fn sentences(text: &str) -> Sentences {
    let part = |text: &str, is_value| Piece { text: text.to_owned(), is_value };
    Sentences(vec![Sentence(vec![part("Pay ", false), part(text, true), part(text, false)])])
}

#[test]
fn every_page_renders_in_every_language_with_its_frame() {
    let (pages, branding) = (pages(), branding());
    assert_eq!(pages.locales(), ["de", "en", "es", "fr"]);
    for language in pages.locales() {
        let every = every_page(&pages, look(&pages, &language, &branding), "Ada");
        let tried: BTreeSet<_> = every.iter().map(|(template, _)| (*template).to_owned()).collect();
        let pages_of_ours = templates::sources().into_iter();
        let pages_of_ours = pages_of_ours.filter(|(_, source)| source.contains("extends \"base.html\""));
        assert_eq!(tried, pages_of_ours.map(|(name, _)| name).collect(), "every page is tried");
        for (_, html) in &every {
            assert!(html.contains(&format!("<html lang=\"{language}\" dir=\"ltr\">")), "{html}");
            assert!(
                html.contains("<h1>") && html.contains("Acme Bank") && html.contains("--accent:#0f766e"),
                "{html}"
            );
            for inline in [" style=", " onclick=", " onload=", " onsubmit=", "javascript:"] {
                assert!(!html.contains(inline), "{inline} in {html}");
            }
            for tag in ["<style", "<script"] {
                assert_eq!(html.matches(tag).count(), 1, "{tag}");
            }
            assert_eq!(html.matches("nonce=\"bm9uY2U\"").count(), 2);
        }
    }
}

#[test]
fn ids_and_names_are_stable() {
    let (pages, branding) = (pages(), branding());
    let all: String =
        every_page(&pages, look(&pages, "en", &branding), "Ada").into_iter().map(|(_, html)| html).collect();
    for stable in [
        "id=\"username\" name=\"username\"",
        "id=\"password\" name=\"password\"",
        "id=\"email\" name=\"email\"",
        "id=\"name\" name=\"name\"",
        "name=\"flow\" value=\"Ada\"",
        "id=\"login-submit\"",
        "id=\"register-submit\"",
        "id=\"forgot-submit\"",
        "id=\"reset-submit\"",
        "id=\"verify-submit\"",
        "id=\"join-submit\"",
        "id=\"consent-allow\" name=\"decision\" value=\"allow\"",
        "id=\"consent-deny\" name=\"decision\" value=\"deny\"",
        "id=\"user_code\" name=\"user_code\"",
        "id=\"device-submit\"",
        "id=\"approval-allow-0\" name=\"decision\" value=\"allow\"",
        "id=\"approval-deny-1\" name=\"decision\" value=\"deny\"",
        "id=\"phishing-warning\"",
        "id=\"logout-confirm\"",
        "id=\"access-remove-0\" name=\"app\" value=\"Ada\"",
        "id=\"leave-link\"",
        "id=\"form-post-submit\"",
        "<code id=\"error-code\">Ada</code>",
        "autocomplete=\"username\"",
        "autocomplete=\"current-password\"",
        "autocomplete=\"new-password\"",
        "autocomplete=\"username\"",
        "role=\"alert\"",
    ] {
        assert!(all.contains(stable), "{stable}");
    }
}

#[test]
fn hostile_values_are_text_everywhere() {
    let (pages, look_branding) =
        (pages(), Branding::new("\"><script>x</script>{{7*7}}", None, None).unwrap());
    let long = "<b>".repeat(4000);
    for hostile in HOSTILE.iter().copied().chain([long.as_str()]) {
        for (template, html) in every_page(&pages, look(&pages, "en", &look_branding), hostile) {
            for bad in ["<script>", "<img src=x", "<b>", "49", "\u{202E}b<"] {
                assert!(!html.contains(bad), "{bad} in {template}: {html}");
            }
            assert_eq!(html.matches("<script").count(), 1, "{template}");
        }
    }
}

#[test]
fn long_text_is_cut_but_state_is_kept_whole() {
    let (pages, branding, long) = (pages(), branding(), "x".repeat(10_000));
    let look = look(&pages, "en", &branding);
    let page = SignIn {
        form: Form::new("/a", long.clone()),
        username: (&long).into(),
        app_name: Some((&long).into()),
        methods: vec![password_part()],
        ..SignIn::default()
    };
    let html = pages.render(&look, &page).unwrap();
    assert!(html.contains(&format!("name=\"flow\" value=\"{long}\"")));
    assert!(html.len() < 10_000 + 6_000, "{}", html.len());
}

#[test]
fn details_are_sentences_in_which_the_values_stand_out_and_stay_apart() {
    let (pages, branding, details) = (pages(), branding(), sentences("a\u{202E}b & c"));
    let look = look(&pages, "en", &branding);
    let asked = || Asked { details: details.clone(), ..Asked::default() };
    let consent = Consent { form: form("x"), asked: asked(), ..Consent::default() };
    let request = Approval { asked: asked(), ..Approval::default() };
    let approvals = Approvals { action: "/a".into(), requests: vec![request], ..Approvals::default() };
    for html in [pages.render(&look, &consent).unwrap(), pages.render(&look, &approvals).unwrap()] {
        let sentence = "<span>Pay <strong><bdi>ab &amp; c</bdi></strong>ab &amp; c</span></li>";
        assert!(html.contains(sentence), "{html}");
        assert!(!html.contains("data-scope"), "{html}");
    }
}

#[test]
fn links_of_strangers_lead_to_the_web_or_nowhere() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    for bad in ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example"] {
        let page = Consent { form: form("x"), app: app(bad, false), ..Consent::default() };
        assert!(!pages.render(&look, &page).unwrap().contains(&format!("=\"{bad}")), "{bad}");
        let page = FormPost { action: bad.into(), fields: Vec::new() };
        assert!(pages.render(&look, &page).is_err(), "{bad}");
        let page = Leaving { url: bad.into(), ..Leaving::default() };
        assert!(pages.render(&look, &page).is_err(), "{bad}");
    }
}

#[test]
fn a_page_can_be_had_in_every_language_on_offer() {
    let (pages, branding) = (pages(), branding());
    let params = vec![("flow".to_owned(), "a&b".to_owned())];
    let address = Address { path: "/auth/forgot".to_owned(), params };
    let look = Look { address: Some(&address), ..look(&pages, "de", &branding) };
    let html = pages.render(&look, &ForgotSent { form: form("x"), ..ForgotSent::default() }).unwrap();
    for wanted in [
        "method=\"get\" action=\"/auth/forgot\"",
        "<input type=\"hidden\" name=\"flow\" value=\"a&amp;b\">",
        "value=\"en\" lang=\"en\">English</button>",
        "value=\"de\" lang=\"de\" aria-current=\"true\">Deutsch</button>",
    ] {
        assert!(html.contains(wanted), "{wanted} in {html}");
    }
}

#[test]
fn a_tenant_s_policy_and_terms_are_in_the_footer_where_they_are_web_addresses() {
    let pages = pages();
    let branding = branding().with_legal(Some("https://acme.example/privacy"), Some("javascript:x"));
    let html = pages
        .render(&look(&pages, "en", &branding), &ForgotSent { form: form("x"), ..ForgotSent::default() })
        .unwrap();
    assert!(
        html.contains("href=\"https://acme.example/privacy\"") && !html.contains("javascript:"),
        "{html}"
    );
}

#[test]
fn a_fault_stands_at_the_top_and_under_its_field() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    let page = Register { form: form("x").with(Some(MessageKey::EmailInvalid)), ..Register::default() };
    let html = pages.render(&look, &page).unwrap();
    assert!(
        html.contains("aria-describedby=\"email-fault\"") && html.contains("id=\"email-fault\""),
        "{html}"
    );
    assert_eq!(html.matches("Enter an email address, such as you@example.com.").count(), 2, "{html}");
}

#[test]
fn an_error_page_explains_itself_by_its_code() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    for class in svc_core::Class::ALL {
        let page =
            ErrorPage { code: class.code().into(), request_id: "req_1".into(), ..ErrorPage::default() };
        let html = pages.render(&look, &page).unwrap();
        assert!(html.contains(&format!("<code id=\"error-code\">{}</code>", class.code())), "{html}");
        assert!(html.contains("req_1") && !html.contains("id=\"error-detail\""), "{html}");
    }
}

#[test]
fn every_notice_and_outcome_has_words() {
    let (pages, branding) = (pages(), branding());
    for language in pages.locales() {
        let look = look(&pages, &language, &branding);
        for &key in MessageKey::ALL {
            let page = SignIn { form: form("x").with(Some(key)), ..SignIn::default() };
            assert!(pages.render(&look, &page).unwrap().contains("id=\"form-error\""));
        }
        for &outcome in Outcome::ALL {
            let page = pages.render(&look, &Done { outcome, continue_url: "/auth/forgot".into() }).unwrap();
            assert!(page.contains("id=\"continue-link\" href=\"/auth/forgot\""), "{page}");
        }
    }
}

#[test]
fn operators_replace_templates_and_a_broken_one_does_not_lock_anybody_out() {
    let directory = std::env::temp_dir().join(format!("svc-templates-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let put = |name: &str, source: &str| std::fs::write(directory.join(name), source).unwrap();
    put(
        "forgot_sent.html",
        "{% extends 'base.html' %}{% block main %}<h1>{{ t('sent-title') }}</h1>Ours{% endblock %}",
    );
    put("signed_out.html", "{{ page.no_such_field }}");
    let pages = Pages::load(Some(&directory), "en", &[]).unwrap();
    put("done.html", "{% if %}");
    let refused = Pages::load(Some(&directory), "en", &[]);
    std::fs::remove_dir_all(&directory).unwrap();
    let branding = branding();
    let look = look(&pages, "en", &branding);
    assert!(
        pages
            .render(&look, &ForgotSent { form: form("x"), ..ForgotSent::default() })
            .unwrap()
            .contains("</h1>Ours")
    );
    assert!(pages.render(&look, &SignedOut::default()).unwrap().contains("You are signed out"));
    assert!(format!("{:?}", refused.err().unwrap()).contains("done.html"));
}

#[test]
fn waiting_times_are_told_in_whole_minutes() {
    for (seconds, minutes) in [(0, 1), (1, 1), (60, 1), (61, 2)] {
        let key = MessageKey::too_many_attempts(svc_core::Seconds(seconds));
        assert_eq!(key, MessageKey::TooManyAttempts { minutes });
    }
}
