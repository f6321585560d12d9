//! The clock is in a year whose seconds take more than 32 bits, or is put back by a day: everything works, and nothing that was used or
//! revoked is worth something again (F10).

use serde_json::json;
use svc_http::Method;

use crate::harness::client::claims;
use crate::harness::{Client, Harness, Site};

const DAY: i64 = 86_400;
/// 2038-01-20 and 2106-03-01: past 32 bits with a sign, and without.
const LATER: [i64; 2] = [2_147_558_400, 4_296_844_800];

fn at<'h>(app: &Client<'h>, harness: &'h Harness) -> Client<'h> {
    Client { site: Site { harness, ..app.site.clone() }, ..app.clone() }
}

#[tokio::test]
async fn people_and_applications_get_on_after_32_bits_of_seconds() {
    for time in LATER {
        let h = Harness::new().await;
        let site = h.tenant("main").await;
        let (app, ada) = (site.app("web").await, site.user("ada").await);
        h.jump(time - h.operator().now.as_secs());
        h.run_jobs().await;
        let restarted = h.restarted().await;
        for harness in [&h, &restarted] {
            let app = at(&app, harness);
            let mut browser = app.site.browser();
            let code = app.code_in(&mut browser, &ada).await;
            let again = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(303);
            assert!(again.redirect_param("code").is_some(), "the session goes on: {again:?}");
            let tokens = app.exchange(&code).await.expect(200).json();
            let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
            let (access, refresh) = (text("access_token"), text("refresh_token"));
            assert_eq!(claims(&text("id_token"))["auth_time"], time);
            let told = claims(&access);
            assert_eq!((&told["iat"], told["exp"].as_i64() > Some(time)), (&json!(time), true), "{told}");
            let state = async |token: &str| {
                app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json()
            };
            let introspected = state(&access).await;
            assert_eq!((&introspected["active"], &introspected["exp"]), (&json!(true), &told["exp"]));
            assert!(state(&refresh).await["exp"].as_i64() > told["exp"].as_i64());
            let _ = app.refresh(&refresh).await.expect(200);
            let _ = app.site.call(Method::GET, "/userinfo", Some(&access), None).await.expect(200);
        }
    }
}

#[tokio::test]
async fn a_clock_that_is_put_back_by_a_day_and_set_right_makes_nothing_new() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    h.jump(2 * DAY);
    let used = app.code(&ada).await;
    let _ = app.exchange(&used).await.expect(200);
    let (rotated, single, family) = (app.tokens(&ada).await, app.tokens(&ada).await, app.tokens(&ada).await);
    let successor = app.refresh(rotated.refresh_token()).await.expect(200).json();
    for token in [single.access_token(), family.refresh_token()] {
        let _ = app.post("/oauth/revoke", &[("token", token)], &[]).await.expect(200);
    }
    for step in [-DAY, DAY] {
        h.jump(step);
        h.run_jobs().await;
        let restarted = h.restarted().await;
        for harness in [&h, &restarted] {
            let app = at(&app, harness);
            let _ = app.exchange(&used).await.expect_problem(400, "invalid_grant");
            // The first of these is a replay, though the clock says that it comes before the rotation, and ends the family.
            let successor = successor["refresh_token"].as_str().unwrap();
            for token in [rotated.refresh_token(), successor, family.refresh_token()] {
                let _ = app.refresh(token).await.expect_problem(400, "invalid_grant");
            }
            for token in [single.access_token(), family.access_token()] {
                let told = app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
                assert_eq!(told, json!({ "active": false }));
            }
            let new = app.tokens(&ada).await;
            let _ = app.site.call(Method::GET, "/userinfo", Some(new.access_token()), None).await.expect(200);
            let _ = app.refresh(new.refresh_token()).await.expect(200);
        }
    }
}
