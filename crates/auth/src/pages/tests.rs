//! Every page in every language, with friendly and with hostile values.

use svc_domain::apis::{Part, Sentence};

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
    Look { locale: pages.negotiate(Some(language), None), branding, nonce: "bm9uY2U" }
}

/// One of each page, with `text` wherever somebody else's words may stand.
fn every_page<'a>(text: &'a str, lists: &'a Lists<'a>) -> Vec<Page<'a>> {
    let (action, flow, opt) = ("/auth/x", text, Some(text));
    let (username, email, name, account) = (text, text, text, text);
    let local = Some("/auth/back");
    let (policy_url, tos_url) = (Some("https://shop.example/privacy"), opt);
    let error = Some(MessageKey::WrongCredentials);
    let app = App { name, logo_url: opt, home_url: opt, policy_url, tos_url };
    vec![
        Page::SignIn(SignIn {
            action,
            flow,
            username,
            error,
            notice: Some(MessageKey::SignInAgain),
            app_name: opt,
            register_url: local,
            forgot_url: local,
            methods: &lists.methods,
        }),
        Page::Register(Register {
            action,
            flow,
            email,
            error,
            app_name: opt,
            signin_url: local,
            policy_url,
            tos_url,
        }),
        Page::RegisterSent(RegisterSent { email, signin_url: local }),
        Page::VerifyEmail(VerifyEmail {
            action,
            flow,
            email,
            asks_name: true,
            asks_password: true,
            name,
            error,
            min_length: 12,
        }),
        Page::Join(Join { action, flow, account, app_name: opt }),
        Page::Forgot(Forgot { action, flow, username, error, signin_url: local }),
        Page::ForgotSent(ForgotSent { signin_url: local }),
        Page::ResetPassword(ResetPassword { action, flow, username, error, min_length: 12 }),
        Page::Consent(Consent {
            action,
            flow,
            app,
            account,
            switch_url: local,
            scopes: &lists.scopes,
            details: lists.details,
        }),
        Page::SelectAccount(SelectAccount { action, flow, app_name: opt, accounts: &lists.accounts }),
        Page::DeviceCode(DeviceCode { action, flow, user_code: text, error, account, switch_url: local }),
        Page::Approvals(Approvals {
            action,
            account,
            switch_url: local,
            device_url: local,
            requests: &lists.requests,
        }),
        Page::SignOut(SignOut {
            action,
            flow,
            app_name: opt,
            account: opt,
            is_unregistered: true,
            mismatch: Some(Mismatch::between(text, &lists.texts)),
        }),
        Page::Start(Start { account: opt, approvals_url: action, sign_out_url: action }),
        Page::SignedOut(SignedOut {
            app_name: opt,
            continue_url: Some("https://shop.example/"),
            is_unregistered: true,
            mismatch: Some(Mismatch::between(text, &lists.texts)),
        }),
        Page::FormPost(FormPost { action: "https://shop.example/cb", fields: &lists.pairs }),
        Page::Error(ErrorPage {
            code: text,
            detail: opt,
            request_id: text,
            retry_url: local,
            app_name: opt,
            is_stale: true,
            mismatch: Some(Mismatch::between(text, &lists.texts)),
        }),
        Page::Done(Done { outcome: Outcome::EmailVerified, continue_url: local }),
        Page::Message(Message {
            title: text,
            is_wide: true,
            paragraphs: &lists.texts,
            facts: &lists.pairs,
            code: opt,
            links: &lists.links,
        }),
    ]
}

/// What is asked for in detail.
fn sentences(text: &str) -> [Sentence; 1] {
    let part = |text: &str, is_value| Part { text: text.to_owned(), is_value };
    [Sentence(vec![part("Pay ", false), part(text, true), part(text, false)])]
}

