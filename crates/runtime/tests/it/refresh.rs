//! Refresh tokens: rotation, reuse, narrowing, and what ends a family (RFC 6749 §6, RFC 9700 §4.14).

use svc_db::SystemSql;

use crate::harness::Harness;
use crate::harness::client::claims;
use crate::statements::statements;

#[tokio::test]
async fn a_refresh_token_is_rotated_and_yields_tokens_for_the_same_person() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    h.advance(600);
    let second = app.refresh(first.refresh_token()).await.expect(200).json();
    assert_ne!(second["refresh_token"], first.response["refresh_token"]);
    assert_eq!(second["scope"], first.response["scope"]);
    let access = claims(second["access_token"].as_str().unwrap());
    assert_eq!(access["sub"], ada.subject.as_str());
    let third = app.refresh(second["refresh_token"].as_str().unwrap()).await.expect(200).json();
    assert_ne!(third["refresh_token"], second["refresh_token"]);
}

#[tokio::test]
async fn a_replayed_refresh_token_revokes_the_family() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let second = app.refresh(first.refresh_token()).await.expect(200).json();
    h.advance(61);
    let _ = app.refresh(first.refresh_token()).await.expect_problem(400, "invalid_grant");
    let _ = app.refresh(second["refresh_token"].as_str().unwrap()).await.expect_problem(400, "invalid_grant");
    let userinfo = site.call(svc_http::Method::GET, "/userinfo", second["access_token"].as_str(), None).await;
    let _ = userinfo.expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_again_within_the_grace() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let once = app.refresh(first.refresh_token()).await.expect(200).json();
    h.advance(5);
    let again = app.refresh(first.refresh_token()).await.expect(200).json();
    assert_eq!(again["refresh_token"], once["refresh_token"]);
}

#[tokio::test]
async fn scopes_can_be_narrowed_and_never_widened() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let form = [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh_token())];
    let _ = app.token(&form, &[("scope", "openid address")]).await.expect_problem(400, "invalid_scope");
    let narrowed = app.token(&form, &[("scope", "openid email")]).await.expect(200).json();
    assert_eq!(narrowed["scope"], "email openid");
}

#[tokio::test]
async fn another_application_cannot_use_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other, ada) = (site.app("web").await, site.app("other").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let _ = other.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let _ = app.refresh(tokens.refresh_token()).await.expect(200);
}

#[tokio::test]
async fn without_offline_access_there_is_none() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code_with(&mut site.browser(), &ada, &[("scope", "openid")]).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    assert_eq!(tokens.get("refresh_token"), None, "{tokens}");
}

#[tokio::test]
async fn what_is_remembered_of_an_ended_family_changes_no_answer() {
    for enabled in ["true", "false"] {
        let h = Harness::with(&[("SVC_REFRESH_FAMILY_CACHE__ENABLED", enabled)]).await;
        let (site, other) = (h.tenant("main").await, h.tenant("other").await);
        let (web, spa, ada) = (site.app("web").await, site.public_app("spa").await, site.user("ada").await);
        let (first, going_on) = (spa.tokens(&ada).await, spa.tokens(&ada).await);
        let token = first.refresh_token();
        let second = spa.refresh(token).await.expect(200).json();
        h.advance(61);
        let foreign = other.public_app("spa").await;
        for presented in [token, second["refresh_token"].as_str().unwrap(), token, token] {
            let _ = spa.refresh(presented).await.expect_problem(400, "invalid_grant");
            let _ = foreign.refresh(presented).await.expect_problem(400, "invalid_grant");
            let form = [("grant_type", "refresh_token"), ("refresh_token", presented)];
            let _ = spa.token(&form, &[("scope", "more")]).await.expect_problem(400, "invalid_grant");
            let told = web.post("/oauth/introspect", &[("token", presented)], &[]).await.expect(200);
            assert_eq!(told.json(), serde_json::json!({ "active": false }));
            let _ = spa.post("/oauth/revoke", &[("token", presented)], &[]).await.expect(200);
        }
        let _ = spa.refresh(going_on.refresh_token()).await.expect(200);
    }
}

#[test]
fn no_statement_revives_a_family_that_has_ended() {
    let texts = statements().into_iter().map(|found| found.text);
    let writes: Vec<_> = texts.filter(|text| text.starts_with("UPDATE refresh_families SET state")).collect();
    assert!(writes.len() > 3, "{writes:?}");
    for text in writes {
        let ends =
            text.contains("SET state = 'revoked' WHERE tenant_id = $1") && text.ends_with("state = 'live'");
        assert!(ends || text.contains("SET state = state WHERE"), "{text}");
    }
}

#[tokio::test]
async fn the_end_of_a_family_is_believed_for_the_configured_time_and_then_asked_for_again() {
    let h = Harness::in_one_process(&[("SVC_REFRESH_FAMILY_CACHE__TTL_SECS", "20")]).await;
    let site = h.tenant("main").await;
    let (spa, ada) = (site.public_app("spa").await, site.user("ada").await);
    let tokens = spa.tokens(&ada).await;
    let _ = spa.post("/oauth/revoke", &[("token", tokens.refresh_token())], &[]).await.expect(200);
    let _ = spa.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    // No operation does this; a database that is put back to an earlier state does.
    let restore = SystemSql::new("UPDATE refresh_families SET state = 'live'");
    let mut tx = h.app().db.begin_system().await.unwrap();
    assert_eq!(tx.execute(restore, &[]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    h.advance(19);
    let _ = spa.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    h.advance(1);
    let _ = spa.refresh(tokens.refresh_token()).await.expect(200);
}
