//! Each plane serves its routes and no other, and its PostgreSQL role may do what the plane does and nothing else.

use std::collections::BTreeSet;

use svc_config::Config;
use svc_db::{Db, Engine, SystemSql, Value};
use svc_domain::access::{FUNCTIONS, Role, TABLES};
use svc_http::{Body, Request};
use svc_runtime::compose;

use crate::docs::root;
use crate::harness::Harness;
use crate::harness::database::Database;

/// A method and a path with its parameters in braces.
type Address = (String, &'static str);

fn served(plane: &str) -> BTreeSet<Address> {
    let env = [("SVC_RUNTIME_PLANE", plane), ("SVC_OPENAPI__ENABLED", "true")];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::load(None, &env).unwrap_or_else(|faults| panic!("{faults}"));
    compose::planes_of(&config).iter().map(|route| (route.method.to_string(), route.path)).collect()
}

#[test]
fn each_route_belongs_to_one_plane() {
    let [all, auth, control, everywhere] = ["all", "auth", "control", "async"].map(served);
    let paths: Vec<_> = everywhere.iter().map(|(_, path)| *path).collect();
    let operational = ["/errors/{class}", "/health/live", "/health/ready", "/health/startup", "/metrics"];
    assert_eq!(paths, operational, "jobs need no route");
    let twice: BTreeSet<_> = auth.intersection(&control).cloned().collect();
    let twice: Vec<_> = twice.difference(&everywhere).collect();
    // The plane that publishes the description of the API has its page where the other has the landing page.
    assert_eq!(twice, [&("GET".to_owned(), "/")]);
    assert_eq!(auth.union(&control).cloned().collect::<BTreeSet<_>>(), all);
}

/// The addresses at which a process of this plane answers anything.
async fn answered(plane: &str, asked: &BTreeSet<Address>) -> BTreeSet<Address> {
    let h = Harness::with(&[("SVC_RUNTIME_PLANE", plane)]).await;
    let site = h.tenant("acme").await;
    let mut answered = BTreeSet::new();
    for (method, path) in asked {
        let parts = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
        let request = Request::builder().method(method.as_str()).uri(parts.collect::<Vec<_>>().join("/"));
        let answer = h.send(request.header("host", &site.host).body(Body::empty()).unwrap()).await;
        let is_nowhere = answer.status == 404 && answer.body.contains("nothing is at this address");
        if !is_nowhere {
            answered.insert((method.clone(), *path));
        }
    }
    answered
}

#[tokio::test]
async fn each_plane_answers_at_its_routes_and_at_no_other() {
    let all = served("all");
    // What a tenant has not switched on answers like an address where nothing is.
    let switched_on = answered("all", &all).await;
    assert!(switched_on.len() * 4 > all.len() * 3, "{switched_on:?}");
    for plane in ["auth", "control", "async"] {
        let own: BTreeSet<_> = served(plane).intersection(&switched_on).cloned().collect();
        assert_eq!(answered(plane, &all).await, own, "{plane}");
    }
}

/// A `location` of the documented proxy: whether it is one path alone, the path, the plane.
fn documented() -> Vec<(bool, String, String)> {
    let page = std::fs::read_to_string(root("docs/how-to/planes.md")).unwrap();
    let locations = page.lines().filter_map(|line| line.strip_prefix("location "));
    let parsed = locations.map(|line| {
        let (place, target) = line.split_once('{').unwrap();
        let plane = target.split("https://").nth(1).unwrap().split(';').next().unwrap();
        let place = place.trim();
        let exact = place.strip_prefix("= ");
        (exact.is_some(), exact.unwrap_or(place).to_owned(), plane.to_owned())
    });
    parsed.collect()
}

#[test]
fn the_documented_proxy_sends_each_path_to_its_plane() {
    let locations = documented();
    assert_eq!(locations.iter().filter(|(_, place, _)| place == "/").count(), 2, "{locations:?}");
    let [auth, control] = ["auth", "control"].map(served);
    for (method, path) in auth.union(&control) {
        let exact = locations.iter().find(|(is_exact, place, _)| *is_exact && place == path);
        let prefixes = locations.iter().filter(|(is_exact, place, _)| !is_exact && path.starts_with(place));
        let (_, _, plane) = exact.or(prefixes.max_by_key(|(_, place, _)| place.len())).unwrap();
        let owner = if plane == "auth" { &auth } else { &control };
        assert!(owner.contains(&(method.clone(), *path)), "{method} {path} is sent to {plane}");
    }
}

/// The paths of the chart's ingress: whether it is one path alone, the path, the plane.
fn of_the_ingress() -> Vec<(bool, String, String)> {
    let template = std::fs::read_to_string(root("packaging/helm/svc/templates/ingress.yaml")).unwrap();
    let paths = template.split("- path: ").skip(1).map(|rule| {
        let after = |key: &str| rule.split(key).nth(1).unwrap().lines().next().unwrap().to_owned();
        let path = rule.lines().next().unwrap().to_owned();
        (after("pathType: ") == "Exact", path, after("name: {{ $.Release.Name }}-"))
    });
    paths.collect()
}

/// A prefix of an ingress consists of whole segments.
fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[test]
fn the_ingress_of_the_chart_sends_each_path_to_its_plane() {
    let rules = of_the_ingress();
    assert!(rules.len() > 5, "{rules:?}");
    // The chart is for production, which publishes no description of the API.
    let is_described = |(_, path): &Address| ["/", "/openapi.json"].contains(path);
    let [auth, control] = ["auth", "control"].map(served);
    for (method, path) in auth.union(&control).filter(|address| !is_described(address)) {
        let exact = rules.iter().find(|(is_exact, place, _)| *is_exact && place == path);
        let prefixes = rules.iter().filter(|(is_exact, place, _)| !is_exact && is_below(path, place));
        let (_, _, plane) = exact.or(prefixes.max_by_key(|(_, place, _)| place.len())).unwrap();
        let owner = if plane == "auth" { &auth } else { &control };
        assert!(owner.contains(&(method.clone(), *path)), "{method} {path} is sent to {plane}");
    }
}

#[test]
fn the_chart_keeps_every_secret_of_the_configuration_out_of_its_config_map() {
    let template = std::fs::read_to_string(root("packaging/helm/svc/templates/_helpers.tpl")).unwrap();
    let list =
        template.split("define \"svc.secretKeys\" -}}").nth(1).unwrap().split("{{- end }}").next().unwrap();
    let refused: Vec<_> = list.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let example = std::fs::read_to_string(root("svc.example.toml")).unwrap();
    let (mut section, mut secrets) = (String::new(), 0);
    for line in example.lines().map(|line| line.trim_start_matches('#').trim_start()) {
        if let Some(name) = line.strip_prefix('[') {
            name.trim_matches(['[', ']']).clone_into(&mut section);
        }
        let Some((key, value)) = line.split_once(" = ") else { continue };
        if value == "\"<secret>\"" || value.starts_with("\"postgres://") {
            let path = format!(".{section}.{key}");
            assert!(refused.iter().any(|refused| path.ends_with(&format!(".{refused}"))), "{path}");
            secrets += 1;
        }
    }
    assert!(secrets > 20, "{secrets}");
}

async fn names(db: &Db) -> BTreeSet<String> {
    let select = match db.engine() {
        Engine::Postgres => {
            "SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
             AND relkind IN ('r', 'p', 'v') AND NOT relispartition"
        }
        Engine::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        }
    };
    let rows = db.read_system().await.unwrap().all(SystemSql::new(select), &[]).await.unwrap();
    rows.iter().map(|row| row.text("name").unwrap()).collect()
}

