//! Lists show one tenant and tell nothing of the size of the deployment (N98).

use svc_http::Method;

use super::refused;
use crate::harness::Harness;

const LISTS: [&str; 4] = ["/api/v1/applications", "/api/v1/apis", "/api/v1/tenant-users", "/api/v1/audit"];

#[tokio::test]
async fn a_list_has_the_tenants_own_records_and_no_totals() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    for number in 0..3 {
        acme.user(&format!("acme-{number}")).await;
        globex.user(&format!("globex-{number}")).await;
        acme.app(&format!("acme-{number}")).await;
        globex.app(&format!("globex-{number}")).await;
    }
    let token = acme.mint(|_| ());
    for path in LISTS {
        let list = acme.call(Method::GET, path, Some(&token), None).await.expect(200);
        assert!(
            !list.body.contains("globex") && !list.body.contains(&globex.tenant.id.to_string()),
            "{path}: {list:?}"
        );
        let document = list.json();
        let mut members: Vec<_> = document.as_object().unwrap().keys().cloned().collect();
        members.sort();
        assert_eq!(members, ["data", "next_cursor"], "{path}");
        assert!(
            !list
                .headers
                .keys()
                .any(|name| name.as_str().contains("total") || name.as_str().contains("count"))
        );
    }
}

#[tokio::test]
async fn the_end_of_a_list_does_not_depend_on_other_tenants() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    for number in 0..3 {
        acme.user(&format!("acme-{number}")).await;
    }
    let token = acme.mint(|_| ());
    let path = "/api/v1/tenant-users?limit=3";
    let before = acme.call(Method::GET, path, Some(&token), None).await.expect(200).body;
    for number in 0..5 {
        globex.user(&format!("globex-{number}")).await;
    }
    assert_eq!(acme.call(Method::GET, path, Some(&token), None).await.expect(200).body, before);
    assert!(before.contains("\"next_cursor\":null"), "{before}");
}

#[tokio::test]
async fn a_cursor_is_opaque_and_worth_nothing_elsewhere() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    for number in 0..3 {
        acme.user(&format!("acme-{number}")).await;
        globex.user(&format!("globex-{number}")).await;
    }
    let (token, theirs) = (acme.mint(|_| ()), globex.mint(|_| ()));
    let list =
        acme.call(Method::GET, "/api/v1/tenant-users?limit=1", Some(&token), None).await.expect(200).json();
    let cursor = list["next_cursor"].as_str().unwrap().to_owned();
    let id = list["data"][0]["id"].as_str().unwrap();
    assert!(!cursor.contains(id), "{cursor}");
    let page = |cursor: &str| format!("/api/v1/tenant-users?limit=1&cursor={cursor}");
    let _ = acme.call(Method::GET, &page(&cursor), Some(&token), None).await.expect(200);
    refused(&globex.call(Method::GET, &page(&cursor), Some(&theirs), None).await, 400, "bad_request");
    let other_list = format!("/api/v1/applications?cursor={cursor}");
    refused(&acme.call(Method::GET, &other_list, Some(&token), None).await, 400, "bad_request");
    for bad in [&cursor[1..], id, "x", "' OR 1=1--", "AAAA"] {
        let bad: String = url::form_urlencoded::byte_serialize(bad.as_bytes()).collect();
        refused(&acme.call(Method::GET, &page(&bad), Some(&token), None).await, 400, "bad_request");
    }
    for bad in ["0", "-1", "201", "x", "1e2", "99999999999999999999"] {
        let path = format!("/api/v1/tenant-users?limit={bad}");
        refused(&acme.call(Method::GET, &path, Some(&token), None).await, 400, "bad_request");
    }
}
