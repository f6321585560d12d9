//! Modules of a tenant that answer as hooks: uploaded, named, run within bounds, and deleted when no hook names them.

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::base64;

use super::post_first_factor::enter;
use super::{HOOKS, NOTES, call, constant, entries};
use crate::harness::client::claims as claims_of;
use crate::harness::{Answer, Client, Harness, Site};

const MODULES: &str = "/api/v1/hook-modules";
const ALLOW: &str = r#"{"verdict":"allow"}"#;
const DENY: &str = r#"{"verdict":"deny","message":"For members only"}"#;

async fn upload(site: &Site<'_>, module: &[u8]) -> Answer {
    upload_as(site, "Members only", module).await
}

async fn upload_as(site: &Site<'_>, name: &str, module: &[u8]) -> Answer {
    let body = json!({ "name": name, "module": base64(module) });
    call(site, Method::POST, MODULES, Some(body)).await
}

/// The id of an uploaded module, which is called by its digest.
async fn module(site: &Site<'_>, module: &[u8]) -> String {
    let name = svc_keys::hex(svc_keys::sha256(module));
    upload_as(site, &name, module).await.expect(201).json()["id"].as_str().unwrap().to_owned()
}

/// The path of a hook that asks a module at a point.
async fn asking(site: &Site<'_>, point: &str, module: &str) -> String {
    let body = json!({ "point": point, "kind": "wasm", "module_id": module, "on_failure": "deny" });
    let made = call(site, Method::POST, HOOKS, Some(body)).await.expect(201).json();
    assert_eq!([&made["kind"], &made["url"], &made["secret"]], [&json!("wasm"), &Value::Null, &Value::Null]);
    let _ = site.harness.informed_app().await;
    format!("{HOOKS}/{}", made["id"].as_str().unwrap())
}

/// A module that answers one thing where the question has a text in it, and another where it does not.
fn searching(text: &str, found: &str, otherwise: &str) -> Vec<u8> {
    let place = |at: u64, answer: &str| at << 32 | answer.len() as u64;
    let (found_at, otherwise_at) = (place(4096, found), place(1024, otherwise));
    let length = text.len();
    let source = format!(
        r#"(module (memory (export "memory") 2)
        (data (i32.const 16) {text:?}) (data (i32.const 1024) {otherwise:?}) (data (i32.const 4096) {found:?})
        (func (export "allocate") (param i32) (result i32) (i32.const 65536))
        (func (export "decide") (param $at i32) (param $length i32) (result i64) (local $i i32) (local $j i32)
          (block $absent (loop $each
            (br_if $absent (i32.gt_u (i32.add (local.get $i) (i32.const {length})) (local.get $length)))
            (local.set $j (i32.const 0))
            (block $differs
              (loop $same
                (br_if $differs (i32.ne (i32.load8_u (i32.add (local.get $at) (i32.add (local.get $i) (local.get $j))))
                  (i32.load8_u offset=16 (local.get $j))))
                (local.set $j (i32.add (local.get $j) (i32.const 1)))
                (br_if $same (i32.lt_u (local.get $j) (i32.const {length}))))
              (return (i64.const {found_at})))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $each)))
          (i64.const {otherwise_at})))"#
    );
    wat::parse_str(source).unwrap()
}

/// A module that never answers.
fn endless() -> Vec<u8> {
    let source = r#"(module (memory (export "memory") 2)
        (func (export "allocate") (param i32) (result i32) (i32.const 65536))
        (func (export "decide") (param i32 i32) (result i64) (loop (br 0)) (unreachable)))"#;
    wat::parse_str(source).unwrap()
}

async fn own_status(web: &Client<'_>) -> u16 {
    web.token(&[("grant_type", "client_credentials"), ("resource", NOTES)], &[]).await.status
}

#[tokio::test]
async fn a_module_is_uploaded_read_listed_and_deleted_when_no_hook_names_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let bytes = constant(ALLOW);
    let made = upload(&site, &bytes).await.expect(201);
    let record = made.json();
    let path = format!("{MODULES}/{}", record["id"].as_str().unwrap());
    assert_eq!(made.header("location"), path);
    let known = ["name", "size", "sha256"].map(|member| record[member].clone());
    let sha256 = svc_keys::hex(svc_keys::sha256(&bytes));
    assert_eq!(known, [json!("Members only"), json!(bytes.len()), json!(sha256)]);
    assert_eq!(call(&site, Method::GET, &path, None).await.expect(200).json(), record);
    assert_eq!(call(&site, Method::GET, MODULES, None).await.expect(200).json()["data"], json!([record]));

    let hook = asking(&site, "pre_token", record["id"].as_str().unwrap()).await;
    let refused = call(&site, Method::DELETE, &path, None).await.expect_problem(409, "conflict").json();
    assert!(refused["detail"].as_str().unwrap().contains(hook.rsplit('/').next().unwrap()), "{refused}");
    let _ = call(&site, Method::DELETE, &hook, None).await.expect(204);
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = call(&site, Method::GET, &path, None).await.expect_problem(404, "not_found");
    for action in ["hook_module.created", "hook_module.deleted"] {
        assert_eq!(entries(&site, action).await.len(), 1, "{action}");
    }
}

