//! A poll of what waits is answered from memory (RFC 8628 §3.5), and a decision ends that: at once on the node that took it, and
//! with the next look on others.

use svc_core::Seconds;

use super::{allow_device, ask, decide, enter, poll_ciba, poll_device, signed_in, start};
use crate::harness::{Client, Harness, Site};
use crate::statements::statements;

/// The same application at another node.
fn at<'h>(node: &'h Harness, client: &Client<'_>) -> Client<'h> {
    let Client { site, id, secret, configuration } = client.clone();
    Client { site: Site { harness: node, tenant: site.tenant, host: site.host }, id, secret, configuration }
}

async fn look(h: &Harness) {
    let (app, now) = (h.app(), h.operator().now);
    app.services.sync(&app.db, now - Seconds(1), now).await.unwrap();
}

#[tokio::test]
async fn what_waits_is_read_once_and_a_decision_is_heard_at_once_here_and_after_a_look_elsewhere() {
    for (decision, answer) in [("allow", (200, "")), ("deny", (400, "access_denied"))] {
        let h = Harness::in_one_process(&[]).await;
        let site = h.tenant("main").await;
        let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
        let started = start(&tv, "openid").await;
        let other = h.restarted().await;
        let there = at(&other, &tv);
        for client in [&tv, &there] {
            let _ =
                poll_device(client, &started.device_code).await.expect_problem(400, "authorization_pending");
        }
        h.advance(5);
        for client in [&tv, &there] {
            let before = client.site.harness.app().db.counts();
            let _ =
                poll_device(client, &started.device_code).await.expect_problem(400, "authorization_pending");
            assert_eq!(client.site.harness.app().db.counts(), before, "{decision}");
        }
        let mut browser = signed_in(&site, &ada).await;
        let page = enter(&mut browser, &started.user_code).await.expect(200);
        let _ = decide(&mut browser, &page, decision).await.expect(200);
        h.advance(5);
        let _ = poll_device(&there, &started.device_code).await.expect_problem(400, "authorization_pending");
        look(&other).await;
        let heard = poll_device(&there, &started.device_code).await;
        assert_eq!(heard.status, answer.0, "{decision}: {heard:?}");
        let here = poll_device(&tv, &started.device_code).await;
        let spent = if answer.0 == 200 { "invalid_grant" } else { answer.1 };
        let _ = here.expect_problem(400, spent);
    }
}

#[tokio::test]
async fn the_node_that_took_the_decision_answers_with_it_at_the_next_poll() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (tv, web, ada) = (site.public_app("tv").await, site.app("web").await, site.user("ada").await);
    let started = start(&tv, "openid").await;
    let auth_req_id = ask(&web, "ada", &[]).await;
    for _ in 0..2 {
        let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
        let _ = poll_ciba(&web, &auth_req_id).await.expect_problem(400, "authorization_pending");
        h.advance(5);
    }
    allow_device(&site, &ada, &started.user_code).await;
    let _ = poll_device(&tv, &started.device_code).await.expect(200);
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "deny").await;
    let _ = poll_ciba(&web, &auth_req_id).await.expect_problem(400, "access_denied");
}

#[tokio::test]
async fn memory_knows_one_application_and_one_kind_of_request() {
    let h = Harness::in_one_process(&[]).await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let (tv, radio, theirs) =
        (site.public_app("tv").await, site.public_app("radio").await, acme.public_app("tv").await);
    let web = site.app("web").await;
    let started = start(&tv, "openid").await;
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "authorization_pending");
    for client in [&radio, &theirs] {
        let _ = poll_device(client, &started.device_code).await.expect_problem(400, "invalid_grant");
    }
    let _ = poll_ciba(&web, &started.device_code).await.expect_problem(400, "invalid_grant");
    h.advance(600);
    let _ = poll_device(&tv, &started.device_code).await.expect_problem(400, "expired_token");
}

/// What a node keeps of such requests rests on this: whatever can change one that waits names its row, and a decision has its time.
#[test]
fn only_statements_that_name_their_row_change_a_request_that_waits() {
    const TABLES: [&str; 2] = ["device_codes", "ciba_requests"];
    let mut deciding = 0;
    for statement in statements() {
        let (file, text) = (&statement.file, statement.text.as_str());
        let starts = |verb: &str| TABLES.iter().any(|table| text.starts_with(&format!("{verb} {table} ")));
        if !starts("UPDATE") && !starts("DELETE FROM") {
            continue;
        }
        let of_others = ["state = 'approved'", "state = 'spent'"]
            .iter()
            .any(|state| text.rsplit_once(" WHERE ").is_some_and(|(_, condition)| condition.contains(state)));
        let is_expiry = text.contains(" WHERE expires_at <= $1");
        let says_who_or_where = ["SET tenant_user_id = $3 WHERE", "SET session_id = $3 WHERE"];
        let is_harmless = says_who_or_where.iter().any(|set| text.contains(set));
        let names_its_row = text.contains(" WHERE tenant_id = $1 AND id = $2");
        assert!(of_others || is_expiry || is_harmless || names_its_row, "{file}: {text}");
        if text.contains("SET state = $") {
            assert!(names_its_row && text.contains("decided_at = "), "{file}: {text}");
            deciding += 1;
        }
    }
    assert_eq!(deciding, TABLES.len());
}
