//! What an assertion of a trusted issuer leaves behind, and the organization in which its tokens count (RFC 7523 §2.1).

use serde_json::{Value, json};
use svc_domain::apps::OrganizationUsage;
use svc_http::Method;
use svc_keys::Typ;

use super::{Elsewhere, NOTES, World, exchange, present, text};
use crate::changes::left_by;
use crate::harness::Harness;
use crate::harness::client::claims;

#[tokio::test]
async fn a_token_for_an_assertion_leaves_a_delegation_and_ends_with_it() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let assertion = idp.assertion(&world, Typ::Jwt, |_| ());
    let mut answer = None;
    let [_, events] =
        left_by(&h, async { answer = Some(present(&world.agent, &assertion, &[]).await) }).await;
    assert!(events.contains(&"admin.delegation.created".to_owned()), "{events:?}");
    let token = text(&answer.unwrap().expect(200).json(), "access_token");
    assert!(world.is_active(&world.agent, &token).await);
    let listed = world.manage(Method::GET, "/api/v1/delegations", None).await.expect(200).json();
    let [link] = listed["data"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    let told = ["tenant_user_id", "audience", "state", "act"].map(|member| link[member].clone());
    assert_eq!(told, [json!(world.ada.id), json!(NOTES), json!("live"), Value::Null]);
    assert_eq!(link["source"], "https://idp.example");
    let revoke = format!("/api/v1/delegations/{}/revoke", link["id"].as_str().unwrap());
    let _ = world.manage(Method::POST, &revoke, None).await.expect(200);
    let _ = h.informed_app().await;
    assert!(!world.is_active(&world.agent, &token).await);
}

#[tokio::test]
async fn an_application_whose_tokens_count_in_an_organization_gets_none_that_do_not() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let idp = Elsewhere::new();
    idp.trusted(&world).await;
    let require = |app: &mut svc_domain::apps::Configuration| {
        app.organization_usage = Some(OrganizationUsage::Require);
    };
    let strict = world.site.app_with("strict", require).await;
    let fresh = || idp.assertion(&world, Typ::Jwt, |_| ());
    let usual = world.usual().await;
    // A member of none.
    let _ = present(&strict, &fresh(), &[]).await.expect_problem(400, "invalid_grant");
    let _ = exchange(&strict, &usual, &[]).await.expect_problem(400, "invalid_request");
    // A member of one gets it, named or not.
    let initech = world.site.organization("initech", world.ada.id).await;
    let org = json!({ "id": initech.id, "slug": "initech", "roles": [] });
    for named in [&[][..], &[("organization", "initech")]] {
        for answer in [present(&strict, &fresh(), named).await, exchange(&strict, &usual, named).await] {
            let token = text(&answer.expect(200).json(), "access_token");
            assert_eq!(claims(&token)["org"], org, "{named:?}");
        }
    }
    // A member of several has to say which.
    world.site.organization("hooli", world.ada.id).await;
    for answer in [present(&strict, &fresh(), &[]).await, exchange(&strict, &usual, &[]).await] {
        assert!(answer.expect_problem(400, "invalid_request").body.contains("organization"));
    }
    let hooli = [("organization", "hooli")];
    let token = text(&present(&strict, &fresh(), &hooli).await.expect(200).json(), "access_token");
    assert_eq!(claims(&token)["org"]["slug"], "hooli");
    // Others take one where it is named, and none that the person does not belong to.
    let token = text(&present(&world.agent, &fresh(), &[]).await.expect(200).json(), "access_token");
    assert_eq!(claims(&token).get("org"), None);
    let unknown = [("organization", "globex")];
    let _ = present(&world.agent, &fresh(), &unknown).await.expect_problem(400, "invalid_grant");
}
