//! People at an application: created, changed, suspended, removed, and chosen.

use serde_json::json;
use svc_http::Method;

use super::{Target, call, push, tell, with_application};

#[tokio::test]
async fn everyone_is_created_and_each_change_follows_as_one_look() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);
    let [created] = application.asked("POST /scim/v2/Users").try_into().unwrap();
    assert!(created.head.contains(&format!("authorization: Bearer {}", super::TOKEN)), "{}", created.head);
    assert_eq!(
        created.body,
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "userName": "ada@main.example", "externalId": ada.id, "active": true,
            "name": { "formatted": "ada of main" }, "displayName": "ada of main",
            "emails": [{ "value": "ada@main.example", "type": "work", "primary": true }],
        })
    );
    let link = target.link(&site, ada.id).await;
    assert_eq!(
        (&link["kind"], &link["remote_id"], &link["state"]),
        (&json!("user"), &json!("r1"), &json!("linked"))
    );
    assert_eq!(link["last_error"], json!(null));

    // Changes that come together are one request, and what changes nothing there is none.
    let path = format!("/api/v1/tenant-users/{}", ada.id);
    for name in ["Ada", "Ada L.", "Ada Lovelace"] {
        let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": name.replace(' ', "-") })))
            .await
            .expect(200);
    }
    push(&h).await;
    assert_eq!(application.asked("PATCH").len(), 0);

    // A person who comes later is pushed as well.
    let grace = site.user("grace").await;
    push(&h).await;
    assert_eq!(application.of(grace.id).unwrap()["userName"], "grace@main.example");
    assert_eq!(target.counts(&site).await, [0, 2, 0, 0]);
    assert_eq!(application.asked("POST /scim/v2/Users").len(), 2);
}

#[tokio::test]
async fn a_suspended_person_has_a_deactivated_account_and_gets_it_back() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    tell(&site, ada.id, "suspend").await;
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["active"], false);
    assert_eq!(target.counts(&site).await, [0, 0, 1, 0]);
    tell(&site, ada.id, "reactivate").await;
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["active"], true);
    assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);
    assert_eq!(application.asked("POST /scim/v2/Users").len(), 1, "the account is the same");

    // A person who was suspended before is not created.
    let grace = site.user("grace").await;
    tell(&site, grace.id, "suspend").await;
    push(&h).await;
    assert!(application.of(grace.id).is_none());
}

#[tokio::test]
async fn a_person_who_is_removed_loses_the_account_as_the_target_says() {
    for (on_removal, is_there) in [("deactivate", true), ("delete", false)] {
        let (h, application) = with_application().await;
        let site = h.tenant("main").await;
        let ada = site.user("ada").await;
        let target = Target::with(&site, &application.base_url(), &json!({ "on_removal": on_removal })).await;
        push(&h).await;
        let path = format!("/api/v1/tenant-users/{}", ada.id);
        let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
        push(&h).await;
        let account = application.of(ada.id);
        assert_eq!(account.is_some(), is_there, "{on_removal}");
        assert!(account.is_none_or(|account| account["active"] == false));
        assert_eq!(target.links(&site, "").await.len(), usize::from(is_there));
        assert_eq!(application.asked("DELETE").len(), usize::from(!is_there));
    }
}

#[tokio::test]
async fn people_of_an_organization_with_a_role_or_in_a_group_are_pushed_and_no_others() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    site.role("staff", &[]).await;
    site.role("writers", &[]).await;
    let (outer, inner) = (site.group("outer", &[]).await, site.group("inner", &[]).await);
    let by_role = site.group("by-role", &["writers"]).await;
    site.nest(&outer, &inner).await;
    let mut people = Vec::new();
    for name in ["owner", "member", "staffed", "grouped", "nested", "writing", "visitor"] {
        let roles: &[&str] = if name == "staffed" { &["staff"] } else { &[] };
        people.push(site.user_with_roles(name, roles).await);
    }
    let [owner, member, staffed, grouped, nested, writing, visitor] = people.try_into().ok().unwrap();
    let organization = site.organization("acme", owner.id).await;
    site.member(&organization, member.id).await;
    site.add(&outer, grouped.id).await;
    site.add(&inner, nested.id).await;
    site.add(&by_role, writing.id).await;
    let chosen = json!({ "people": {
        "organization_ids": [organization.id], "roles": ["staff", "writers"], "group_ids": [outer.id]
    } });
    let target = Target::with(&site, &application.base_url(), &chosen).await;
    push(&h).await;
    for person in [&owner, &member, &staffed, &grouped, &nested, &writing] {
        assert!(application.of(person.id).is_some(), "{}", person.username);
    }
    assert!(application.of(visitor.id).is_none());
    assert_eq!(target.counts(&site).await, [0, 6, 0, 0]);

    // One who leaves is deactivated, and one who comes is created.
    let path = format!("/api/v1/groups/{}/members/{}", inner.id, nested.id);
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    let path = format!("/api/v1/organizations/{}/members/{}", organization.id, visitor.id);
    let _ = call(&site, Method::PUT, &path, Some(json!({ "roles": [] }))).await.expect(200);
    push(&h).await;
    assert_eq!(application.of(nested.id).unwrap()["active"], false);
    assert_eq!(application.of(visitor.id).unwrap()["active"], true);

    // A group that goes takes its people along.
    let _ = call(&site, Method::DELETE, &format!("/api/v1/groups/{}", by_role.id), None).await.expect(204);
    push(&h).await;
    assert_eq!(application.of(writing.id).unwrap()["active"], false);
    assert_eq!(target.counts(&site).await, [0, 5, 2, 0]);
}

#[tokio::test]
async fn an_account_that_changes_at_another_tenant_is_pushed_here() {
    let (h, application) = with_application().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let target = Target::new(&site, &application.base_url()).await;
    push(&h).await;
    h.advance(60);
    // Of this the tenant's own log says nothing.
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = svc_db::SystemSql::new(
        "UPDATE accounts SET profile = '{\"name\":\"Ada Lovelace\"}', updated_at = $1 WHERE id = \
         (SELECT account_id FROM tenant_users WHERE id = $2)",
    );
    let _ = tx.execute(update, svc_db::args![h.operator().now, ada.id]).await.unwrap();
    tx.commit().await.unwrap();
    push(&h).await;
    assert_eq!(application.of(ada.id).unwrap()["displayName"], "Ada Lovelace");
    assert_eq!((application.asked("PATCH").len(), target.counts(&site).await), (1, [0, 1, 0, 0]));
}