#[tokio::test]
async fn a_module_has_a_name_that_no_other_module_of_its_tenant_has() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let made = upload(&site, &constant(ALLOW)).await.expect(201).json();
    let refused = upload(&site, &constant(DENY)).await.expect_problem(409, "conflict").json();
    assert_eq!(refused["detail"], "name: a module of this name exists");
    let _ = upload(&other, &constant(DENY)).await.expect(201);
    let path = format!("{MODULES}/{}", made["id"].as_str().unwrap());
    let _ = call(&site, Method::DELETE, &path, None).await.expect(204);
    let _ = upload(&site, &constant(DENY)).await.expect(201);
}

#[tokio::test]
async fn what_is_no_module_of_a_hook_is_refused_where_it_is_uploaded() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let importing = r#"(module (import "env" "now" (func (result i64))))"#;
    for (body, part) in [
        (json!({ "name": "x", "module": "%%%" }), "base64"),
        (json!({ "name": "x", "module": base64(b"#!/bin/sh") }), "no WebAssembly module"),
        (json!({ "name": "x", "module": base64(wat::parse_str(importing).unwrap()) }), "env.now"),
        (json!({ "name": "x", "module": base64(wat::parse_str("(module)").unwrap()) }), "memory"),
        (json!({ "name": "x", "module": base64(vec![0; (1 << 20) + 1]) }), "at most 1048576 bytes"),
        (json!({ "name": "", "module": base64(constant(ALLOW)) }), "name"),
        (json!({ "name": "x\n", "module": base64(constant(ALLOW)) }), "name"),
        (json!({ "name": "x", "module": base64(constant(ALLOW)), "id": "hkm_1" }), "id"),
    ] {
        let refused = call(&site, Method::POST, MODULES, Some(body)).await.expect_problem(400, "bad_request");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(part), "{part}: {detail}");
    }
    let _ = upload(&site, &vec![0; 3 << 20]).await.expect_problem(413, "payload_too_large");
    assert_eq!(call(&site, Method::GET, MODULES, None).await.expect(200).json()["data"], json!([]));
}

#[tokio::test]
async fn a_hook_has_an_address_or_a_module_of_its_tenant_as_its_kind_says() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (mine, theirs) = (module(&site, &constant(ALLOW)).await, module(&other, &constant(ALLOW)).await);
    let url = "https://receiver.example/hook";
    for (members, part) in [
        (json!({ "kind": "wasm" }), "module_id"),
        (json!({ "kind": "wasm", "module_id": theirs }), "module_id"),
        (json!({ "kind": "wasm", "module_id": mine, "url": url }), "url"),
        (json!({ "kind": "wasm", "module_id": mine, "secret": "s".repeat(43) }), "secret"),
        (json!({ "kind": "http" }), "url"),
        (json!({ "url": url, "module_id": mine }), "module_id"),
    ] {
        let mut body = json!({ "point": "pre_token", "on_failure": "deny" });
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let refused = call(&site, Method::POST, HOOKS, Some(body)).await.expect_problem(400, "bad_request");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(part), "{members}: {detail}");
    }
    let hook = asking(&site, "pre_token", &mine).await;
    let _ = call(&site, Method::PATCH, &hook, Some(json!({ "module_id": theirs })))
        .await
        .expect_problem(400, "bad_request");
    let _ =
        call(&site, Method::GET, &format!("{MODULES}/{theirs}"), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_module_decides_who_registers_and_the_next_one_at_once_after_it_is_named() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    let members = module(&site, &searching("@member.example\"", ALLOW, DENY)).await;
    let hook = asking(&site, "pre_registration", &members).await;
    let register = async |email: &str| {
        let mut browser = site.browser();
        let page =
            browser.get(&web.authorize_path(&web.verifier(), &[("prompt", "create")])).await.expect(200);
        browser.submit(&page, &[("email", email)]).await.expect(200).body
    };
    assert!(register("grace@elsewhere.example").await.contains("You cannot register here"));
    assert!(h.mails().await.is_empty());
    assert!(!register("grace@member.example").await.contains("You cannot register here"));
    assert_eq!(h.mails().await.len(), 1);
    assert_eq!(entries(&site, "hook.denied").await[0]["detail"]["reason"], "verdict");

    let all = module(&site, &constant(ALLOW)).await;
    let _ = call(&site, Method::PATCH, &hook, Some(json!({ "module_id": all }))).await.expect(200);
    let _ = h.informed_app().await;
    assert!(!register("grace@elsewhere.example").await.contains("You cannot register here"));
}