/// The slices that [`every_page`] borrows.
struct Lists<'a> {
    scopes: Vec<ScopeText<'a>>,
    methods: [MethodPart<'a>; 1],
    accounts: [Account<'a>; 2],
    details: &'a [Sentence],
    requests: [Approval<'a>; 2],
    pairs: [(&'a str, &'a str); 2],
    texts: [&'a str; 2],
    links: [Link<'a>; 2],
}

impl<'a> Lists<'a> {
    fn new(text: &'a str, details: &'a [Sentence]) -> Self {
        let named = ["openid", "profile", "email", "address", "phone", "offline_access", text];
        let mut scopes: Vec<_> = named.iter().map(|&name| ScopeText { name, description: None }).collect();
        scopes.push(ScopeText { name: "orders:read", description: Some(text) });
        Self {
            scopes,
            details,
            methods: [MethodPart { id: "password", partial: "_password.html", ..MethodPart::default() }],
            accounts: [
                Account { value: text, name: text, detail: text },
                Account { value: "2", name: "", detail: text },
            ],
            requests: [
                Approval {
                    flow: text,
                    app: App { name: text, logo_url: Some(text), ..App::default() },
                    user_code: Some(text),
                    binding_message: Some(text),
                    scopes: const { &[ScopeText { name: "openid", description: None }] },
                    details,
                    minutes: 1,
                },
                Approval { flow: text, minutes: 5, ..Approval::default() },
            ],
            pairs: [("code", text), ("state", text)],
            texts: [text, text],
            links: [Link { label: text, url: "/a" }, Link { label: text, url: "https://shop.example/" }],
        }
    }
}

#[test]
fn every_page_renders_in_every_language_with_its_frame() {
    let (pages, branding) = (pages(), branding());
    assert_eq!(pages.locales(), ["de", "en", "es", "fr"]);
    for language in pages.locales() {
        let look = look(&pages, &language, &branding);
        let details = sentences("Ada");
        let lists = Lists::new("Ada", &details);
        let every = every_page("Ada", &lists);
        let rendered: Vec<_> = every.iter().map(Page::template).collect();
        assert_eq!(rendered, page::TEMPLATES, "every page is tried");
        for page in &every {
            let html = pages.render(&look, page).unwrap();
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
    let (pages, branding, details) = (pages(), branding(), sentences("Ada"));
    let lists = Lists::new("Ada", &details);
    let look = look(&pages, "en", &branding);
    let all: String =
        every_page("Ada", &lists).iter().map(|page| pages.render(&look, page).unwrap()).collect();
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
    let look = look(&pages, "en", &look_branding);
    let long = "<b>".repeat(4000);
    for hostile in HOSTILE.iter().copied().chain([long.as_str()]) {
        let details = sentences(hostile);
        let lists = Lists::new(hostile, &details);
        for page in every_page(hostile, &lists) {
            let html = pages.render(&look, &page).unwrap();
            for bad in ["<script>", "<img src=x", "<b>", "49", "\u{202E}b<"] {
                assert!(!html.contains(bad), "{bad} in {}: {html}", page.template());
            }
            assert_eq!(html.matches("<script").count(), 1, "{}", page.template());
        }
    }
}

#[test]
fn long_text_is_cut_but_state_is_kept_whole() {
    let (pages, branding, long) = (pages(), branding(), "x".repeat(10_000));
    let look = look(&pages, "en", &branding);
    let page = Page::SignIn(SignIn {
        action: "/a",
        flow: &long,
        username: &long,
        app_name: Some(&long),
        methods: &[MethodPart { id: "password", partial: "_password.html", ..MethodPart::default() }],
        ..SignIn::default()
    });
    let html = pages.render(&look, &page).unwrap();
    assert!(html.contains(&format!("name=\"flow\" value=\"{long}\"")));
    assert!(html.len() < 10_000 + 6_000, "{}", html.len());
}

#[test]
fn details_are_sentences_in_which_the_values_stand_out_and_stay_apart() {
    let (pages, branding, details) = (pages(), branding(), sentences("a\u{202E}b & c"));
    let look = look(&pages, "en", &branding);
    let consent = Page::Consent(Consent { action: "/a", details: &details, ..Consent::default() });
    let request = Approval { details: &details, ..Approval::default() };
    let approvals = Page::Approvals(Approvals { action: "/a", requests: &[request], ..Approvals::default() });
    for page in [consent, approvals] {
        let html = pages.render(&look, &page).unwrap();
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
        let app = App {
            name: "Shop",
            logo_url: Some(bad),
            home_url: Some(bad),
            policy_url: Some(bad),
            tos_url: Some(bad),
        };
        let page = Page::Consent(Consent { action: "/a", app, ..Consent::default() });
        assert!(!pages.render(&look, &page).unwrap().contains(bad), "{bad}");
        let page = Page::FormPost(FormPost { action: bad, fields: &[] });
        assert!(pages.render(&look, &page).is_err(), "{bad}");
    }
}

#[test]
fn an_error_page_explains_itself_by_its_code() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    for class in svc_core::Class::ALL {
        let page = Page::Error(ErrorPage { code: class.code(), request_id: "req_1", ..ErrorPage::default() });
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
            let page = Page::SignIn(SignIn { action: "/a", error: Some(key), ..SignIn::default() });
            assert!(pages.render(&look, &page).unwrap().contains("id=\"form-error\""));
        }
        for &outcome in Outcome::ALL {
            pages.render(&look, &Page::Done(Done { outcome, continue_url: None })).unwrap();
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
    let render = |page| pages.render(&look, &page).unwrap();
    assert!(render(Page::ForgotSent(ForgotSent::default())).contains("</h1>Ours"));
    assert!(render(Page::SignedOut(SignedOut::default())).contains("You are signed out"));
    assert!(format!("{:?}", refused.err().unwrap()).contains("done.html"));
}

#[test]
fn waiting_times_are_told_in_whole_minutes() {
    for (seconds, minutes) in [(0, 1), (1, 1), (60, 1), (61, 2)] {
        let key = MessageKey::too_many_attempts(svc_core::Seconds(seconds));
        assert_eq!(key, MessageKey::TooManyAttempts { minutes });
    }
}
