//! The history: what is in it, who sees it, and when it goes.

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_http::Method;

use super::{FIREFOX, HOME, RATED, World, signals};
use crate::harness::Harness;

async fn rows(h: &Harness) -> i64 {
    let select = SystemSql::new("SELECT count(*) AS n FROM login_history");
    h.app().db.read_system().await.unwrap().one(select, args![]).await.unwrap().int("n").unwrap()
}

#[tokio::test]
async fn every_sign_in_and_every_wrong_guess_is_in_the_history_of_the_person() {
    let h = Harness::with(&RATED[..1]).await;
    let world = World::new(&h).await;
    let mut browser = world.site.browser();
    let refused = world.attempt(&mut browser, HOME, "wrong").await.expect(200);
    assert!(refused.body.contains("not right"), "{refused:?}");
    h.advance(60);
    let _ = world.enter(&mut browser, HOME).await.expect(303);
    let history = world.history().await;
    let [entered, failed] = history.as_slice() else { panic!("{history:?}") };
    assert_eq!(
        json!([entered["outcome"], entered["amr"], entered["network"], entered["browser"], entered["os"]]),
        json!(["success", ["pwd"], "203.0.113.0/24", "Firefox", "Linux"])
    );
    assert_eq!(
        json!([entered["is_known_device"], entered["score"], entered["reasons"]]),
        json!([false, null, []])
    );
    assert_eq!(json!([failed["outcome"], failed["session_id"]]), json!(["failure", null]));
    assert!(!entered.to_string().contains(HOME) && !entered.to_string().contains(FIREFOX), "{entered}");
    let sessions = world.own((Method::GET, "/sessions"), None).await.expect(200).json();
    assert_eq!(entered["session_id"], sessions["data"][0]["id"]);
    let data = world.own((Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(data["login_history"], json!(history));
}

#[tokio::test]
async fn a_page_of_the_account_centre_shows_it_with_reasons() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let mut browser = world.site.browser();
    let _ = world.enter(&mut browser, HOME).await.expect(303);
    let page = browser.get("/account/login-history").await.expect(200);
    for text in ["Firefox · Linux", "203.0.113.0/24", "with a password", "not signed in with this browser"] {
        assert!(page.body.contains(text), "{text} in {page:?}");
    }
    let stranger = world.site.browser().get("/account/login-history").await.expect(200);
    assert!(stranger.body.contains("login-submit"), "{stranger:?}");
}

#[tokio::test]
async fn administrators_see_the_history_of_a_person_with_sentences() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let _ = world.enter(&mut world.site.browser(), HOME).await.expect(303);
    let bob = world.site.user("bob").await;
    let path = |id: &str| format!("/api/v1/tenant-users/{id}/login-history");
    let reader = world.site.mint(|claims| claims["scope"] = json!("tenant-users:read"));
    let get = async |path: &str, token: &str| world.site.call(Method::GET, path, Some(token), None).await;
    let of_ada = path(&world.ada.id.to_string());
    let listed = get(&of_ada, &reader).await.expect(200).json();
    assert_eq!(listed["data"], json!(world.history().await));
    assert_eq!(
        listed["data"][0]["reasons"],
        json!([{ "signal": "new_device", "points": 30,
            "about": "The person had not signed in with this browser before." }])
    );
    let page = get(&format!("{of_ada}?limit=1"), &reader).await.expect(200).json();
    let next = format!("{of_ada}?limit=1&cursor={}", page["next_cursor"].as_str().unwrap());
    let page = get(&next, &reader).await.expect(200).json();
    assert_eq!([&page["data"][0]["score"], &page["next_cursor"]], [&json!(0), &json!(null)]);
    let listed = get(&path(&bob.id.to_string()), &reader).await.expect(200).json();
    assert_eq!(listed["data"], json!([]));
    let other = world.site.mint(|claims| claims["scope"] = json!("sessions:read"));
    let _ = get(&of_ada, &other).await.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn a_guess_at_an_unknown_name_leaves_nothing_and_one_at_a_locked_account_no_more() {
    let h = Harness::with(&[RATED[0], ("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3")]).await;
    let mut world = World::new(&h).await;
    for _ in 0..6 {
        let _ = world.attempt(&mut world.site.browser(), HOME, "wrong").await;
    }
    assert_eq!(rows(&h).await, 3);
    world.ada.username = "nobody".to_owned();
    let _ = world.attempt(&mut world.site.browser(), HOME, "wrong").await.expect(200);
    assert_eq!(rows(&h).await, 3);
}

#[tokio::test]
async fn the_history_goes_after_three_months_and_with_its_person() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    h.advance(60 * 86_400);
    let _ = world.at_home(1).await;
    assert_eq!(rows(&h).await, 2);
    h.advance(31 * 86_400);
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(rows(&h).await, 1);
    let _ = world.own((Method::POST, "/deletion"), None).await.expect(200);
    h.advance(14 * 86_400 + 120);
    h.run_jobs().await;
    h.run_jobs().await;
    assert_eq!(rows(&h).await, 0);
}

#[tokio::test]
async fn a_usual_sign_in_has_no_points_and_notifies_no_one() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(3).await;
    let history = world.history().await;
    assert_eq!(history.len(), 3);
    for login in &history {
        assert_eq!(json!([login["score"], signals(login)]), json!([0, []]), "{login}");
    }
    assert!(history[0]["is_known_device"] == true && h.mails().await.is_empty());
    assert!(world.recorded("sign_in.unusual").await.is_empty());
}
