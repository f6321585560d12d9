//! Every page in every language, with friendly and with hostile values.

mod directions;
mod every_page;

use std::collections::BTreeSet;

use self::every_page::*;
use super::*;

#[test]
fn every_page_renders_in_every_language_with_its_frame() {
    let (pages, branding) = (pages(), branding());
    for language in pages.locales() {
        let every = every_page(&pages, look(&pages, &language, &branding), "Ada");
        let tried: BTreeSet<_> = every.iter().map(|(template, _)| (*template).to_owned()).collect();
        let pages_of_ours = templates::sources().into_iter();
        let pages_of_ours =
            pages_of_ours.filter(|(name, source)| !name.starts_with('_') && source.starts_with("{% extends"));
        assert_eq!(tried, pages_of_ours.map(|(name, _)| name).collect(), "every page is tried");
        for (_, html) in &every {
            assert!(
                html.contains("<h1>") && html.contains("Acme Bank") && html.contains("--accent:#0f766e"),
                "{html}"
            );
            for inline in [" style=", " onclick=", " onload=", " onsubmit=", "javascript:"] {
                assert!(!html.contains(inline), "{inline} in {html}");
            }
            assert_eq!(html.matches("<style").count(), 1);
            assert_eq!(html.matches("<script").count(), scripts(html));
            assert_eq!(html.matches("nonce=\"bm9uY2U\"").count(), 1 + scripts(html));
        }
    }
}

