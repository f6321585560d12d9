//! This service's own SCIM server, of another tenant, as the application: over real HTTP.

use serde_json::{Value, json};
use svc_http::{Body, Method, Request};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::{Target, call, push, tell};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::publisher::read;
use crate::harness::{Harness, Site};

/// Answers at a port of this machine what `site` answers, for as long as `body` runs.
async fn serving<T>(site: &Site<'_>, listener: TcpListener, body: impl Future<Output = T>) -> T {
    let serve = async {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            answer(site, stream).await;
        }
    };
    tokio::select! {
        result = body => result,
        () = serve => unreachable!("the server goes on"),
    }
}

async fn answer(site: &Site<'_>, mut stream: TcpStream) {
    let Some((head, content)) = read(&mut stream).await else { return };
    let mut lines = head.lines();
    let mut words = lines.next().unwrap().split(' ');
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut request = Request::builder().method(method).uri(path).header("host", &site.host);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        if ["authorization", "content-type", "accept"].contains(&name) {
            request = request.header(name, value);
        }
    }
    let answer = site.harness.send(request.body(Body::from(content)).unwrap()).await;
    let (status, body) = (answer.status, answer.body);
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
}

/// A token of an organization's directory at `site`.
async fn token(site: &Site<'_>) -> String {
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await;
    let body = json!({ "organization_id": organization.id, "name": "Other service" });
    let made = call(site, Method::POST, "/api/v1/scim-tokens", Some(body)).await.expect(201).json();
    made["token"].as_str().unwrap().to_owned()
}

async fn there(site: &Site<'_>, token: &str, path: &str) -> Vec<Value> {
    let list = site.call(Method::GET, path, Some(token), None).await.expect(200).json();
    list["Resources"].as_array().unwrap().clone()
}

#[tokio::test]
async fn people_and_groups_live_at_the_scim_server_of_another_tenant() {
    for update_with in ["patch", "put"] {
        let (source, application) =
            (Harness::with(&[LOOPBACK]).await, Harness::with(&[("SVC_SCIM__ENABLED", "true")]).await);
        let (site, other) = (source.tenant("main").await, application.tenant("main").await);
        let token = token(&other).await;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base_url = format!("http://{}/scim/v2", listener.local_addr().unwrap());
        let (ada, grace) = (site.user("ada").await, site.user("grace").await);
        let group = site.group("writers", &[]).await;
        site.add(&group, ada.id).await;
        let further = json!({
            "secret": token, "push_groups": true, "on_removal": "delete", "update_with": update_with, "user_name": "username"
        });
        serving(&other, listener, async {
            let target = Target::with(&site, &base_url, &further).await;
            let trial = call(&site, Method::POST, &target.path("/test"), None).await.expect(200).json();
            assert_eq!(
                (&trial["is_usable"], &trial["patch"], &trial["findings"]),
                (&json!(true), &json!(true), &json!([]))
            );
            push(&source).await;
            assert_eq!(target.counts(&site).await, [0, 2, 0, 0], "{:?}", target.links(&site, "").await);
            let users = there(&other, &token, "/scim/v2/Users").await;
            let of = |users: &[Value], id: &str| users.iter().find(|user| user["externalId"] == id).cloned();
            let there_ada = of(&users, &ada.id.to_string()).unwrap();
            assert_eq!((&there_ada["userName"], &there_ada["active"]), (&json!("ada"), &json!(true)));
            assert_eq!(there_ada["displayName"], "ada of main");
            let groups = there(&other, &token, "/scim/v2/Groups").await;
            assert_eq!((groups.len(), &groups[0]["displayName"]), (1, &json!("writers")));
            assert_eq!(groups[0]["members"][0]["value"], there_ada["id"]);

            // Changed, suspended, reactivated, removed.
            let path = format!("/api/v1/tenant-users/{}", ada.id);
            let _ = call(&site, Method::PATCH, &path, Some(json!({ "username": "ada-l" }))).await.expect(200);
            tell(&site, grace.id, "suspend").await;
            push(&source).await;
            let users = there(&other, &token, "/scim/v2/Users").await;
            assert_eq!(of(&users, &ada.id.to_string()).unwrap()["userName"], "ada-l");
            assert_eq!(of(&users, &grace.id.to_string()).unwrap()["active"], false);
            tell(&site, grace.id, "reactivate").await;
            push(&source).await;
            let users = there(&other, &token, "/scim/v2/Users").await;
            assert_eq!(of(&users, &grace.id.to_string()).unwrap()["active"], true);
            let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
            push(&source).await;
            let users = there(&other, &token, "/scim/v2/Users").await;
            assert!(of(&users, &ada.id.to_string()).is_none());
            let groups = there(&other, &token, "/scim/v2/Groups").await;
            assert!(groups[0].get("members").is_none_or(|members| members == &json!([])), "{groups:?}");
            assert_eq!(target.counts(&site).await, [0, 1, 0, 0]);

            // The person who has that user name there already keeps the account.
            let joan = site.user("owner").await;
            push(&source).await;
            assert_eq!(target.link(&site, joan.id).await["state"], "failed");
        })
        .await;
    }
}
