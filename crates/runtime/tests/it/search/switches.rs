//! Lists that are narrowed to what is switched on or off, or to what is used in one place.

use serde_json::{Value, json};
use svc_http::Method;

use super::{ids, send, walked};
use crate::harness::{Harness, Site};

/// Makes records of these documents, and looks for those whose member is so, alone and in pages.
async fn check(site: &Site<'_>, path: &str, documents: &[Value], member: &str) {
    for document in documents {
        send(site, Method::POST, path, Some(document.clone()), 201).await;
    }
    let all = walked(site, path, "").await;
    assert_eq!(all.len(), documents.len());
    for wanted in [true, false] {
        let expected: Vec<_> = all.iter().filter(|one| one[member] == wanted).cloned().collect();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{path}: {all:?}");
        assert_eq!(walked(site, path, &format!("{member}={wanted}")).await, expected, "{path} {wanted}");
    }
    let wrong = send(site, Method::GET, &format!("{path}?{member}=yes"), None, 400).await;
    let told = wrong["error_description"].as_str().unwrap();
    assert!(told.starts_with(&format!("{member}: ")), "{wrong}");
}

#[tokio::test]
async fn what_is_switched_on_is_listed_without_what_is_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let switched = [true, false, false, true, false];
    let numbered = || switched.into_iter().enumerate();
    let webhook = |(number, active): (usize, bool)| {
        let url = format!("https://receiver.example/{number}");
        json!({ "url": url, "event_types": ["auth.*"], "active": active })
    };
    check(&site, "/api/v1/webhooks", &numbered().map(webhook).collect::<Vec<_>>(), "active").await;
    let connector = |(number, enabled): (usize, bool)| {
        let name = format!("github{number}");
        json!({ "name": name, "preset": "github", "client_id": "svc", "client_secret": "a", "enabled": enabled })
    };
    check(&site, "/api/v1/connectors", &numbered().map(connector).collect::<Vec<_>>(), "enabled").await;
    let field = |(number, enabled): (usize, bool)| {
        let texts = json!({ "en": { "label": "Label" } });
        let name = format!("field_{number}");
        json!({ "name": name, "type": "text", "language": "en", "texts": texts, "enabled": enabled })
    };
    check(&site, "/api/v1/sign-up-fields", &numbered().map(field).collect::<Vec<_>>(), "enabled").await;
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await.id;
    let path = format!("/api/v1/organizations/{organization}/sso-connections");
    let connection = |(number, enabled): (usize, bool)| {
        let issuer = format!("https://login{number}.acme.example");
        json!({
            "display_name": "Staff", "issuer": issuer, "client_id": "svc", "client_secret": "a", "enabled": enabled
        })
    };
    check(&site, &path, &numbered().map(connection).collect::<Vec<_>>(), "enabled").await;
}

#[tokio::test]
async fn hooks_are_listed_by_their_point_and_by_whether_they_are_asked() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let path = "/api/v1/hooks";
    let url = "https://receiver.example/hook";
    for (point, is_active) in [
        ("pre_token", true),
        ("post_first_factor", false),
        ("pre_token", false),
        ("pre_registration", true),
        ("pre_token", true),
    ] {
        let new = json!({ "point": point, "url": url, "on_failure": "deny", "is_active": is_active });
        send(&site, Method::POST, path, Some(new), 201).await;
    }
    let all = walked(&site, path, "").await;
    for point in [None, Some("pre_token"), Some("post_first_factor")] {
        for is_active in [None, Some(true), Some(false)] {
            let fits = |hook: &&Value| {
                point.is_none_or(|point| hook["point"] == point)
                    && is_active.is_none_or(|is_active: bool| hook["is_active"] == is_active)
            };
            let expected: Vec<_> = all.iter().filter(fits).cloned().collect();
            let point = point.map(|point| format!("point={point}"));
            let is_active = is_active.map(|is_active| format!("is_active={is_active}"));
            let query: Vec<_> = point.into_iter().chain(is_active).collect();
            assert_eq!(walked(&site, path, &query.join("&")).await, expected, "{query:?}");
        }
    }
    let wrong = send(&site, Method::GET, &format!("{path}?point=post_logout"), None, 400).await;
    assert!(wrong["error_description"].as_str().unwrap().starts_with("point: "), "{wrong}");
}

