//! A rotated refresh token that comes back: a lost answer, or a theft that ends the family (N27, N28).

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::json;
use svc_http::Method;

use super::{events, refusals, userinfo};
use crate::harness::client::Tokens;
use crate::harness::{Client, Harness, Site};

const REUSE: &str = "security.refresh_token.reuse";

/// Presents a rotated token again and finds that nothing of its family works any more, now or later.
async fn replay_ends_everything(h: &Harness, app: &Client<'_>, replayed: &str, members: &[&Tokens]) {
    let before = (events(h, REUSE).await, refusals(h, "refresh_token.reused").await);
    let _ = app.refresh(replayed).await.expect_problem(400, "invalid_grant");
    let after = (events(h, REUSE).await, refusals(h, "refresh_token.reused").await);
    assert_eq!(after, (before.0 + 1, before.1 + 1));
    for seconds in [0, 30, 600] {
        h.advance(seconds);
        for member in members {
            let _ = app.refresh(member.refresh_token()).await.expect_problem(400, "invalid_grant");
            let _ = userinfo(&app.site, member.access_token()).await.expect_problem(401, "invalid_token");
        }
    }
    assert_eq!(events(h, REUSE).await, after.0, "what is over is not reported again");
}

async fn refreshed(app: &Client<'_>, tokens: &Tokens) -> Tokens {
    Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() }
}

#[tokio::test]
async fn the_event_of_a_replay_says_at_which_application_and_for_whom() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let _ = refreshed(&app, &first).await;
    h.advance(60);
    let _ = app.refresh(first.refresh_token()).await.expect_problem(400, "invalid_grant");
    h.run_jobs().await;
    let path = format!("/api/v1/events?type={REUSE}");
    let found = site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).json();
    let told = &found["data"][0]["data"];
    assert_eq!((&told["client_id"], &told["tenant_user_id"]), (&json!(app.id), &json!(ada.id)), "{found}");
}

#[tokio::test]
async fn a_replay_after_the_grace_ends_the_family() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for app in [site.app("web").await, site.public_app("spa").await] {
        for seconds in [10, 11, 60, 800] {
            let first = app.tokens(&ada).await;
            let second = refreshed(&app, &first).await;
            h.advance(seconds);
            replay_ends_everything(&h, &app, first.refresh_token(), &[&first, &second]).await;
        }
    }
}

#[tokio::test]
async fn a_replay_in_the_same_second_ends_the_family_once_the_successor_was_used() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let second = refreshed(&app, &first).await;
    let third = refreshed(&app, &second).await;
    replay_ends_everything(&h, &app, first.refresh_token(), &[&first, &second, &third]).await;
}

#[tokio::test]
async fn a_replay_with_another_wish_is_no_lost_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    for changes in [
        [("scope", "openid")],
        [("scope", "openid offline_access address")],
        [("scope", "a\"b")],
        [("resource", "https://unknown.example")],
    ] {
        let first = app.tokens(&ada).await;
        let second = refreshed(&app, &first).await;
        let form = [("grant_type", "refresh_token"), ("refresh_token", first.refresh_token())];
        let _ = app.token(&form, &changes).await.expect_problem(400, "invalid_grant");
        let _ = app.refresh(second.refresh_token()).await.expect_problem(400, "invalid_grant");
        let _ = userinfo(&site, second.access_token()).await.expect_problem(401, "invalid_token");
    }
    assert_eq!(events(&h, REUSE).await, 4);
}

#[tokio::test]
async fn without_grace_every_replay_ends_the_family() {
    let h = Harness::with(&[("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "0")]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let second = refreshed(&app, &first).await;
    replay_ends_everything(&h, &app, first.refresh_token(), &[&first, &second]).await;
}

#[tokio::test]
async fn a_clock_that_jumps_either_way_does_not_widen_the_grace() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    for jump in [-3600, -10, 3600] {
        let first = app.tokens(&ada).await;
        let second = refreshed(&app, &first).await;
        h.advance(jump);
        let _ = app.refresh(first.refresh_token()).await.expect_problem(400, "invalid_grant");
        let _ = app.refresh(second.refresh_token()).await.expect_problem(400, "invalid_grant");
        h.advance(3600);
    }
    assert_eq!(events(&h, REUSE).await, 3);
}

#[tokio::test]
async fn a_restart_and_another_node_remember_what_was_spent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let second = refreshed(&app, &first).await;
    let third = refreshed(&app, &second).await;
    let other = h.restarted().await;
    let there = Client { site: Site { harness: &other, ..site.clone() }, ..app.clone() };
    replay_ends_everything(&other, &there, first.refresh_token(), &[&first, &second, &third]).await;
    // The first node learns of it within its next look.
    h.run_jobs().await;
    for member in [&second, &third] {
        let _ = app.refresh(member.refresh_token()).await.expect_problem(400, "invalid_grant");
        let _ = userinfo(&site, member.access_token()).await.expect_problem(401, "invalid_token");
    }
    // A family that died before a restart stays dead after it.
    let again = h.restarted().await;
    let there = Client { site: Site { harness: &again, ..site.clone() }, ..app.clone() };
    let _ = there.refresh(third.refresh_token()).await.expect_problem(400, "invalid_grant");
    let _ = userinfo(&there.site, third.access_token()).await.expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn of_a_hundred_at_once_one_rotates_and_all_get_its_successor() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for app in [site.app("web").await, site.public_app("spa").await] {
        let first = app.tokens(&ada).await;
        let answers = join_all((0..100).map(|_| app.refresh(first.refresh_token()))).await;
        let successors: BTreeSet<String> = answers
            .into_iter()
            .map(|answer| Tokens { response: answer.expect(200).json() }.refresh_token().to_owned())
            .collect();
        assert_eq!(successors.len(), 1, "one live leaf");
        let successor = successors.first().unwrap();
        let second = Tokens { response: app.refresh(successor).await.expect(200).json() };
        // The leaf has been used: the first token is now a replay.
        replay_ends_everything(&h, &app, first.refresh_token(), &[&second]).await;
    }
}

#[tokio::test]
async fn without_grace_of_a_hundred_at_once_one_wins_and_the_family_ends() {
    let h = Harness::with(&[("SVC_JWT__REFRESH_REUSE_GRACE_SECS", "0")]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let first = app.tokens(&ada).await;
    let answers = join_all((0..100).map(|_| app.refresh(first.refresh_token()))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 99));
    for answer in lost {
        let _ = answer.expect_problem(400, "invalid_grant");
    }
    let second = Tokens { response: won[0].json() };
    let _ = app.refresh(second.refresh_token()).await.expect_problem(400, "invalid_grant");
    let _ = userinfo(&site, second.access_token()).await.expect_problem(401, "invalid_token");
}
