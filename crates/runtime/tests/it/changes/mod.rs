//! A change leaves its audit entry and its event, and nothing that did not happen leaves any.

mod held;
mod quiet;
mod told;

use svc_core::Seconds;
use svc_db::{SystemSql, args};
use svc_domain::apps;
use svc_domain::keys::signing_keys::{Line, Rotation};
use svc_http::Method;
use svc_keys::Algorithm;

use crate::apply::apply_text;
use crate::backchannel_logout::endings::reset_password;
use crate::harness::Harness;

/// The actions of all audit entries and the types of all events, in order.
async fn records(h: &Harness) -> [Vec<String>; 2] {
    let mut tx = h.app().db.read_system().await.unwrap();
    let actions = SystemSql::new("SELECT action AS name FROM audit_log ORDER BY action");
    let events = SystemSql::new(
        "SELECT type AS name FROM (SELECT type FROM outbox UNION ALL SELECT type FROM events) recorded \
             WHERE type NOT LIKE 'signal%' ORDER BY type",
    );
    let mut all = [Vec::new(), Vec::new()];
    for (names, select) in all.iter_mut().zip([actions, events]) {
        let rows = tx.all(select, &[]).await.unwrap();
        names.extend(rows.iter().map(|row| row.text("name").unwrap()));
    }
    all
}

/// What something left in addition: actions, and types of events.
pub async fn left_by<T>(h: &Harness, happening: impl Future<Output = T>) -> [Vec<String>; 2] {
    let before = records(h).await;
    let _ = happening.await;
    let mut after = records(h).await;
    for (names, old) in after.iter_mut().zip(before) {
        for name in old {
            let at = names.iter().position(|present| *present == name).expect("records stay");
            names.remove(at);
        }
    }
    after
}

/// The tenants in whose logs an action stands, and those that the events of a type name, in order.
async fn tenants_of(h: &Harness, action: &str, event: &str) -> [Vec<String>; 2] {
    let mut tx = h.app().db.read_system().await.unwrap();
    let logs = SystemSql::new("SELECT tenant_id FROM audit_log WHERE action = $1 ORDER BY tenant_id");
    let logs = tx.all(logs, args![action]).await.unwrap();
    let events = SystemSql::new(
        "SELECT tenant_id, payload FROM (SELECT tenant_id, type, payload FROM outbox \
         UNION ALL SELECT tenant_id, type, payload FROM events) recorded WHERE type = $1 ORDER BY tenant_id",
    );
    let events = tx.all(events, args![event]).await.unwrap();
    let named = events.iter().map(|row| {
        let envelope: serde_json::Value = serde_json::from_str(&row.text("payload").unwrap()).unwrap();
        assert_eq!(envelope["tenant_id"], row.text("tenant_id").unwrap(), "an event of another tenant");
        assert_eq!(envelope["type"], event);
        row.text("tenant_id").unwrap()
    });
    [logs.iter().map(|row| row.text("tenant_id").unwrap()).collect(), named.collect()]
}

#[tokio::test]
async fn a_rotated_secret_leaves_one_entry_and_one_event() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let (path, token) = (format!("/api/v1/applications/{}/secret", app.id), site.mint(|_| ()));
    let left = left_by(&h, site.call(Method::POST, &path, Some(&token), None)).await;
    assert_eq!(left, [["application.secret_rotated"], ["admin.application.secret_rotated"]]);
    let former = format!("/api/v1/applications/{}/secrets/former", app.id);
    let [actions, events] = left_by(&h, site.call(Method::DELETE, &former, Some(&token), None)).await;
    assert_eq!((actions, events), (vec!["application.former_secret_ended".to_owned()], Vec::new()));
    let again = left_by(&h, site.call(Method::DELETE, &former, Some(&token), None)).await;
    assert!(again.iter().all(Vec::is_empty), "there is none to end: {again:?}");
}

