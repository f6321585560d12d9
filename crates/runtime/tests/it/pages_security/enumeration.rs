//! A stranger does not learn from a page who has an account: the same status, the same words, the same cookies (N59).

use super::{World, world};
use crate::harness::{Answer, Harness};

/// What a page shows, without what is fresh in every page or was typed by the person.
fn visible(answer: &Answer, typed: &str) -> (u16, Vec<String>, String) {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| {
            !["x-request-id", "content-security-policy", "content-length"].contains(&name.as_str())
        })
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap().split('=').next().unwrap()))
        .collect();
    headers.sort();
    (answer.status, headers, answer.shown(typed))
}

/// Every person that a stranger might ask about: known, unknown, of another tenant, suspended, removed, without password.
async fn population(world: &World<'_>, elsewhere: &World<'_>) -> Vec<String> {
    let site = &world.site;
    let (suspended, removed) = (site.user("suspended").await, site.user("removed").await);
    let token = site.mint(|_| ());
    let path = |id: &svc_core::TenantUserId| format!("/api/v1/tenant-users/{id}");
    let suspend = format!("{}/suspend", path(&suspended.id));
    let _ = site.call(svc_http::Method::POST, &suspend, Some(&token), None).await.expect(200);
    let gone = site.call(svc_http::Method::DELETE, &path(&removed.id), Some(&token), None).await;
    assert!((200..300).contains(&gone.status), "{gone:?}");
    let known = [&world.ada.email, &suspended.email, &removed.email, &elsewhere.ada.email];
    known.into_iter().cloned().chain(["nobody@nowhere.example".to_owned()]).collect()
}

#[tokio::test]
async fn signing_in_tells_nothing() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    let mut seen = Vec::new();
    for name in population(&home, &elsewhere).await {
        seen.push(visible(&home.guess(&name, "wrong password").await, &name));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:#?}");
}

#[tokio::test]
async fn the_right_password_of_a_person_who_may_not_sign_in_tells_nothing_either() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    population(&home, &elsewhere).await;
    let unknown = visible(&home.guess("nobody", "correct horse nobody").await, "nobody");
    for name in ["suspended", "removed"] {
        let answer = home.guess(name, &format!("correct horse {name}")).await;
        assert_eq!(visible(&answer, name), unknown, "{name}");
    }
}

#[tokio::test]
async fn asking_for_a_new_password_tells_nothing() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    let mut seen = Vec::new();
    for name in population(&home, &elsewhere).await {
        let mut browser = home.site.browser();
        seen.push(visible(&home.forgot(&mut browser, &name).await, &name));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:#?}");
    // It is the account's password, whatever became of its membership here.
    let mut to: Vec<_> = h.mails().await.into_iter().map(|mail| mail.to).collect();
    to.sort();
    assert_eq!(
        to,
        ["ada@main.example", "ada@other.example", "removed@main.example", "suspended@main.example"]
    );
}

#[tokio::test]
async fn registering_tells_nothing() {
    let h = Harness::new().await;
    let (home, elsewhere) = (world(&h, "main").await, world(&h, "other").await);
    let people = population(&home, &elsewhere).await;
    let mut seen = Vec::new();
    for name in &people {
        let mut browser = home.site.browser();
        seen.push(visible(&home.register(&mut browser, name).await, name));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:#?}");
    // The owner of the address is told, and only there.
    let mails = h.mails().await;
    assert_eq!(mails.len(), people.len());
}