/// Scripts of a page: that of all pages, those of a challenge, the second of which says that the first does not load, that of passkeys,
/// and that of wallets.
fn scripts(html: &str) -> usize {
    1 + ["class=\"captcha\"", "captcha-failed", "data-passkey-part", "data-siwe="]
        .into_iter()
        .filter(|part| html.contains(part))
        .count()
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
        "id=\"leave-submit\"",
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
        (pages(), Branding::new("\"><script>x</script>{{700*701}}", None, None).unwrap());
    let long = "<b>".repeat(4000);
    for hostile in HOSTILE.iter().copied().chain([long.as_str()]) {
        for (template, html) in every_page(&pages, look(&pages, "en", &look_branding), hostile) {
            for bad in ["<script>", "<img src=x", "<b>", "490700", "\u{202E}b<"] {
                assert!(!html.contains(bad), "{bad} in {template}: {html}");
            }
            assert_eq!(html.matches("<script").count(), scripts(&html), "{template}");
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
fn the_longest_address_is_shown_and_sent_again_whole() {
    let (pages, branding) = (pages(), branding());
    let label = "d".repeat(62);
    let address = format!("{}@{label}.{label}.{label}.{label}x", "a".repeat(64));
    assert_eq!(address.len(), 64 + 1 + 252);
    let page = RegisterSent { form: form("x"), email: (&address).into(), ..RegisterSent::default() };
    let html = pages.render(&look(&pages, "en", &branding), &page).unwrap();
    assert!(html.contains(&format!("name=\"email\" value=\"{address}\"")), "{html}");
    assert!(html.contains(&format!("a message to {address}.")), "{html}");
}

#[test]
fn details_are_sentences_in_which_the_values_stand_out_and_stay_apart() {
    let (pages, branding, details) = (pages(), branding(), sentences("a\u{202E}b & c"));
    let look = look(&pages, "en", &branding);
    let asked = || RequestedAccess { details: details.clone(), ..RequestedAccess::default() };
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
    let chosen = svc_domain::tenancy::branding::Branding {
        policy_uri: Some("https://acme.example/privacy".to_owned()),
        tos_uri: Some("javascript:x".to_owned()),
        ..Default::default()
    };
    let branding = Branding::made("Acme Bank", chosen, Own::default()).unwrap();
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
    // What is read out first when the page opens.
    let titled = |html: &str| html.contains("<title>Error: Create your account · Acme Bank</title>");
    let fresh = pages.render(&look, &Register { form: Form::new("/a", "x".to_owned()), ..page }).unwrap();
    assert!(titled(&html) && !titled(&fresh) && !fresh.contains("Error:"), "{html} {fresh}");
}

#[test]
fn of_several_second_factors_the_one_that_was_tried_is_marked_and_has_the_cursor() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    for (tried, error, marked, open) in [
        (None, None, "totp-code", false),
        (Some("totp"), Some(MessageKey::CodeWrong), "totp-code", false),
        (Some("backup_code"), Some(MessageKey::BackupCodeWrong), "backup-code", true),
    ] {
        let form = Form::new("/auth/x", "x".to_owned()).with(error);
        let methods = second_parts(None);
        let page = SignIn { form, tried, is_second: true, methods, ..SignIn::default() };
        let html = pages.render(&look, &page).unwrap();
        let tags = |having: &str| -> Vec<String> {
            let tags = html.split("<input ").skip(1).filter_map(|rest| rest.split('>').next());
            tags.filter(|tag| tag.contains(having)).map(str::to_owned).collect()
        };
        let id = format!("id=\"{marked}\"");
        let (focused, invalid) = (tags(" autofocus"), tags("aria-invalid=\"true\""));
        assert!(focused.len() == 1 && focused[0].contains(&id), "{tried:?}: {focused:?}");
        assert_eq!(invalid.len(), usize::from(error.is_some()), "{tried:?}: {invalid:?}");
        assert!(invalid.iter().all(|tag| tag.contains(&id) && tag.contains("form-error")), "{invalid:?}");
        assert_eq!(html.contains("<details class=\"more\" open>"), open, "{tried:?}: {html}");
    }
}

#[test]
fn of_several_inputs_the_first_that_is_at_fault_has_the_cursor() {
    let (pages, branding) = (pages(), branding());
    let every = every_page(&pages, look(&pages, "en", &branding), "Ada");
    for (template, input) in
        [("complete.html", "id=\"field-field_0\""), ("register_name.html", "id=\"name\"")]
    {
        let (_, html) = every.iter().find(|(name, _)| *name == template).unwrap();
        let before = html.split(" autofocus").next().unwrap();
        let tag = before.rsplit('<').next().unwrap();
        assert!(html.contains(" autofocus") && tag.contains(input), "{template}: {tag}");
    }
}

#[test]
fn a_wrong_code_stands_at_the_one_person_whose_it_was_to_be() {
    let (pages, branding) = (pages(), branding());
    let person = |is_refused| GuardedPerson {
        is_accepted: true,
        is_refused,
        asked_at: Some("2027-01-15T08:00:00Z".into()),
        ..GuardedPerson::default()
    };
    let form = form("x").with(Some(MessageKey::RecoveryCodeWrong));
    let frame = AccountFrame { form, title: "account-guarding", ..AccountFrame::default() };
    let page = AccountGuarding { frame, people: vec![person(false), person(true)] };
    let html = pages.render(&look(&pages, "en", &branding), &page).unwrap();
    assert_eq!(html.matches("id=\"code-fault\"").count(), 1, "{html}");
    let [first, second] = ["code-0", "code-1"].map(|id| {
        let field = html.split(&format!("<input id=\"{id}\"")).nth(1).unwrap();
        field.split('>').next().unwrap().contains("aria-invalid=\"true\" aria-describedby=\"code-fault\"")
    });
    assert!(!first && second, "{html}");
}

#[test]
fn what_is_wrong_with_a_form_is_told_once() {
    let (pages, branding) = (pages(), branding());
    for (template, html) in every_page(&pages, look(&pages, "en", &branding), "Ada") {
        assert!(html.matches("id=\"form-error\"").count() <= 1, "{template}: {html}");
    }
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
fn who_has_asked_too_often_reads_how_long_to_wait() {
    let (pages, branding) = (pages(), branding());
    let look = look(&pages, "en", &branding);
    let wait = Some(MessageKey::too_many_attempts(svc_core::Seconds(90)));
    let page = ErrorPage { code: "rate_limited".into(), wait, ..ErrorPage::default() };
    let html = pages.render(&look, &page).unwrap();
    assert!(html.contains("Too many requests") && html.contains("Try again in 2 minutes."), "{html}");
}

#[test]
fn what_was_too_large_and_what_is_not_here_is_said_as_that() {
    let (pages, branding) = (pages(), branding());
    for (code, title) in [
        ("payload_too_large", "This is too large"),
        ("headers_too_large", "This is too large"),
        ("misdirected_request", "Page not found"),
        ("not_implemented", "Page not found"),
    ] {
        let page = ErrorPage { code: code.into(), ..ErrorPage::default() };
        let html = pages.render(&look(&pages, "en", &branding), &page).unwrap();
        assert!(html.contains(&format!("<h1>{title}</h1>")), "{code}: {html}");
    }
}

#[test]
fn what_developers_are_told_is_folded_and_english_in_every_language() {
    let (pages, branding) = (pages(), branding());
    let detail = "redirect_uri: not registered";
    for language in pages.locales() {
        let look = || look(&pages, &language, &branding);
        let error =
            ErrorPage { code: "invalid_request".into(), detail: Some(detail.into()), ..ErrorPage::default() };
        let url = "com.example.app:/cb?error=x";
        let leaving = Leaving { url: url.into(), detail: detail.into(), ..Leaving::default() };
        for html in [pages.render(&look(), &error).unwrap(), pages.render(&look(), &leaving).unwrap()] {
            let folded = html.split("<details class=\"more\">").nth(1).unwrap_or_default();
            assert!(
                folded.contains(&format!("id=\"error-detail\" lang=\"en\" dir=\"ltr\">{detail}</p>")),
                "{html}"
            );
        }
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

#[test]
fn a_wait_of_days_is_told_in_days_with_the_plural_forms_of_the_language() {
    let (pages, branding) = (pages(), branding());
    for (language, days, told) in [
        ("en", 1, "Try again in 1 day."),
        ("en", 3, "Try again in 3 days."),
        ("de", 2, "Warten Sie 2 Tage,"),
        ("fr", 3, "Réessayez dans 3 jours."),
        ("ja", 1, "1 日間待ってから"),
        ("ar", 2, "بعد يومين."),
        ("ar", 5, "بعد 5 أيام."),
    ] {
        let wait = Some(MessageKey::too_many_attempts(svc_core::Seconds(days * 86_400)));
        let page = ErrorPage { code: "rate_limited".into(), wait, ..ErrorPage::default() };
        let html = pages.render(&look(&pages, language, &branding), &page).unwrap();
        assert!(html.replace(['\u{2068}', '\u{2069}'], "").contains(told), "{told}: {html}");
    }
}