#[tokio::test]
async fn a_module_adds_claims_and_its_message_reaches_the_client() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let answer = r#"{"verdict":"allow","claims":{"access_token":{"tier":3}}}"#;
    let hook = asking(&site, "pre_token", &module(&site, &constant(answer)).await).await;
    let form = [("grant_type", "client_credentials"), ("resource", NOTES)];
    let token = web.token(&form, &[]).await.expect(200).json();
    let token = claims_of(token["access_token"].as_str().unwrap());
    assert_eq!(token["tier"], json!(3));
    let deny = module(&site, &constant(DENY)).await;
    let _ = call(&site, Method::PATCH, &hook, Some(json!({ "module_id": deny }))).await.expect(200);
    let _ = h.informed_app().await;
    let refused = web.token(&form, &[]).await.expect(400).json();
    assert_eq!([&refused["error"], &refused["error_description"]], ["access_denied", "For members only"]);
}

#[tokio::test]
async fn a_module_asks_for_the_second_factor_of_those_who_have_one_and_lets_no_one_else_in() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada, eve) = (site.app("web").await, site.user("ada").await, site.user("eve").await);
    site.second_factor(eve.id).await;
    let factor = r#"{"verdict":"require_factor"}"#;
    let strict = module(&site, &searching("\"has_second_factor\":true", factor, DENY)).await;
    asking(&site, "post_first_factor", &strict).await;
    let page = enter(&web, &mut site.browser(), &eve).await.expect(200);
    assert!(page.body.contains("One more step") && !page.begins_session(), "{page:?}");
    let page = enter(&web, &mut site.browser(), &ada).await.expect(403);
    assert!(page.body.contains("You cannot sign in here now") && !page.begins_session(), "{page:?}");
}

#[tokio::test]
async fn a_module_that_does_not_end_or_answers_nonsense_is_a_fault() {
    let h = Harness::with(&[("SVC_HOOKS__MODULE_FUEL", "2000000")]).await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let hook = asking(&site, "pre_token", &module(&site, &constant(ALLOW)).await).await;
    assert_eq!(own_status(&web).await, 200);
    for (bytes, fault) in [
        (endless(), "it used all of its fuel"),
        (constant("{\"verdict\":"), "the body"),
        (constant(""), "the body"),
        (constant(r#"{"verdict":"allow","claims":{"access_token":{"sub":"root"}}}"#), "sub"),
    ] {
        let id = module(&site, &bytes).await;
        for (on_failure, status) in [("deny", 503), ("allow", 200)] {
            let change = json!({ "module_id": id, "on_failure": on_failure });
            let _ = call(&site, Method::PATCH, &hook, Some(change)).await.expect(200);
            let _ = h.informed_app().await;
            assert_eq!(own_status(&web).await, status, "{fault} {on_failure}");
        }
        h.advance(11);
        let trial = call(&site, Method::POST, &format!("{hook}/test"), None).await.expect(200).json();
        assert!(trial["fault"].as_str().unwrap().contains(fault), "{trial}");
        assert_eq!([&trial["verdict"], &trial["request"]["headers"]], [&Value::Null, &json!({})]);
    }
}

#[tokio::test]
async fn a_module_has_the_memory_of_the_deployment() {
    let source = |pages: u32| {
        let place = 1024_u64 << 32 | ALLOW.len() as u64;
        let source = format!(
            r#"(module (memory (export "memory") {pages}) (data (i32.const 1024) {ALLOW:?})
            (func (export "allocate") (param i32) (result i32) (i32.const 65536))
            (func (export "decide") (param i32 i32) (result i64) (i64.const {place})))"#
        );
        wat::parse_str(source).unwrap()
    };
    let h = Harness::with(&[("SVC_HOOKS__MODULE_MEMORY_MIB", "1")]).await;
    let site = h.tenant("main").await;
    site.api(NOTES, &["notes:read"]).await;
    let web = site.app("web").await;
    let hook = asking(&site, "pre_token", &module(&site, &source(16)).await).await;
    assert_eq!(own_status(&web).await, 200, "a page has 64 KiB");
    let change = json!({ "module_id": module(&site, &source(17)).await });
    let _ = call(&site, Method::PATCH, &hook, Some(change)).await.expect(200);
    let _ = h.informed_app().await;
    assert_eq!(own_status(&web).await, 503);
}

#[tokio::test]
async fn a_deployment_may_run_no_modules_and_a_tenant_keeps_so_many() {
    let h = Harness::with(&[("SVC_HOOKS__MAX_MODULES", "1")]).await;
    let site = h.tenant("main").await;
    let id = module(&site, &constant(ALLOW)).await;
    let _ = upload(&site, &constant(DENY)).await.expect_problem(409, "conflict");
    let _ = call(&site, Method::DELETE, &format!("{MODULES}/{id}"), None).await.expect(204);
    let _ = upload(&site, &constant(DENY)).await.expect(201);
    let without = h.restarted_with(&[("SVC_HOOKS__MAX_MODULES", "0")]).await;
    let site = Site { harness: &without, ..site.clone() };
    let _ = upload(&site, &constant(ALLOW)).await.expect_problem(403, "forbidden");
}
