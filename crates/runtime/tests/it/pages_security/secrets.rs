//! Secrets go where they must and nowhere else: not into logs, audit, events, metrics, or mails but the one (N26).

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use svc_db::SystemSql;
use svc_http::{Body, Method, Request};
use tracing_subscriber::fmt::MakeWriter;

use super::{NEW_PASSWORD, world};
use crate::harness::Harness;
use crate::harness::browser::Form;

#[derive(Clone, Default)]
struct Everything(Arc<Mutex<Vec<u8>>>);

impl Write for Everything {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Everything {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// Every text that tables outside the vault of digests hold; sent mails have lost their bodies.
async fn stored(h: &Harness) -> String {
    let mut text = String::new();
    let mut tx = h.app().db.read_system().await.unwrap();
    for (table, columns) in [
        ("audit_log", &["actor_id", "action", "target", "request_id", "client_ip", "detail"][..]),
        ("outbox", &["type", "payload"]),
        ("events", &["type", "payload"]),
        ("deliveries", &["queue", "receiver", "topic", "payload"]),
        ("sessions", &["amr", "user_agent", "client_ip"]),
        ("idempotency_keys", &["caller", "route"]),
        ("links", &["payload"]),
        ("coordination_entries", &["key"]),
    ] {
        let list = columns.join(" || ' ' || ");
        let select = Box::leak(format!("SELECT {list} AS line FROM {table}").into_boxed_str());
        for row in tx.all(SystemSql::new(select), &[]).await.unwrap() {
            text.push_str(&format!("{table}: {}\n", row.text("line").unwrap()));
        }
    }
    tx.commit().await.unwrap();
    text
}

/// The metrics, as the scraper with the static token reads them.
async fn scraped(h: &Harness, host: &str) -> String {
    let scrape =
        Request::get("/metrics").header("host", host).header("authorization", "Bearer canary-metrics-token");
    h.send(scrape.body(Body::empty()).unwrap()).await.expect(200).body
}

#[tokio::test]
async fn no_secret_of_a_whole_day_is_left_in_logs_records_or_metrics() {
    let h = Harness::with(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "canary-metrics-token")]).await;
    let everything = Everything::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(everything.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let home = world(&h, "main").await;
    let mut secrets =
        vec![home.ada.password.clone(), NEW_PASSWORD.to_owned(), "canary-metrics-token".to_owned()];
    secrets.extend(home.first.secret.clone());

    // Sign-in, tokens and everything that is done with them.
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    secrets.push(Form::of(&page).hidden[0].1.clone());
    let code = home.first.code_in(&mut browser, &home.ada).await;
    let tokens = home.first.exchange(&code).await.expect(200).json();
    let _ = home.first.exchange(&code).await.expect(400);
    let fresh = home.first.tokens(&home.ada).await;
    let refreshed = home.first.refresh(fresh.refresh_token()).await.expect(200).json();
    for token in [
        &tokens["access_token"],
        &tokens["refresh_token"],
        &tokens["id_token"],
        &refreshed["access_token"],
        &refreshed["refresh_token"],
    ] {
        secrets.push(token.as_str().unwrap().to_owned());
    }
    secrets.extend([code.code, code.verifier, fresh.refresh_token().to_owned()]);
    secrets.extend(browser.cookies.values().cloned());
    for path in ["/oauth/introspect", "/oauth/revoke"] {
        let _ = home.first.post(path, &[("token", fresh.access_token())], &[]).await.expect(200);
    }
    let _ = home.site.call(Method::GET, "/userinfo", Some("canary-of-a-wrong-token"), None).await.expect(401);
    let _ = home
        .first
        .token(&[("grant_type", "refresh_token"), ("refresh_token", "canary-of-a-wrong-refresh-token")], &[])
        .await
        .expect(400);
    let _ = home.guess("ada", "canary-of-a-wrong-password").await.expect(200);
    let _ = home.guess("canary-typed-into-the-wrong-field", "x").await.expect(200);
    secrets.extend(
        [
            "canary-of-a-wrong-token",
            "canary-of-a-wrong-refresh-token",
            "canary-of-a-wrong-password",
            "canary-typed-into-the-wrong-field",
        ]
        .map(str::to_owned),
    );

    // Mailed links: each secret is in its own mail, and nowhere once that is sent.
    let mut mailed = Vec::new();
    let mut browser = home.site.browser();
    let _ = home.register(&mut browser, "eve@new.example").await.expect(200);
    mailed.push(home.mailed().await);
    secrets.extend(browser.cookies.values().cloned());
    let mut browser = home.site.browser();
    let _ = home.forgot(&mut browser, "ada").await.expect(200);
    mailed.push(home.mailed().await);
    for path in &mailed {
        let page = browser.get(path).await.expect(200);
        secrets.push(Form::of(&page).hidden[0].1.clone());
        assert!(
            [200, 303].contains(
                &browser.submit(&page, &[("name", "Eve"), ("password", NEW_PASSWORD)]).await.status
            )
        );
    }
    let links: Vec<String> =
        mailed.iter().map(|path| path.split("token=").nth(1).unwrap().to_owned()).collect();

    // A secret of an application that the API makes, and its replay.
    let token = home.site.mint(|_| ());
    let rotate = format!("/api/v1/applications/{}/secret", home.third.id);
    let rotated = home.site.call(Method::POST, &rotate, Some(&token), None).await.expect(200).json();
    secrets.push(rotated["client_secret"].as_str().unwrap().to_owned());
    secrets.push(token);
    h.run_jobs().await;

    let metrics = scraped(&h, &home.site.host).await;
    let logs = String::from_utf8_lossy(&everything.0.lock().unwrap().clone()).into_owned();
    let stored = stored(&h).await;
    assert!(
        logs.len() > 1000 && stored.len() > 1000 && metrics.len() > 1000,
        "there is something to look at"
    );
    for secret in secrets.iter().chain(&links) {
        assert!(secret.len() > 8, "{secret}");
        for (place, text) in [("logs", &logs), ("records", &stored), ("metrics", &metrics)] {
            let line = text.lines().find(|line| line.contains(secret.as_str()));
            assert!(line.is_none(), "{secret} in the {place}: {line:?}");
        }
    }
    for link in &links {
        let holders = h.mails().await.into_iter().filter(|mail| mail.text.contains(link.as_str())).count();
        assert_eq!(holders, 1, "a link is in one mail");
    }
    for unseen in [home.site.tenant.id.to_string(), home.first.id.clone(), home.ada.subject.clone()] {
        assert!(!metrics.contains(&unseen), "{unseen} in the metrics");
    }
    // The slug is short enough to be a part of other words.
    let mut words = metrics.split(|letter: char| !letter.is_alphanumeric());
    assert!(words.all(|word| word != "main"), "the slug in the metrics");
}
