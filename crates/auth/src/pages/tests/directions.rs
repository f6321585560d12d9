//! Pages and mails in left-to-right and right-to-left languages.

use svc_core::Seconds;

use super::*;

/// Every language that is built in, and where its lines begin.
const DIRECTIONS: [(&str, &str); 7] =
    [("ar", "rtl"), ("de", "ltr"), ("en", "ltr"), ("es", "ltr"), ("fr", "ltr"), ("ja", "ltr"), ("pt", "ltr")];

fn in_language(language: &str) -> Vec<Tried> {
    let (pages, branding) = (pages(), branding());
    every_page(&pages, look(&pages, language, &branding), "Ada")
}

/// The start tags of a page's inputs that people fill in.
fn inputs(html: &str) -> impl Iterator<Item = &str> {
    let tags = html.split("<input ").skip(1).filter_map(|rest| rest.split('>').next());
    tags.filter(|tag| !tag.contains("type=\"hidden\"") && !tag.contains("offscreen"))
}

#[test]
fn every_page_says_its_language_and_direction() {
    let tags = DIRECTIONS.map(|(language, _)| language);
    assert_eq!(pages().locales(), tags);
    for (language, dir) in DIRECTIONS {
        for (template, html) in in_language(language) {
            let start = format!("<html lang=\"{language}\" dir=\"{dir}\">");
            assert!(html.contains(&start), "{template}: {html}");
        }
    }
}

#[test]
fn addresses_numbers_codes_and_passwords_are_typed_from_left_to_right() {
    let mut seen = 0;
    for (template, html) in in_language("ar") {
        for tag in inputs(&html) {
            let kinds = [
                "type=\"email\"",
                "type=\"tel\"",
                "type=\"password\"",
                "name=\"code\"",
                "name=\"user_code\"",
            ];
            if kinds.iter().any(|kind| tag.contains(kind)) {
                assert!(tag.contains(" dir=\"ltr\""), "{template}: {tag}");
                seen += 1;
            }
            if tag.contains("name=\"username\" type=\"text\"") {
                assert!(tag.contains(" dir=\"auto\""), "{template}: {tag}");
            }
        }
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn what_people_type_runs_in_a_direction_of_its_own_and_so_do_the_names_they_gave() {
    let mut seen = 0;
    for (template, html) in in_language("ar") {
        for tag in inputs(&html).filter(|tag| tag.contains("type=\"text\"")) {
            assert!(tag.contains(" dir=\""), "{template}: {tag}");
            seen += 1;
        }
        for heading in ["key-0", "app-0", "allowed-0", "delegation-0", "identity-0", "guarded-0"] {
            let start = format!("<h2 id=\"{heading}\">");
            let shown = html.split(&start).nth(1).is_none_or(|rest| rest.starts_with("<bdi>"));
            assert!(shown, "{template}: {html}");
        }
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn times_run_in_their_own_direction() {
    for (template, html) in in_language("ar") {
        assert!(!html.contains("<time datetime"), "{template}: {html}");
    }
}

#[test]
fn an_address_in_an_arabic_sentence_is_isolated_and_an_english_one_has_no_marks() {
    let (pages, branding, address) = (pages(), branding(), "ada@example.com");
    let page = RegisterSent { form: form("x"), email: address.into(), ..RegisterSent::default() };
    let html = |language| pages.render(&look(&pages, language, &branding), &page).unwrap();
    let isolated = format!("\u{2068}{address}\u{2069}");
    assert!(html("ar").contains(&isolated), "{}", html("ar"));
    assert!(html("en").contains(address) && !html("en").contains('\u{2068}'), "{}", html("en"));
}

#[test]
fn a_mail_in_arabic_runs_from_right_to_left_and_its_link_and_code_do_not() {
    let (pages, branding) = (pages(), branding());
    let (url, code) = ("https://acme.example/r?t=1", "493028");
    let sent = |topic, code| {
        let mail =
            Mail { topic, name: Some("Ada"), organization: None, url, code, time: Some(Seconds(1800)) };
        pages.mail(&pages.negotiate(Some("ar"), None), &branding, &mail).unwrap()
    };
    let reset = sent(Topic::ResetPassword, None);
    let isolate = "<span dir=\"ltr\" style=\"unicode-bidi:isolate";
    for wanted in
        ["<body class=\"ground\" lang=\"ar\" dir=\"rtl\"", "role=\"presentation\" dir=\"rtl\"", isolate]
    {
        assert!(reset.html.contains(wanted), "{wanted} in {}", reset.html);
    }
    assert!(reset.text.contains("\u{2068}Acme Bank\u{2069}") && reset.text.contains(url), "{}", reset.text);
    assert!(!reset.subject.contains(['\u{2068}', '\u{2069}']), "{}", reset.subject);
    let with_code = sent(Topic::SignInCode, Some(code));
    assert!(with_code.html.contains(&format!("{isolate}\">{code}</span>")), "{}", with_code.html);
}

#[test]
fn numbers_take_the_plural_forms_of_arabic() {
    let pages = pages();
    let arabic = pages.negotiate(Some("ar"), None);
    let said = |minutes: i64| {
        pages.duration(&arabic, Seconds(60 * minutes)).unwrap().replace(['\u{2068}', '\u{2069}'], "")
    };
    for (minutes, expected) in
        [(1, "دقيقة واحدة"), (2, "دقيقتين"), (5, "5 دقائق"), (15, "15 دقيقة"), (101, "101 دقيقة")]
    {
        assert_eq!(said(minutes), expected);
    }
}
