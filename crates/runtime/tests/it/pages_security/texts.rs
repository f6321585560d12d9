//! Names that strangers choose stay text in pages and mails (N90).

use super::{NEW_PASSWORD, world};
use crate::harness::Harness;

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "Click https://evil.example/now",
    "www.evil.example",
    "{{7*7}} ${7*7} <%= 7*7 %>",
    "\u{202e}moc.live\u{202c}",
];

#[tokio::test]
async fn a_hostile_name_is_neither_markup_nor_a_link_in_the_mail_that_it_causes() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (number, name) in HOSTILE.into_iter().enumerate() {
        let mut browser = home.site.browser();
        let email = format!("eve{number}@new.example");
        let _ = home.register(&mut browser, &email).await.expect(200);
        let page = browser.get(&home.mailed().await).await.expect(200);
        let answer = browser.submit(&page, &[("name", name), ("password", NEW_PASSWORD)]).await;
        assert!(answer.redirect_param("code").is_some(), "{name}: {answer:?}");
        let form = browser.get("/auth/forgot").await.expect(200);
        let _ = browser.submit(&form, &[("username", &email)]).await.expect(200);
        let mail = h.mails().await.into_iter().next().unwrap();
        assert!(mail.links.iter().all(|link| link.starts_with("https://id.test/")), "{mail:?}");
        for trace in ["<script>alert", "<img", "https://evil", "www.evil", "\u{202e}"] {
            assert!(!mail.html.contains(trace) && !mail.text.contains(trace), "{name}: {mail:?}");
        }
        assert!(
            !mail.subject.contains(['\r', '\n']) && !mail.html.contains("href=\"https://evil"),
            "{mail:?}"
        );
        h.advance(3600);
    }
}

#[tokio::test]
async fn names_with_line_breaks_start_no_mail() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let _ = home.register(&mut browser, "eve@new.example").await.expect(200);
    let page = browser.get(&home.mailed().await).await.expect(200);
    for name in ["Eve\r\nBcc: all@evil.example", "Eve\nSubject: x", "Eve\u{7}", "Eve\u{85}x"] {
        let answer = browser.submit(&page, &[("name", name), ("password", NEW_PASSWORD)]).await.expect(200);
        assert!(answer.body.contains("role=\"alert\""), "{name:?}: {answer:?}");
    }
    for email in [
        "eve@new.example\r\nBcc: all@evil.example",
        "eve@new.example,all@evil.example",
        "<eve@new.example>",
        "eve@new.example\n",
    ] {
        let mut browser = home.site.browser();
        let answer = home.register(&mut browser, email).await.expect(200);
        // Spaces around an address are a slip of the keyboard.
        assert!(
            email.trim() == "eve@new.example" || answer.body.contains("role=\"alert\""),
            "{email:?}: {answer:?}"
        );
    }
    assert!(h.mails().await.iter().all(|mail| mail.to == "eve@new.example"));
}

#[tokio::test]
async fn what_is_typed_comes_back_escaped() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for hostile in HOSTILE {
        let answer = home.guess(hostile, "wrong password").await.expect(200);
        assert!(!answer.body.contains("<script>alert") && !answer.body.contains("<img"), "{answer:?}");
        assert!(!answer.body.contains("49 "), "{answer:?}");
        let hinted = super::errands::asked(&home, &mut home.site.browser(), &[("login_hint", hostile)])
            .await
            .expect(200);
        assert!(!hinted.body.contains("<script>alert") && !hinted.body.contains("<img"), "{hinted:?}");
    }
}

#[tokio::test]
async fn an_applications_name_is_text_on_every_page_that_shows_it() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    for (number, name) in HOSTILE.into_iter().enumerate() {
        let app = home
            .site
            .app_with(&format!("hostile{number}"), |configuration| {
                configuration.first_party = false;
                configuration.name = name.to_owned();
            })
            .await;
        let mut browser = home.site.browser();
        let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
        let fields = [("username", "ada"), ("password", home.ada.password.as_str())];
        let consent = browser.submit(&page, &fields).await.expect(200);
        for page in [page, consent] {
            assert!(!page.body.contains("<script>alert") && !page.body.contains("<img"), "{page:?}");
        }
    }
}
