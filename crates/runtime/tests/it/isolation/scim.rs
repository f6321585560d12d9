//! Every route of provisioning, called with every credential that is not the token of the organization's directory, and with ids that
//! are another organization's or another tenant's.

use serde_json::{Value, json};
use svc_http::{Guard, Method};
use svc_runtime::compose;

use super::visible;
use crate::control_plane::Operator;
use crate::harness::{Answer, Harness, Site};

const SEARCH: &str = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const BULK: &str = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
/// Ids that no resource has.
const NOTHING: [&str; 2] = ["usr_00000000000000000000000000", "scg_00000000000000000000000000"];

/// The directory of an organization, with a person and a group that it has provisioned.
struct Directory<'a> {
    site: &'a Site<'a>,
    token: String,
    user: String,
    group: String,
}

impl<'a> Directory<'a> {
    async fn of(site: &'a Site<'a>, slug: &str) -> Self {
        let owner = site.user(&format!("owner-{slug}")).await;
        let organization = site.organization(slug, owner.id).await;
        let body = json!({ "organization_id": organization.id, "name": slug });
        let path = "/api/v1/scim-tokens";
        let made = site.call(Method::POST, path, Some(&site.mint(|_| ())), Some(body)).await.expect(201);
        let mut own =
            Self { site, token: text(&made.json()["token"]), user: String::new(), group: String::new() };
        let user = json!({ "userName": format!("person-{slug}") });
        own.user = text(&own.send(Method::POST, "/scim/v2/Users", user).await.expect(201).json()["id"]);
        let group = json!({ "displayName": slug, "members": [{ "value": own.user }] });
        own.group = text(&own.send(Method::POST, "/scim/v2/Groups", group).await.expect(201).json()["id"]);
        own
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> Answer {
        self.site.call(method, path, Some(&self.token), Some(body).filter(|body| !body.is_null())).await
    }

    /// Calls a route about the resources of `owner`.
    async fn call(&self, route: &Route, [user, group]: [&str; 2]) -> Answer {
        self.send(route.method.clone(), &route.at(user, group), route.body(user)).await
    }

    fn ids(&self) -> [&str; 2] {
        [&self.user, &self.group]
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A declared route of provisioning.
#[derive(Debug)]
struct Route {
    method: Method,
    path: &'static str,
}

impl Route {
    fn all(h: &Harness) -> Vec<Self> {
        let routes = compose::planes_of(&h.app().config);
        let of_directories = routes.iter().filter(|route| route.guard == Guard::Scim);
        of_directories.map(|route| Self { method: route.method.clone(), path: route.path }).collect()
    }

    /// Whether it names one resource.
    fn is_of_one(&self) -> bool {
        self.path.ends_with("Users/{id}") || self.path.ends_with("Groups/{id}")
    }

    fn at(&self, user: &str, group: &str) -> String {
        let id = match self.path.split('/').nth(3).unwrap() {
            "Users" => user,
            "Groups" => group,
            "Schemas" => "urn:ietf:params:scim:schemas:core:2.0:User",
            _ => "User",
        };
        self.path.replace("{id}", id)
    }

    /// What it takes; the body of a group has the person as a member.
    fn body(&self, user: &str) -> Value {
        match (self.method.as_str(), self.path) {
            ("GET" | "DELETE", _) => Value::Null,
            (_, path) if path.ends_with("/.search") => json!({ "schemas": [SEARCH] }),
            (_, "/scim/v2/Bulk") => {
                let put = json!({ "method": "PUT", "path": format!("/Users/{user}"), "data": { "userName": "renamed" } });
                json!({ "schemas": [BULK], "Operations": [put] })
            }
            ("PATCH", "/scim/v2/Users/{id}") => {
                json!({ "schemas": [PATCH], "Operations": [{ "op": "replace", "path": "displayName", "value": "P" }] })
            }
            ("PATCH", _) => {
                json!({ "schemas": [PATCH], "Operations": [{ "op": "add", "path": "members", "value": [{ "value": user }] }] })
            }
            (_, path) if path.starts_with("/scim/v2/Users") => json!({ "userName": "somebody" }),
            _ => json!({ "displayName": "Some", "members": [{ "value": user }] }),
        }
    }
}

#[tokio::test]
async fn no_other_credential_opens_a_route_of_provisioning() {
    let h = Harness::new().await;
    let (main, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (own, foreign) = (Directory::of(&main, "initech").await, Directory::of(&globex, "globex").await);
    let path = "/api/v1/api-keys";
    let key = json!({ "name": "all", "scope": "tenant-users:read tenant-users:write organizations:read organizations:write" });
    let key = main.call(Method::POST, path, Some(&main.mint(|_| ())), Some(key)).await.expect(201).json();
    let (ada, web) = (main.user("ada").await, main.app("web").await);
    let code = web.code_with(&mut main.browser(), &ada, &[]).await;
    let person = web.exchange(&code).await.expect(200).json();
    let operator = Operator::created(&main, "grace").await.token().await;
    let credentials = [
        ("nothing", None),
        ("an application's token", Some(main.mint(|_| ()))),
        ("a person's token", Some(text(&person["access_token"]))),
        ("an API key", Some(text(&key["key"]))),
        ("an operator's token", Some(operator)),
        ("another tenant's directory", Some(foreign.token.clone())),
        ("a secret that no one has", Some("svc_scim_x".to_owned())),
    ];
    let routes = Route::all(&h);
    assert!(routes.len() >= 21, "{routes:?}");
    for route in &routes {
        for (whose, token) in &credentials {
            let (at, body) = (route.at(&own.user, &own.group), route.body(&own.user));
            let body = Some(body).filter(|body| !body.is_null());
            let answer = main.call(route.method.clone(), &at, token.as_deref(), body).await;
            assert_eq!(answer.status, 401, "{whose}: {route:?}: {answer:?}");
            assert_eq!(answer.json()["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]));
        }
    }
}

#[tokio::test]
async fn the_directory_s_own_token_opens_every_route_of_provisioning() {
    let h = Harness::new().await;
    let main = h.tenant("main").await;
    for (number, route) in Route::all(&h).iter().enumerate() {
        let own = Directory::of(&main, &format!("directory-{number}")).await;
        let answer = own.call(route, own.ids()).await;
        let expected = if route.path.ends_with("/Me") { 501..502 } else { 200..300 };
        assert!(expected.contains(&answer.status), "{route:?}: {answer:?}");
        // Names are the tenant's, and the next directory gives them again.
        if (route.method.as_str(), route.path) == ("POST", "/scim/v2/Users") {
            let made = format!("/scim/v2/Users/{}", text(&answer.json()["id"]));
            let _ = own.send(Method::DELETE, &made, Value::Null).await.expect(204);
        }
    }
}

#[tokio::test]
async fn ids_of_another_organization_and_of_another_tenant_are_answered_like_unknown_ones() {
    let h = Harness::new().await;
    let (main, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let own = Directory::of(&main, "initech").await;
    let others = [Directory::of(&main, "hooli").await, Directory::of(&globex, "globex").await];
    let routes = Route::all(&h);
    for theirs in &others {
        for route in routes.iter().filter(|route| route.is_of_one()) {
            let unknown = own.call(route, NOTHING).await;
            let foreign = own.call(route, theirs.ids()).await.expect(404);
            assert_eq!(visible(&foreign), visible(&unknown), "{route:?}");
        }
        // A member that is not the directory's own.
        for route in routes.iter().filter(|route| route.path.starts_with("/scim/v2/Groups")) {
            if matches!(route.method.as_str(), "POST" | "PUT" | "PATCH") && !route.path.ends_with("/.search")
            {
                let unknown = own.call(route, [NOTHING[0], &own.group]).await.expect(400);
                let foreign = own.call(route, [&theirs.user, &own.group]).await.expect(400);
                let told = foreign.body.replace(&theirs.user, NOTHING[0]);
                let request = |answer: &Answer| answer.header("x-request-id").to_owned();
                assert_eq!(
                    told.replace(&request(&foreign), ""),
                    unknown.body.replace(&request(&unknown), ""),
                    "{route:?}"
                );
            }
        }
        let operations: Vec<_> = [("Users", &theirs.user), ("Groups", &theirs.group)]
            .into_iter()
            .flat_map(|(kind, id)| {
                let data =
                    json!({ "Operations": [{ "op": "replace", "path": "displayName", "value": "P" }] });
                ["PUT", "PATCH", "DELETE"]
                    .map(|method| json!({ "method": method, "path": format!("/{kind}/{id}"), "data": data }))
            })
            .collect();
        let count = operations.len();
        let bulk = json!({ "schemas": [BULK], "Operations": operations });
        let answer = own.send(Method::POST, "/scim/v2/Bulk", bulk).await.expect(200).json();
        let statuses: Vec<_> =
            answer["Operations"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
        assert_eq!(statuses, vec![&json!("404"); count], "{answer}");
        // No list has them, and they are all still there.
        let lists = routes.iter().filter(|route| !route.path.contains("{id}"));
        let lists = lists.filter(|route| route.method == Method::GET || route.path.ends_with("/.search"));
        for route in lists {
            let listed = own.call(route, own.ids()).await.body;
            assert!(theirs.ids().iter().all(|id| !listed.contains(id)), "{route:?}: {listed}");
        }
        for (kind, id) in [("Users", &theirs.user), ("Groups", &theirs.group)] {
            let _ = theirs.send(Method::GET, &format!("/scim/v2/{kind}/{id}"), Value::Null).await.expect(200);
        }
    }
}
