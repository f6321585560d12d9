//! Documents that are the same for everyone are compressed; nothing else is, because the length of what a stranger has a part in
//! must not tell of a secret next to it (BREACH).

use svc_http::Method;

use super::send;
use crate::harness::{Answer, Harness, Site};

const ACCEPTS: (&str, &str) = ("accept-encoding", "gzip, br");

async fn get(site: &Site<'_>, path: &str, headers: &[(&str, &str)]) -> Answer {
    let headers: Vec<_> = headers.iter().copied().chain([ACCEPTS]).collect();
    send(site, &Method::GET, path, &headers, "").await
}

/// The address of the stylesheet of a page.
fn stylesheet(page: &Answer) -> String {
    let start = page.body.find("/auth/assets/style-").unwrap();
    page.body[start..].split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn public_documents_are_compressed_for_those_who_accept_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let page = site.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
    let documents = [
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server",
        "/openapi.json",
        &stylesheet(&page),
    ];
    for path in documents {
        let packed = get(&site, path, &[]).await.expect(200);
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        assert!(packed.headers.get_all("vary").iter().any(|name| name == "accept-encoding"), "{path}");
        let plain = site.get(path).await.expect(200);
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        assert!(packed.body.starts_with('\u{1f}') && !plain.body.starts_with('\u{1f}'), "{path}");
    }
}

#[tokio::test]
async fn pages_and_answers_to_one_client_are_not_compressed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let bearer = format!("Bearer {}", tokens.access_token());
    let admin = format!("Bearer {}", site.mint(|_| ()));
    for number in 0..20 {
        site.app(&format!("further{number}")).await;
    }
    let sign_in = app.authorize_path(&app.verifier(), &[]);
    for (path, headers) in [
        (sign_in.as_str(), &[][..]),
        ("/auth/forgot", &[]),
        ("/userinfo", &[("authorization", bearer.as_str())]),
        ("/api/v1/applications", &[("authorization", admin.as_str())]),
        ("/oauth/authorize", &[("accept", "text/html")]),
    ] {
        let answer = get(&site, path, headers).await;
        assert_eq!(answer.header("content-encoding"), "", "{path}: {answer:?}");
    }
    let form = [("token", tokens.access_token())];
    let told = app.post_with("/oauth/introspect", &[ACCEPTS], &form, &[]).await.expect(200);
    assert_eq!(told.header("content-encoding"), "", "{told:?}");
}
