//! Groups at an application: after their people, with the ids that these have there.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Target, call, push, tell, with_application};

fn members(group: &Value) -> Vec<&str> {
    group["members"].as_array().unwrap().iter().map(|member| member["value"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn groups_follow_their_people_with_the_ids_that_these_have_there() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let (ada, grace) = (site.user("ada").await, site.user("grace").await);
    let (outer, inner, empty) =
        (site.group("outer", &[]).await, site.group("inner", &[]).await, site.group("empty", &[]).await);
    site.nest(&outer, &inner).await;
    site.add(&outer, ada.id).await;
    site.add(&inner, grace.id).await;
    let target = Target::with(&site, &application.base_url(), &json!({ "push_groups": true })).await;
    push(&h).await;
    let id_of = |id: String| application.of(id).unwrap()["id"].as_str().unwrap().to_owned();
    let (ada_there, grace_there) = (id_of(ada.id.to_string()), id_of(grace.id.to_string()));
    let mut both = vec![ada_there.as_str(), grace_there.as_str()];
    both.sort_unstable();
    let there = application.of(outer.id).unwrap();
    assert_eq!((&there["displayName"], members(&there)), (&json!("outer"), both));
    assert_eq!(members(&application.of(inner.id).unwrap()), [grace_there.as_str()]);
    assert!(application.of(empty.id).is_none(), "a group comes with its first member");
    let asked: Vec<_> = application.asked("POST").into_iter().map(|asked| asked.path).collect();
    assert_eq!(asked, ["/scim/v2/Users", "/scim/v2/Users", "/scim/v2/Groups", "/scim/v2/Groups"]);
    assert_eq!(target.status(&site).await["groups"]["linked"], 2);

    // A suspended person is in no group there, and one who is taken out is in this one no longer.
    tell(&site, grace.id, "suspend").await;
    push(&h).await;
    assert_eq!(members(&application.of(outer.id).unwrap()), [ada_there.as_str()]);
    let path = format!("/api/v1/groups/{}/members/{}", outer.id, ada.id);
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    push(&h).await;
    assert!(members(&application.of(outer.id).unwrap()).is_empty());

    // Another name, and the end.
    let path = format!("/api/v1/groups/{}", outer.id);
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "name": "renamed" }))).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(outer.id).unwrap()["displayName"], "renamed");
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    push(&h).await;
    assert!(application.of(outer.id).is_none());
    assert_eq!(application.all("Users").len(), 2);
}

#[tokio::test]
async fn a_group_of_which_more_is_said_than_is_read_is_linked_and_changed() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let group = site.group("writers", &[]).await;
    site.add(&group, ada.id).await;
    application.has_large_groups();
    let target = Target::with(&site, &application.base_url(), &json!({ "push_groups": true })).await;
    push(&h).await;
    let link = target.link(&site, group.id).await;
    assert_eq!((&link["state"], &link["last_error"]), (&json!("linked"), &Value::Null));
    let path = format!("/api/v1/groups/{}", group.id);
    let _ = call(&site, Method::PATCH, &path, Some(json!({ "name": "renamed" }))).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(group.id).unwrap()["displayName"], "renamed");
}

#[tokio::test]
async fn groups_are_not_pushed_unless_the_target_says_so_and_follow_when_it_does() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let group = site.group("writers", &[]).await;
    site.add(&group, ada.id).await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    assert!(application.all("Groups").is_empty());
    let _ = target.change(&site, json!({ "push_groups": true })).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(group.id).unwrap()["displayName"], "writers");
}