#[tokio::test]
async fn every_table_says_what_each_role_may_do_with_it() {
    let database = Database::fresh().await;
    let declared: BTreeSet<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    assert_eq!(names(&database.db).await, declared, "domain/src/access.rs and the schema differ");
}

#[tokio::test]
async fn each_role_has_the_rights_that_are_declared_and_no_other() {
    const RIGHTS: [&str; 7] = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"];
    let database = Database::fresh().await;
    if database.db.engine() == Engine::Sqlite {
        return; // It has no roles.
    }
    database.make_roles().await;
    // Twice, because it is run after each migration.
    database.make_roles().await;
    let may = SystemSql::new("SELECT has_table_privilege($1, $2) AS may");
    let may_call = SystemSql::new("SELECT has_function_privilege($1, 'EXECUTE') AS may");
    let parts = SystemSql::new(
        "SELECT count(*) AS number FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relispartition \
         AND relkind = 'r' AND has_table_privilege(oid, 'SELECT, INSERT, UPDATE, DELETE')",
    );
    for role in Role::ALL {
        let db = database.open_as(role);
        assert!(!db.bypasses_row_security().await.unwrap(), "{role:?}");
        for table in TABLES {
            let declared: Vec<_> = table.rights(role).collect();
            let mut tx = db.read_system().await.unwrap();
            for right in RIGHTS {
                let row = tx.one(may, &[Value::from(table.name), Value::from(right)]).await.unwrap();
                let expected = declared.contains(&right);
                assert_eq!(row.flag("may").unwrap(), expected, "{role:?}: {right} on {}", table.name);
            }
        }
        for (function, callers) in FUNCTIONS {
            let row = db.read_system().await.unwrap().one(may_call, &[Value::from(*function)]).await.unwrap();
            assert_eq!(row.flag("may").unwrap(), callers.contains(&role), "{role:?}: {function}");
        }
        let reached = db.read_system().await.unwrap().one(parts, &[]).await.unwrap();
        assert_eq!(reached.int("number").unwrap(), 0, "{role:?} reaches months past their tables");
        db.close().await;
    }
}
