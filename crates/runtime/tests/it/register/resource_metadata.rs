//! Protected resource metadata (RFC 9728) and the path form of server metadata (RFC 8414 §3.1).

use serde_json::json;

use crate::harness::Harness;

const RESOURCE: &str = "/.well-known/oauth-protected-resource";

#[tokio::test]
async fn our_own_apis_say_which_scopes_there_are_and_their_challenge_points_there() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get(RESOURCE).await.expect(200).json();
    assert_eq!(document["resource"], "https://id.test/api");
    assert_eq!(document["authorization_servers"], json!(["https://id.test"]));
    assert!(document["scopes_supported"].as_array().unwrap().contains(&json!("apis:read")));
    assert_eq!(site.get(&format!("{RESOURCE}/api")).await.expect(200).json(), document);
    let challenge = site.get("/api/v1/apis").await.expect(401);
    assert!(
        challenge
            .header("www-authenticate")
            .contains("resource_metadata=\"https://id.test/.well-known/oauth-protected-resource\"")
    );
}

#[tokio::test]
async fn an_api_of_the_tenant_is_described_at_its_host_and_path() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let other = h.tenant("other").await;
    site.api("https://mcp.example/tools", &["tools:call"]).await;
    site.api("https://plain.example", &["plain:read"]).await;
    for path in ["/mcp.example/tools", "/tools", "/tools/"] {
        let document = site.get(&format!("{RESOURCE}{path}")).await.expect(200).json();
        assert_eq!(document["resource"], "https://mcp.example/tools", "{path}");
        assert_eq!(document["scopes_supported"], json!(["tools:call"]));
        let _ = other.get(&format!("{RESOURCE}{path}")).await.expect_problem(404, "not_found");
    }
    let document = site.get(&format!("{RESOURCE}/plain.example")).await.expect(200).json();
    assert_eq!(document["resource"], "https://plain.example");
    for nothing in
        ["/mcp.example", "/mcp.example/tools/more", "/nothing", "/evil.example/tools", "//", "/%2e%2e/x"]
    {
        assert_eq!(site.get(&format!("{RESOURCE}{nothing}")).await.status, 404, "{nothing}");
    }
}

#[tokio::test]
async fn a_path_that_two_apis_share_names_neither() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://a.example/mcp", &["a:call"]).await;
    site.api("https://b.example/mcp", &["b:call"]).await;
    let _ = site.get(&format!("{RESOURCE}/mcp")).await.expect_problem(404, "not_found");
    assert_eq!(
        site.get(&format!("{RESOURCE}/b.example/mcp")).await.json()["resource"],
        "https://b.example/mcp"
    );
}

#[tokio::test]
async fn server_metadata_is_also_where_clients_insert_the_path_of_an_api() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api("https://mcp.example/tools", &["tools:call"]).await;
    let usual = site.get("/.well-known/oauth-authorization-server").await.expect(200).json();
    assert_eq!(site.get("/.well-known/oauth-authorization-server/tools").await.expect(200).json(), usual);
    let _ =
        site.get("/.well-known/oauth-authorization-server/nothing").await.expect_problem(404, "not_found");
}
