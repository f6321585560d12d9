//! The rules of the house that no compiler holds: who depends on whom, and what the SQL texts are like.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::harness::Harness;
use crate::statements::statements;

/// Who may depend on whom inside the workspace.
const EDGES: &[(&str, &[&str])] = &[
    ("svc-core", &[]),
    ("svc-config", &["svc-core"]),
    ("svc-keys", &["svc-core"]),
    ("svc-kms", &["svc-core", "svc-keys"]),
    ("svc-db", &["svc-core"]),
    ("svc-domain", &["svc-core", "svc-config", "svc-keys", "svc-db"]),
    ("svc-http", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain"]),
    ("svc-auth", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain", "svc-http"]),
    ("svc-control", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain", "svc-http"]),
    ("svc-async", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain", "svc-http"]),
    (
        "svc-runtime",
        &[
            "svc-core",
            "svc-config",
            "svc-keys",
            "svc-db",
            "svc-domain",
            "svc-http",
            "svc-auth",
            "svc-control",
            "svc-async",
        ],
    ),
    ("svc-testkit", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain"]),
    ("svc-fuzz", &["svc-core", "svc-config", "svc-keys", "svc-db", "svc-domain", "svc-http", "svc-auth"]),
    ("xtask", &[]),
];

/// Crates that only one of ours may link: drivers, cryptography, the web framework, the mail transport.
const OWNED: &[(&str, &[&str])] = &[
    ("rusqlite", &["svc-db"]),
    ("tokio-postgres", &["svc-db", "svc-testkit"]),
    ("postgres-protocol", &["svc-db"]),
    ("redis", &["svc-db"]),
    ("aws-lc-rs", &["svc-keys", "svc-fuzz", "xtask"]),
    ("argon2", &["svc-keys"]),
    ("jsonwebtoken", &[]),
    ("cedar-policy", &["svc-domain"]),
    ("wasmi", &["svc-domain"]),
    ("webauthn-rs-core", &["svc-domain"]),
    ("axum", &["svc-http"]),
    ("axum-extra", &["svc-http"]),
    ("hyper", &["svc-http", "xtask"]),
    ("hyper-util", &["svc-http", "xtask"]),
    ("tower-http", &["svc-http"]),
    ("lettre", &["svc-async"]),
    ("prost", &["svc-http"]),
];

/// Account rows are the deployment's, and views carry their own condition.
const WITHOUT_TENANT: &[&str] = &["account", "people"];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The dependencies of our packages by name; those for tests only are left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(root());
    let output = command.output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let all = package["dependencies"].as_array().unwrap().iter();
            (name(package), all.filter(|dependency| dependency["kind"].is_null()).map(name).collect())
        })
        .collect()
}

#[test]
fn crates_depend_on_each_other_only_as_the_graph_allows() {
    let packages = dependencies();
    let known: BTreeSet<_> = EDGES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(packages.keys().cloned().collect::<BTreeSet<_>>(), known);
    for (name, allowed) in EDGES {
        let ours = packages[*name].iter().filter(|dependency| known.contains(*dependency));
        for dependency in ours {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn drivers_cryptography_and_the_web_framework_have_one_owner_each() {
    for (package, dependencies) in dependencies() {
        for (owned, owners) in OWNED {
            let is_allowed = owners.contains(&package.as_str()) || !dependencies.contains(*owned);
            assert!(is_allowed, "{package} must not link {owned}");
        }
    }
}

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "rs")
            && path.components().any(|part| part.as_os_str() == "src")
    };
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() && !path.ends_with("tests") {
            files.extend(sources(&path));
        } else if is_source(&path) && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Sections whose values are read through a binding of another name.
const BINDINGS: &[(&str, &str)] = &[
    ("chains[]", "chain"),
    ("database", "self"),
    ("email.smtp", "relay"),
    ("device_authorization", "config"),
    ("database.auth_pool", "pool"),
    ("database.control_pool", "pool"),
    ("database.async_pool", "pool"),
    ("social.google", "registered"),
    ("social.github", "registered"),
    ("social.microsoft", "registered"),
    ("social.gitlab", "registered"),
    ("social.discord", "registered"),
    ("social.facebook", "registered"),
    ("social.linkedin", "registered"),
    ("social.x", "registered"),
    ("social.slack", "registered"),
    ("social.spotify", "registered"),
    ("social.apple", "settings"),
    ("generic_oauth.providers[]", "settings"),
];

/// The code of the workspace without tests and without the declarations of the keys, each call chain on one line.
pub fn code() -> String {
    let mut code = String::new();
    for file in sources(&root().join("crates")) {
        let whole = std::fs::read_to_string(&file).unwrap();
        let text = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for (nth, part) in text.split("\nsection! {").enumerate() {
            let kept = if nth == 0 { part } else { part.split_once("\n}\n").map_or("", |(_, rest)| rest) };
            for line in kept.lines() {
                let line = line.trim();
                code.push_str(if line.starts_with('.') { "" } else { "\n" });
                code.push_str(line);
            }
        }
    }
    code
}

/// Whether `word` is in the text as a whole word.
fn names(text: &str, word: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

#[test]
fn a_key_without_effect_is_read_nowhere_and_every_other_key_somewhere() {
    let (keys, code) = (svc_config::keys(), code());
    let declared = |path: &Path| path.starts_with(root().join("crates/config"));
    let others: Vec<_> = sources(&root().join("crates")).into_iter().filter(|path| !declared(path)).collect();
    let outside: String = others.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut wrong = Vec::new();
    for (path, is_implemented) in &keys {
        let (section, key) = path.rsplit_once('.').unwrap();
        let last = section.trim_end_matches("[]").rsplit('.').next().unwrap();
        let is_unique = keys.iter().filter(|(other, _)| other.ends_with(&format!(".{key}"))).count() == 1;
        let bound = BINDINGS
            .iter()
            .find(|(bound, _)| *bound == section)
            .map(|(_, binding)| format!("{binding}.{key}"));
        if *is_implemented {
            let is_read = names(&code, &format!("{last}.{key}"))
                || (is_unique && code.contains(&format!(".{key}")))
                || bound.is_some_and(|bound| names(&code, &bound));
            wrong.extend((!is_read).then(|| format!("{path} is read nowhere: mark it in its section")));
        } else {
            let first = section.split(['.', '[']).next().unwrap();
            let of_section = |(path, _): &&(String, bool)| path.split(['.', '[']).next() == Some(first);
            let is_whole = keys.iter().filter(of_section).all(|(_, is_implemented)| !is_implemented);
            // Nothing of a section that is not implemented at all is looked at; names of its keys may mean other things.
            let is_read = names(&outside, &format!("config.{first}")) && is_whole
                || names(&outside, &format!("{last}.{key}"))
                || (is_unique && !is_whole && outside.contains(&format!(".{key}")));
            wrong.extend(is_read.then(|| format!("{path} is read: take its mark away")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn every_statement_of_the_workspace_is_understood_by_the_engine() {
    let h = Harness::new().await;
    let statements = statements();
    assert!(statements.len() > 60, "only {} statements were found", statements.len());
    let mut refused = Vec::new();
    for found in &statements {
        if let Err(error) = h.app().db.prepare_check(&found.text).await {
            refused.push(format!("{}: {error:?}\n    {}", found.place(), found.text));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The cursors of lists, which are ordered by what they begin with.
const CURSORS: [&str; 8] = [
    "id > $",
    "id < $",
    "organization_id > $",
    "organization_id < $",
    "(name_key, id) > ($",
    "(name_key, id) < ($",
    "(name_key, tenant_user_id) > ($",
    "m.tenant_user_id > $",
];

/// Whether a statement reads one page of a list.
fn is_page(text: &str) -> bool {
    let orders =
        ["ORDER BY id", "ORDER BY organization_id", "ORDER BY name_key, ", "ORDER BY name_key DESC, id DESC"];
    CURSORS.iter().any(|cursor| text.contains(&format!("AND {cursor}")))
        && orders.iter().any(|order| text.contains(order))
        && text.contains("LIMIT $")
}

/// The conditions that the engine looks up in an index, in the same words for both.
fn looked_up(plan: &str) -> Vec<String> {
    // What is computed for each row of the page comes last.
    let plan = ["CORRELATED SCALAR SUBQUERY", "SubPlan"]
        .iter()
        .fold(plan, |plan, mark| plan.split(mark).next().unwrap_or_default());
    let is_lookup = |line: &&str| line.contains("SEARCH") || line.contains("Index Cond:");
    // The account or the membership of a row that was found is joined by its id.
    let conditions = plan.lines().filter(is_lookup).map(|line| line.replace(' ', ""));
    conditions.filter(|line| !["(id=", "ANDid="].iter().any(|joined| line.contains(joined))).collect()
}

#[tokio::test]
async fn a_page_of_a_list_starts_at_its_cursor_or_reads_one_persons_rows_alone() {
    let h = Harness::new().await;
    let pages: Vec<_> = statements().into_iter().filter(|found| is_page(&found.text)).collect();
    assert!(pages.len() >= 12, "only {} lists were found", pages.len());
    for found in &pages {
        let (place, text) = (found.place(), &found.text);
        let plan = h.app().db.explain(text).await.unwrap();
        let starts = ["id>", "id<", "_key,id)>", "_key,id)<", "_key,tenant_user_id)>"];
        let narrow = ["tenant_user_id=", "hint=", "delivery_id="];
        // Of a whole tenant's list, only the cursor says where a page starts.
        let is_of_a_tenant =
            CURSORS.iter().any(|cursor| text.contains(&format!("tenant_id = $1 AND {cursor}")));
        let wanted = if is_of_a_tenant { starts.to_vec() } else { [&starts[..], &narrow].concat() };
        let searched = looked_up(&plan);
        assert!(!searched.is_empty(), "{place}: no index serves this list\n{plan}");
        for line in searched {
            assert!(
                wanted.iter().any(|condition| line.contains(condition)),
                "{place}: a page costs its depth\n{plan}"
            );
        }
    }
}

#[test]
fn every_join_of_a_tenant_statement_names_the_tenant_on_both_sides() {
    for found in statements().into_iter().filter(|found| found.is_tenants) {
        let (place, text) = (found.place(), &found.text);
        let parts: Vec<_> = text.split(" JOIN ").collect();
        for (before, join) in parts.iter().zip(&parts[1..]) {
            let is_exempt = WITHOUT_TENANT.iter().any(|name| join.starts_with(name));
            // What is joined in a fixed order has its condition behind `WHERE`.
            let behind = usize::from(before.ends_with(" CROSS"));
            let condition = join.split(" WHERE ").nth(behind).unwrap_or_default();
            assert!(
                is_exempt || condition.contains("tenant_id = "),
                "{place}: a JOIN without its tenant: {text}"
            );
        }
    }
}

/// To look for examples takes seconds for each crate, so that crates without any say so.
#[test]
fn a_crate_whose_documentation_has_examples_runs_them() {
    let is_fence = |line: &str| {
        let text = line.trim_start();
        let text = text.strip_prefix("//!").or_else(|| text.strip_prefix("///"));
        text.is_some_and(|text| text.trim_start().starts_with("```"))
    };
    let mut examples = 0;
    for file in sources(&root().join("crates")) {
        if !std::fs::read_to_string(&file).unwrap().lines().any(is_fence) {
            continue;
        }
        examples += 1;
        let package = file.ancestors().find(|folder| folder.join("Cargo.toml").exists()).unwrap();
        let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("doctest = false"), "{}: its examples do not run", file.display());
    }
    assert!(examples > 0);
}

/// A function that is handed over by name is called from the standard library, and the error's place would be there.
#[test]
fn errors_are_located_in_our_code() {
    for file in sources(&root().join("crates")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for bad in ["map_err(Error::", "map_err(svc_core::Error::"] {
            assert!(!text.contains(bad), "{}: {bad}…: use `or_internal` or a closure", file.display());
        }
    }
}

/// A function that notes its caller must be called by ours: handed over by name, it is called by the standard library.
#[test]
fn what_notes_its_caller_is_not_handed_over_by_name() {
    let texts: Vec<_> = sources(&root().join("crates"))
        .into_iter()
        .map(|file| (std::fs::read_to_string(&file).unwrap(), file))
        .collect();
    let noting: BTreeSet<&str> = texts.iter().flat_map(|(text, _)| noting_their_caller(text)).collect();
    assert!(noting.contains("of_sqlite") && noting.contains("of_pg"), "{noting:?}");
    for (text, file) in &texts {
        for argument in text.split("map_err(").skip(1) {
            let path = argument.split(')').next().unwrap();
            let name = path.rsplit("::").next().unwrap();
            assert!(!noting.contains(name), "{}: map_err({path}): use a closure", file.display());
        }
    }
}

/// The names of functions that are declared `#[track_caller]`.
fn noting_their_caller(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[track_caller]").skip(1).filter_map(|declared| {
        let rest = declared.split_once("fn ")?.1;
        rest.split(['(', '<']).next()
    })
}

#[test]
fn a_grant_is_named_in_its_own_file_and_nowhere_else() {
    let files = sources(&root().join("crates"));
    let names: Vec<_> =
        svc_auth::grant_types().map(|grant| grant.name).filter(|name| name.contains(':')).collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let holders: Vec<_> = files
            .iter()
            .filter(|path| std::fs::read_to_string(path).unwrap().contains(&format!("\"{name}\"")))
            .collect();
        assert_eq!(holders.len(), 1, "{name}: {holders:?}");
        assert!(holders[0].parent().unwrap().ends_with("token/grants"), "{holders:?}");
    }
}
