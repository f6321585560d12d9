//! Of many at once one wins: polls of one approved request, and decisions about one pending request.

use super::{Started, allow_device, ask, decide, enter, poll_ciba, poll_device, signed_in, start};
use crate::harness::{Answer, Client, Harness};

fn won(answers: Vec<Answer>, others: (u16, &str)) {
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1, "{won:?}");
    for answer in lost {
        assert_eq!(answer.status, others.0, "{answer:?}");
        assert!(answer.body.contains(others.1), "{answer:?}");
    }
}

#[tokio::test]
async fn of_many_polls_of_an_approved_code_one_gets_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    let started = start(&tv, "openid offline_access").await;
    allow_device(&site, &ada, &started.user_code).await;
    let polls = (0..20).map(|_| poll_device(&tv, &started.device_code));
    won(futures_util::future::join_all(polls).await, (400, "invalid_grant"));
}

#[tokio::test]
async fn of_many_polls_of_an_approved_request_one_gets_tokens() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let auth_req_id = ask(&app, "ada", &[]).await;
    let mut browser = signed_in(&site, &ada).await;
    let page = browser.get("/auth/approvals").await.expect(200);
    let _ = decide(&mut browser, &page, "allow").await.expect(200);
    let polls = (0..20).map(|_| poll_ciba(&app, &auth_req_id));
    won(futures_util::future::join_all(polls).await, (400, "invalid_grant"));
}

async fn decided_at_once(app: &Client<'_>, started: &Started, person: &crate::harness::Person) {
    let mut browser = signed_in(&app.site, person).await;
    let page = enter(&mut browser, &started.user_code).await.expect(200);
    let decisions = (0..10).map(|number| {
        let (mut browser, page) = (browser.clone(), page.clone());
        async move { decide(&mut browser, &page, if number % 2 == 0 { "allow" } else { "deny" }).await }
    });
    won(futures_util::future::join_all(decisions).await, (409, "It has been answered already"));
}

#[tokio::test]
async fn of_approving_and_denying_at_once_one_wins_and_the_rest_are_conflicts() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (tv, ada) = (site.public_app("tv").await, site.user("ada").await);
    for _ in 0..5 {
        let started = start(&tv, "openid").await;
        decided_at_once(&tv, &started, &ada).await;
        let outcome = poll_device(&tv, &started.device_code).await;
        let is_decided = outcome.status == 200 || outcome.json()["error"] == "access_denied";
        assert!(is_decided, "{outcome:?}");
    }
}
