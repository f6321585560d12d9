//! The account centre and its twin: what the person accepted and when, and what they have answered.

use serde_json::{Value, json};
use svc_http::Method;

use super::{LONG_AGO, add_field, add_terms, begin, box_of, company, document, kept};
use crate::account::own;
use crate::harness::Harness;

#[tokio::test]
async fn the_account_centre_shows_what_was_accepted_and_takes_what_was_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    assert!(
        !browser.get("/account").await.expect(200).body.contains("/account/terms"),
        "nothing is asked for"
    );
    assert_eq!(browser.get("/account/terms").await.status, 404);
    let mut news = document("news", "1", LONG_AGO);
    news["required"] = json!(false);
    let news = add_terms(&site, news).await;
    let page = browser.get("/account/terms").await.expect(200);
    assert!(page.body.contains("id=\"terms-none\"") && page.body.contains(&box_of(&news)), "{page:?}");
    let nothing = browser.submit(&page, &[]).await.expect(200);
    assert!(nothing.body.contains("form-error"), "{nothing:?}");
    let done = browser.submit(&page, &[(&box_of(&news), "yes")]).await.expect(303);
    let page = browser.get(done.location()).await.expect(200);
    assert!(page.body.contains("id=\"accepted-0\"") && page.body.contains("The news policy"), "{page:?}");
    assert!(!page.body.contains("id=\"terms-submit\""), "{page:?}");
}

#[tokio::test]
async fn an_application_of_the_tenant_s_lists_and_accepts_for_its_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let terms = add_terms(&site, document("privacy", "1", LONG_AGO)).await;
    let future = add_terms(&site, document("privacy", "2", "2999-01-01T00:00:00Z")).await;
    let listed = own(&site, &ada, (Method::GET, "/terms?language=de"), None).await.expect(200).json();
    let current = &listed["current"][0];
    assert_eq!(
        [&current["terms_id"], &current["language"], &current["title"], &current["is_accepted"]],
        [&json!(terms), &json!("de"), &json!("Die Regeln privacy"), &json!(false)]
    );
    assert_eq!(
        (listed["accepted"].as_array().unwrap().len(), listed["current"].as_array().unwrap().len()),
        (0, 1)
    );
    let accept = |id: &str| Some(json!({ "terms_id": id, "language": "de" }));
    assert_eq!(own(&site, &ada, (Method::POST, "/terms"), accept(&future)).await.status, 404);
    for _ in 0..2 {
        let _ = own(&site, &ada, (Method::POST, "/terms"), accept(&terms)).await.expect(204);
    }
    let listed = own(&site, &ada, (Method::GET, "/terms"), None).await.expect(200).json();
    assert_eq!(
        (&listed["current"][0]["is_accepted"], &listed["accepted"][0]["at"]),
        (&json!(true), &json!("account"))
    );
    assert_eq!(listed["accepted"].as_array().unwrap().len(), 1);
    assert!(begin(&mut site.browser(), &web, &ada).await.0.is_signed_in());
    let data = own(&site, &ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!((&data["terms"][0]["label"], &data["terms"][0]["language"]), (&json!("1"), &json!("de")));
}

#[tokio::test]
async fn a_person_changes_the_answers_that_are_theirs_to_change() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let _ = add_field(&site, company(&[])).await;
    let fixed =
        [("name", json!("number")), ("editable", json!(false)), ("kept_in", json!("private_metadata"))];
    let _ = add_field(&site, company(&fixed)).await;
    let agreed = json!({ "name": "news", "type": "checkbox", "language": "en", "texts": { "en": { "label": "News" } } });
    let _ = add_field(&site, agreed).await;
    let mut browser = site.browser();
    let (page, _) = begin(&mut browser, &web, &ada).await;
    let entered = browser.submit(&page, &[("decision", "continue"), ("field_number", "4711")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let page = browser.get("/account/details").await.expect(200);
    assert!(page.body.contains("value=\"4711\"") && page.body.contains(" disabled"), "{page:?}");
    let refused = browser.submit(&page, &[("field_company", "a\u{202E}b")]).await.expect(200);
    assert!(
        refused.body.contains("field-company-fault") && refused.body.contains("value=\"4711\""),
        "{refused:?}"
    );
    let changes =
        [("field_company", "Acme"), ("field_number", "1"), ("field_news", "yes"), ("field_roles", "admin")];
    let done = browser.submit(&page, &changes).await.expect(303);
    assert!(browser.get(done.location()).await.expect(200).body.contains("value=\"Acme\""));
    let metadata = serde_json::to_value(kept(&site, &ada.email).await.unwrap().0).unwrap();
    let expected = json!({ "public": { "company": "Acme", "news": true }, "private": { "number": "4711" } });
    assert_eq!(metadata, expected);
}

#[tokio::test]
async fn a_page_from_before_a_field_came_takes_no_answer_to_it_away() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let _ = add_field(&site, company(&[])).await;
    let mut browser = site.browser();
    let (page, _) = begin(&mut browser, &web, &ada).await;
    let entered = browser.submit(&page, &[("decision", "continue")]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    let page = browser.get("/account/details").await.expect(200);
    let _ = add_field(&site, company(&[("name", json!("number"))])).await;
    let agreed = json!({ "name": "news", "type": "checkbox", "language": "en", "texts": { "en": { "label": "News" } } });
    let _ = add_field(&site, agreed).await;
    let answers = Some(json!({ "values": { "number": "4711", "news": true } }));
    let _ = own(&site, &ada, (Method::PUT, "/details"), answers).await.expect(200);
    let _ = browser.submit(&page, &[("field_company", "Acme")]).await.expect(303);
    let metadata = serde_json::to_value(kept(&site, &ada.email).await.unwrap().0).unwrap();
    assert_eq!(metadata["public"], json!({ "company": "Acme", "news": true, "number": "4711" }));
}

#[tokio::test]
async fn an_application_of_the_tenant_s_reads_and_changes_them_for_its_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let _ = add_field(&site, company(&[("required", json!(true))])).await;
    let _ = add_field(
        &site,
        company(&[("name", json!("number")), ("editable", json!(false)), ("order", json!(1))]),
    )
    .await;
    let put = |values: Value| own(&site, &ada, (Method::PUT, "/details"), Some(json!({ "values": values })));
    for (values, why) in [
        (json!({ "roles": ["admin"] }), "values.roles: this is not asked for"),
        (json!({ "number": "1" }), "values.number: an administrator alone changes this"),
        (json!({ "company": null }), "values.company: it is required"),
        (json!({ "company": ["Acme"] }), "values.company: use a value"),
        (json!({ "company": "x".repeat(21) }), "values.company: use at most 20 characters"),
    ] {
        let refused = put(values).await.expect(400).json();
        assert!(refused["detail"].as_str().unwrap().starts_with(why), "{refused}");
    }
    let changed = put(json!({ "company": "Acme" })).await.expect(200).json();
    assert_eq!(
        (&changed["fields"][0]["label"], &changed["fields"][0]["value"]),
        (&json!("Company"), &json!("Acme"))
    );
    let read = own(&site, &ada, (Method::GET, "/details?language=de"), None).await.expect(200).json();
    assert_eq!(read["fields"][0]["label"], "Firma");
    let data = own(&site, &ada, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(data["details"], json!({ "company": "Acme" }));
}
