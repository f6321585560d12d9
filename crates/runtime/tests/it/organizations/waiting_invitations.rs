//! Invitations that wait for a person who is signed in: seen, accepted and declined without the mail.

use serde_json::{Value, json};
use svc_http::Method;

use super::World;
use crate::account::own;
use crate::harness::{Harness, Person};

async fn invite(world: &World<'_>, email: &str) -> String {
    let path = format!("/api/v1/organizations/{}/invitations", world.hooli.id);
    let body = json!({ "email": email, "roles": ["editor"] });
    let made = world.site.call(Method::POST, &path, Some(&world.site.mint(|_| ())), Some(body)).await;
    made.expect(201).json()["id"].as_str().unwrap().to_owned()
}

async fn waiting(world: &World<'_>, person: &Person) -> Value {
    own(&world.site, person, (Method::GET, "/invitations"), None).await.expect(200).json()["data"].clone()
}

async fn is_member(world: &World<'_>, person: &Person) -> bool {
    let path = format!("/api/v1/organizations/{}/members", world.hooli.id);
    let found =
        world.site.call(Method::GET, &path, Some(&world.site.mint(|_| ())), None).await.expect(200).json();
    found["data"].as_array().unwrap().iter().any(|member| member["tenant_user_id"] == json!(person.id))
}

#[tokio::test]
async fn a_person_accepts_an_invitation_in_the_account_centre_and_by_the_api() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (gil, cyd) = (world.site.user("gil").await, world.site.user("cyd").await);
    let (for_gil, for_cyd) = (invite(&world, &gil.email).await, invite(&world, &cyd.email).await);
    let mut browser = world.site.sign_in(&world.web, &gil).await;
    let page = browser.get("/account/organizations").await.expect(200);
    assert!(
        page.body.contains("id=\"invitation-accept-0\"") && !page.body.contains("invitation-accept-1"),
        "{page:?}"
    );
    let answer = browser.submit(&page, &[("accept", &for_gil)]).await;
    let page = browser.follow(answer.location()).await;
    assert!(page.body.contains("You are a member of the organization now"), "{page:?}");
    assert!(is_member(&world, &gil).await);
    assert_eq!(waiting(&world, &gil).await, json!([]));

    let shown = waiting(&world, &cyd).await;
    assert_eq!(json!([shown[0]["id"], shown[0]["roles"]]), json!([for_cyd, ["editor"]]));
    let accept = format!("/invitations/{for_cyd}/accept");
    let _ = own(&world.site, &cyd, (Method::POST, &accept), None).await.expect(204);
    let _ = own(&world.site, &cyd, (Method::POST, &accept), None).await.expect_problem(404, "not_found");
    assert!(is_member(&world, &cyd).await);
}

#[tokio::test]
async fn an_invitation_waits_for_its_own_proven_address_alone_and_can_be_declined() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (gil, ivo) = (world.site.user("gil").await, world.site.user("ivo").await);
    let id = invite(&world, &gil.email).await;
    assert_eq!(waiting(&world, &ivo).await, json!([]));
    let one = format!("/invitations/{id}");
    for (method, path) in [(Method::POST, format!("{one}/accept")), (Method::DELETE, one.clone())] {
        let refused = own(&world.site, &ivo, (method, &path), None).await;
        let _ = refused.expect_problem(404, "not_found");
    }
    assert!(!is_member(&world, &ivo).await);

    let mut browser = world.site.sign_in(&world.web, &gil).await;
    let page = browser.get("/account/organizations").await.expect(200);
    let _ = own(&world.site, &gil, (Method::DELETE, &one), None).await.expect(204);
    let answer = browser.submit(&page, &[("accept", &id)]).await;
    let page = browser.follow(answer.location()).await;
    assert!(page.body.contains("The invitation is no longer valid"), "{page:?}");
    assert_eq!(waiting(&world, &gil).await, json!([]));
    assert!(!is_member(&world, &gil).await);
    let later = invite(&world, &gil.email).await;
    assert_eq!(waiting(&world, &gil).await[0]["id"], json!(later));
    h.advance(31 * 86_400);
    assert_eq!(waiting(&world, &gil).await, json!([]), "its time is over");
}

#[tokio::test]
async fn an_invitation_of_a_person_who_is_removed_waits_no_longer() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let gil = world.site.user("gil").await;
    let by_ada = world.site.mint(|claims| {
        claims["sub"] = json!(world.ada.subject);
        claims["subject_type"] = json!("human");
    });
    let path = format!("/api/v1/organizations/{}/invitations", world.hooli.id);
    let body = json!({ "email": gil.email });
    let made = world.site.call(Method::POST, &path, Some(&by_ada), Some(body)).await.expect(201).json();
    assert_eq!(waiting(&world, &gil).await[0]["id"], made["id"]);
    let user = format!("/api/v1/tenant-users/{}", world.ada.id);
    let removed = world.site.call(Method::DELETE, &user, Some(&world.site.mint(|_| ())), None).await;
    let _ = removed.expect(204);
    assert_eq!(waiting(&world, &gil).await, json!([]));
    let accept = format!("/invitations/{}/accept", made["id"].as_str().unwrap());
    let _ = own(&world.site, &gil, (Method::POST, &accept), None).await.expect_problem(404, "not_found");
    assert!(!is_member(&world, &gil).await);
}