#[tokio::test]
async fn a_new_password_and_a_proven_address_leave_one_entry_and_one_event_each() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut tx = h.app().db.begin_system().await.unwrap();
    tx.execute(SystemSql::new("UPDATE accounts SET email_verified = $1"), args![false]).await.unwrap();
    tx.commit().await.unwrap();
    let [actions, events] = left_by(&h, reset_password(&app, &ada)).await;
    assert_eq!(actions, ["account.email_verified", "password.reset", "password.reset_requested"]);
    assert_eq!(events, ["account.email_verified", "account.password_changed"]);
}

#[tokio::test]
async fn a_tenant_that_is_created_or_changed_leaves_one_entry_and_one_event_of_its_own() {
    let h = Harness::new().await;
    let _ = h.tenant("main").await;
    let tenant = "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n";
    let coloured = format!("{tenant}settings = {{ accent = \"#0f766e\" }}\n");
    let moved = format!("{coloured}custom_domain = \"id.acme.example\"\n");
    let [actions, events] = left_by(&h, apply_text(&h, tenant)).await;
    let from_the_start = "it has a management API and administrators from the start";
    assert_eq!(actions, ["api.created", "role.created", "tenant.created"], "{from_the_start}");
    assert_eq!(events, ["admin.api.created", "admin.role.created", "admin.tenant.created"]);
    // At another domain it has another issuer, and the same management API.
    for text in [&coloured, &moved] {
        let [actions, events] = left_by(&h, apply_text(&h, text)).await;
        assert_eq!(actions, ["tenant.updated"], "{text}");
        assert_eq!(events, ["admin.tenant.updated"], "{text}");
        let again = left_by(&h, apply_text(&h, text)).await;
        assert!(again.iter().all(Vec::is_empty), "what is so already is no change: {again:?}");
    }
    let [logs, named] = tenants_of(&h, "tenant.updated", "admin.tenant.updated").await;
    assert!(logs.len() == 2 && logs[0] == logs[1], "{logs:?}");
    assert_eq!(named, logs);
}

#[tokio::test]
async fn a_signing_key_leaves_one_entry_and_one_event_in_the_log_of_every_tenant() {
    let h = Harness::new().await;
    let (main, other) = (h.tenant("main").await, h.tenant("other").await);
    let mut tenants = [main.tenant.id.to_string(), other.tenant.id.to_string()];
    tenants.sort_unstable();
    let (app, cx) = (h.app(), h.operator());
    let rotation = Rotation { signs_from: cx.now + Seconds(5), withdraws: false };
    let line = Line { tenant: None, algorithm: Algorithm::Es256 };
    let replacing = app.services.keys.replace(&app.db, &cx, line, rotation);
    let left = left_by(&h, replacing).await;
    assert_eq!(left, [["signing_key.created"; 2], ["security.signing_key.created"; 2]]);
    h.advance(5);
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert_eq!(actions, [["signing_key.retired"; 2], ["signing_key.rotated"; 2]].concat());
    assert_eq!(events, [["security.signing_key.retired"; 2], ["security.signing_key.rotated"; 2]].concat());
    for action in ["created", "rotated", "retired"] {
        let (action, event) = (format!("signing_key.{action}"), format!("security.signing_key.{action}"));
        assert_eq!(tenants_of(&h, &action, &event).await, [tenants.clone(), tenants.clone()], "{action}");
    }
}

#[tokio::test]
async fn a_transaction_that_is_taken_back_leaves_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let id = app.id.parse().unwrap();
    let cx = h.operator();
    let changed = async || {
        let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
        apps::secrets::set(&mut tx, &cx, id, Some(svc_keys::digest("another"))).await.unwrap();
        tx
    };
    let rolled_back = left_by(&h, async { changed().await.rollback().await.unwrap() }).await;
    assert!(rolled_back.iter().all(Vec::is_empty), "{rolled_back:?}");
    let dropped = left_by(&h, async { drop(changed().await) }).await;
    assert!(dropped.iter().all(Vec::is_empty), "{dropped:?}");
    let committed = left_by(&h, async { changed().await.commit().await.unwrap() }).await;
    assert_eq!(committed, [["application.secret_rotated"], ["admin.application.secret_rotated"]]);
}