#[tokio::test]
async fn fields_and_documents_are_listed_by_the_organizations_and_applications_that_they_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("owner").await.id;
    let (acme, globex) =
        (site.organization("acme", owner).await.id, site.organization("globex", owner).await.id);
    let (shop, desk) = (site.app("shop").await.id, site.app("desk").await.id);
    let choices = [json!([]), json!([acme]), json!([acme, globex])];
    for (number, organizations) in choices.iter().enumerate() {
        let documents = json!({ "en": { "title": "Terms", "url": "https://acme.example/terms" } });
        let new = json!({
            "key": format!("terms-{number}"), "label": "1", "language": "en", "effective_at": "2026-01-01T00:00:00Z",
            "documents": documents, "organization_ids": organizations
        });
        send(&site, Method::POST, "/api/v1/terms", Some(new), 201).await;
        for (other, applications) in [json!([]), json!([shop]), json!([shop, desk])].iter().enumerate() {
            let new = json!({
                "name": format!("field_{number}_{other}"), "type": "text", "language": "en",
                "texts": { "en": { "label": "Label" } }, "organization_ids": organizations, "application_ids": applications
            });
            send(&site, Method::POST, "/api/v1/sign-up-fields", Some(new), 201).await;
        }
    }
    let by_organization = [("organization_ids", acme.to_string()), ("organization_ids", globex.to_string())];
    let by_application = [("application_ids", shop), ("application_ids", desk)];
    for (path, choices) in [
        ("/api/v1/terms", by_organization.to_vec()),
        ("/api/v1/sign-up-fields", by_organization.into_iter().chain(by_application).collect()),
    ] {
        let all = walked(&site, path, "").await;
        for (member, id) in &choices {
            let names = |one: &&Value| one[member].as_array().is_some_and(|ids| ids.contains(&json!(id)));
            let expected: Vec<_> = all.iter().filter(names).cloned().collect();
            assert!(!expected.is_empty() && expected.len() < all.len(), "{path}: {all:?}");
            let parameter = member.trim_end_matches('s');
            assert_eq!(walked(&site, path, &format!("{parameter}={id}")).await, expected, "{path} {member}");
        }
        let wrong = send(&site, Method::GET, &format!("{path}?organization_id=acme"), None, 400).await;
        assert!(wrong["error_description"].as_str().unwrap().starts_with("organization_id: "), "{wrong}");
    }
}

#[tokio::test]
async fn an_invitation_is_found_by_its_address_in_one_organization() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("owner").await;
    let mut made = Vec::new();
    for slug in ["acme", "globex"] {
        let organization = site.organization(slug, owner.id).await.id;
        let path = format!("/api/v1/organizations/{organization}/invitations");
        for email in ["Grace@new.example", "ada@new.example"] {
            let invited = send(&site, Method::POST, &path, Some(json!({ "email": email })), 201).await;
            made.push((path.clone(), invited["id"].as_str().unwrap().to_owned()));
        }
    }
    for (path, id) in [&made[0], &made[2]] {
        for address in ["Grace@new.example", "grace%40NEW.example", "%20grace@new.example"] {
            assert_eq!(ids(&site, path, &format!("email={address}")).await, [id.clone()], "{address}");
        }
        assert!(ids(&site, path, "email=gra@new.example").await.is_empty());
        assert_eq!(ids(&site, path, "email=").await.len(), 2);
        let wrong = send(&site, Method::GET, &format!("{path}?email=grace"), None, 400).await;
        assert!(wrong["error_description"].as_str().unwrap().starts_with("email: "), "{wrong}");
    }
}
