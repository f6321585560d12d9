//! Languages come from a short list, whatever a request says (N89).

use super::errands::asked;
use super::{request, world};
use crate::harness::{Answer, Harness};

const HOSTILE: [&str; 12] = [
    "../../etc/passwd",
    "{{7*7}}",
    "{% include 'x' %}",
    "<script>alert(1)</script>",
    "\" onload=\"x",
    "en-x-{{7*7}}",
    "zz-ZZ",
    "..",
    "%2e%2e%2f",
    "x-klingon",
    "en_US.UTF-8",
    "i-default",
];

fn language(page: &Answer) -> &str {
    page.body.split("<html lang=\"").nth(1).unwrap().split('"').next().unwrap()
}

#[tokio::test]
async fn a_language_that_is_not_offered_is_the_default_and_inert() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for hostile in HOSTILE {
        let mut browser = home.site.browser();
        let page = asked(&home, &mut browser, &[("ui_locales", hostile)]).await.expect(200);
        assert_eq!(language(&page), "en", "{hostile}");
        for trace in ["49", "root:", "<script>alert", "onload=", "klingon", hostile] {
            let is_fresh = trace == "49"; // may occur in a seal
            assert!(is_fresh || trace == ".." || !page.body.contains(trace), "{hostile}: {trace}");
        }
        let _ = browser.get(&page.link("forgot-link")).await.expect(200);
        let answer = h
            .send(request(&home.site, "GET", "/auth/forgot", &[("accept-language", hostile)]))
            .await
            .expect(200);
        assert_eq!(language(&answer), "en", "{hostile}");
    }
}

#[tokio::test]
async fn the_first_offered_language_wins_and_very_long_wishes_are_not_read() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let long = "zz ".repeat(2000) + "de";
    for (wanted, expected) in
        [("de", "de"), ("zz fr de", "fr"), ("DE-at", "de"), (long.as_str(), "en"), ("", "en")]
    {
        let page = asked(&home, &mut home.site.browser(), &[("ui_locales", wanted)]).await;
        assert_eq!(language(&page), expected, "{wanted:.20}");
    }
}

/// Every language that is offered unless the configuration says otherwise, and what it calls itself.
const OFFERED: [(&str, &str); 7] = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("pt", "Português"),
    ("ja", "日本語"),
    ("ar", "العربية"),
];

#[tokio::test]
async fn every_language_on_offer_is_had_by_application_browser_and_person() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (tag, name) in OFFERED {
        let dir = if tag == "ar" { "rtl" } else { "ltr" };
        let start = format!("<html lang=\"{tag}\" dir=\"{dir}\">");
        let region = format!("{tag}-001");
        let asked = asked(&home, &mut home.site.browser(), &[("ui_locales", &region)]).await.expect(200);
        assert!(asked.body.contains(&start), "{tag}: {}", asked.body);
        let wish = format!("tlh, {region};q=0.9, en;q=0.1");
        let accepted = request(&home.site, "GET", "/auth/forgot", &[("accept-language", &wish)]);
        assert!(h.send(accepted).await.expect(200).body.contains(&start), "{wish}");
        let chosen = h.send(request(&home.site, "GET", &format!("/auth/forgot?lang={tag}"), &[])).await;
        assert_eq!(language(&chosen), tag);
        for (other, own_name) in OFFERED {
            let button = format!("value=\"{other}\" lang=\"{other}\"");
            assert!(chosen.body.contains(&button) && chosen.body.contains(own_name), "{other} in {name}");
        }
    }
}

#[tokio::test]
async fn many_languages_do_not_grow_anything() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..500_u32 {
        let tag = format!("{}-x{number}", ["de", "en", "fr", "es", "qq"][number as usize % 5]);
        let answer = h
            .send(request(&home.site, "GET", "/auth/forgot", &[("accept-language", &tag)]))
            .await
            .expect(200);
        seen.insert(language(&answer).to_owned());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["de", "en", "es", "fr"]);
}

#[tokio::test]
async fn a_deployment_offers_its_own_languages_and_one_of_them_to_everyone_else() {
    let settings = [("SVC_I18N__SUPPORTED", r#"["fr", "de"]"#), ("SVC_I18N__DEFAULT_LOCALE", "fr")];
    let h = Harness::with(&settings).await;
    let home = world(&h, "main").await;
    for (wanted, expected) in [("de", "de"), ("en", "fr"), ("ja", "fr"), ("", "fr")] {
        let page = asked(&home, &mut home.site.browser(), &[("ui_locales", wanted)]).await.expect(200);
        assert_eq!(language(&page), expected, "{wanted}");
    }
    let page = h.send(request(&home.site, "GET", "/auth/forgot", &[])).await.expect(200);
    for (tag, _) in OFFERED {
        let button = format!("value=\"{tag}\" lang=\"{tag}\"");
        assert_eq!(page.body.contains(&button), ["fr", "de"].contains(&tag), "{tag}: {page:?}");
    }
}
