//! What acts for a person, as the person sees and ends it.

use serde_json::json;
use svc_http::Method;

use super::own;
use crate::delegation::{World, exchange};
use crate::harness::Harness;
use crate::isolation::records::delegation;

#[tokio::test]
async fn a_person_sees_what_acts_for_them_and_ends_it_with_its_tokens() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let source = world.usual().await;
    let changes = [("scope", "notes:read"), ("purpose", "Sort <b>notes</b>")];
    let given = exchange(&world.agent, &source, &changes).await.expect(200).json();
    let token = given["access_token"].as_str().unwrap();
    let listed = own(&world.site, &world.ada, (Method::GET, "/delegations"), None).await.expect(200).json();
    let [shown] = listed["data"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!(
        json!([shown["application_id"], shown["audience"], shown["scope"], shown["organization_id"]]),
        json!([world.agent.id, "https://notes.example", "notes:read", null])
    );
    let told = world.agent.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
    assert_eq!(told["active"], true);

    let mut browser = world.site.sign_in(&world.web, &world.ada).await;
    let page = browser.get("/account/delegations").await.expect(200);
    assert!(page.body.contains("id=\"delegation-end-0\"") && !page.body.contains("<b>notes"), "{page:?}");
    let answer = browser.submit(&page, &[("delegation", shown["id"].as_str().unwrap())]).await;
    let page = browser.follow(answer.location()).await;
    assert!(
        page.body.contains("does not act for you any more") && page.body.contains("id=\"delegations-none\""),
        "{page:?}"
    );
    let told = world.agent.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
    assert_eq!(told["active"], false);
    let listed = own(&world.site, &world.ada, (Method::GET, "/delegations"), None).await.expect(200).json();
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn no_person_sees_or_ends_what_acts_for_another() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let bob = world.site.user("bob").await;
    let id = delegation(&world.site, world.agent.id.parse().unwrap(), world.ada.id).await;
    let path = format!("/delegations/{id}");
    let listed = own(&world.site, &bob, (Method::GET, "/delegations"), None).await.expect(200).json();
    assert_eq!(listed["data"], json!([]));
    let _ = own(&world.site, &bob, (Method::DELETE, &path), None).await.expect_problem(404, "not_found");
    let mut browser = world.site.sign_in(&world.web, &bob).await;
    let page = browser.get("/account/delegations").await.expect(200);
    let _ = browser.submit(&page, &[("delegation", &id)]).await;
    let listed = own(&world.site, &world.ada, (Method::GET, "/delegations"), None).await.expect(200).json();
    assert_eq!(listed["data"][0]["id"], json!(id));
    let _ = own(&world.site, &world.ada, (Method::DELETE, &path), None).await.expect(204);
    h.advance(1);
    let listed = own(&world.site, &world.ada, (Method::GET, "/delegations"), None).await.expect(200).json();
    assert_eq!(listed["data"], json!([]));
}

#[tokio::test]
async fn what_acts_for_a_person_is_seen_behind_however_many_later_ones() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let actor = world.agent.id.parse().unwrap();
    let first = delegation(&world.site, actor, world.ada.id).await;
    for _ in 0..210 {
        let _ = delegation(&world.site, actor, world.ada.id).await;
    }
    let listed = own(&world.site, &world.ada, (Method::GET, "/delegations"), None).await.expect(200).json();
    let all = listed["data"].as_array().unwrap();
    assert!(all.len() == 211 && all.iter().any(|one| one["id"] == json!(first)), "{}", all.len());
}
