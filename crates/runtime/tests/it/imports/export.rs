//! The tenant's people as a file, which an import takes.

use svc_db::quiet_system_sql;
use svc_domain::people::guests;
use svc_keys::{Keyring, Purpose, SystemEntropy};
use svc_runtime::import::{Options, System};
use svc_runtime::people::{self, Written};

use super::factors::code;
use super::systems::{brought, options};
use super::*;

async fn exported(site: &Site<'_>, query: &str) -> String {
    let path = format!("{USERS}/export{query}");
    site.call(Method::GET, &path, Some(&site.mint(|_| ())), None).await.expect(200).body
}

#[tokio::test]
async fn an_export_can_be_imported_elsewhere_and_has_no_passwords() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let line = json!({ "external_id": "1", "email": "grace@old.example", "password_hash": { "value": BCRYPT },
        "public_metadata": { "plan": "gold" }, "profile": { "name": "Grace", "phone_number": "+15550100" },
        "factors": [{ "type": "totp", "secret": "JBSWY3DPEHPK3PXP" }] });
    imported(&site, json!({}), &[line]).await;
    let file = exported(&site, "").await;
    assert!(!file.contains("$2b$") && !file.contains("JBSWY3DPEHPK3PXP"), "{file}");
    let grace: Value = serde_json::from_str(file.lines().next().unwrap()).unwrap();
    assert_eq!((&grace["external_id"], &grace["public_metadata"]["plan"]), (&json!("1"), &json!("gold")));
    assert_eq!(grace["profile"]["phone_number"], "+15550100");
    assert_eq!(imported(&other, json!({}), &[grace]).await["counts"]["linked"], 1);
    assert_eq!(exported(&other, "").await, "", "those who have not agreed are not in it");
}

#[tokio::test]
async fn people_of_two_systems_with_one_id_are_two_people_in_an_export() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let from = |source: &str, line: Value| (json!({ "source": source }), line);
    for (system, line) in [
        from("crm", json!({ "external_id": "1", "email": "grace@old.example" })),
        from("shop", json!({ "external_id": "1", "email": "ada@old.example" })),
        from("shop", json!({ "external_id": "2", "email": "eve@old.example" })),
    ] {
        assert_eq!(imported(&site, system, &[line]).await["counts"]["created"], 1);
    }
    let mut expected = vec![("eve@old.example".to_owned(), "2".to_owned())];
    for email in ["grace@old.example", "ada@old.example"] {
        let id = member(&site, email).await["id"].as_str().unwrap().to_owned();
        expected.push((email.to_owned(), id));
    }
    let file = exported(&site, "").await;
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |line: &Value, member: &str| line[member].as_str().unwrap().to_owned();
    let mut ids: Vec<_> = lines.iter().map(|line| (text(line, "email"), text(line, "external_id"))).collect();
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
    let there = Harness::new().await;
    let other = there.tenant("other").await;
    assert_eq!(imported(&other, json!({}), &lines).await["counts"]["created"], 3);
}

#[tokio::test]
async fn an_import_passes_over_the_guests_of_an_export_and_no_other_line_without_a_name() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let app = site.app("web").await.id.parse().unwrap();
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    guests::create(&mut tx, &h.operator(), app).await.unwrap();
    tx.commit().await.unwrap();
    let guest: Value = serde_json::from_str(&exported(&site, "").await).unwrap();
    assert_eq!(guest["kept"]["subject_type"], "anonymous");
    let nameless = json!({ "external_id": "1", "kept": { "sub": "1" } });
    let outcome = imported(&other, json!({ "on_conflict": "fail" }), &[guest, nameless]).await;
    assert_eq!(
        (&outcome["counts"]["skipped"], &outcome["counts"]["failed"]),
        (&json!(1), &json!(1)),
        "{outcome}"
    );
    assert_eq!(outcome["failures"][0]["line"], 2, "{outcome}");
}

#[tokio::test]
async fn an_operator_moves_people_with_their_passwords_and_apps_to_another_deployment() {
    let (here, there) = (Harness::new().await, Harness::new().await);
    let (site, elsewhere) = (here.tenant("main").await, there.tenant("new-home").await);
    let line = json!({ "external_id": "1", "email": "grace@old.example", "password_hash": { "value": BCRYPT },
        "totp_secret": "JBSWY3DPEHPK3PXP" });
    imported(&site, json!({}), &[line]).await;
    let shared = site.user("ada").await;
    let folder = tempfile::tempdir().unwrap();
    let (app, cx) = (here.app(), here.operator());
    let sealer = app.services.keyring.sealer(Purpose::Credentials);
    let [plain, secret] = ["plain.jsonl", "secret.jsonl"].map(|name| folder.path().join(name));
    for (path, secrets) in [(&plain, None), (&secret, Some(&sealer))] {
        let written = people::write(&app.db, &cx, site.tenant.id, (path, secrets)).await.unwrap();
        assert_eq!(written, Written { people: 2, unopened: Vec::new() });
    }
    let refused = people::write(&app.db, &cx, site.tenant.id, (&secret, None)).await.unwrap_err();
    assert!(refused.to_string().starts_with("--people "), "{refused}");
    let text = |path| std::fs::read_to_string(path).unwrap();
    assert!(!text(&plain).contains("$2b$") && !text(&plain).contains("JBSWY3DPEHPK3PXP"));
    let hers = text(&secret).lines().find(|line| line.contains(&shared.email)).unwrap().to_owned();
    assert!(!hers.contains("password_hash") && !hers.contains("argon2"), "{hers}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&secret).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let options = Options { file: secret, ..options(System::Jsonl, "people.jsonl") };
    let (import, told) = brought(&elsewhere, &options).await;
    assert_eq!((import.counts.created, import.counts.failed), (2, 0), "{told:?}");
    let (mut browser, page) = attempt(&elsewhere.app("new").await, "grace@old.example", PASSWORD).await;
    assert!(page.body.contains("totp-submit"), "{page:?}");
    let code = code(&there, "JBSWY3DPEHPK3PXP");
    assert!(browser.submit(&page, &[("code", &code)]).await.begins_session());
}

#[tokio::test]
async fn an_app_whose_secret_does_not_open_is_named_and_the_rest_is_exported() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let line = json!({ "external_id": "1", "email": "grace@old.example", "password_hash": { "value": BCRYPT },
        "totp_secret": "JBSWY3DPEHPK3PXP" });
    imported(&site, json!({}), &[line]).await;
    let id = member(&site, "grace@old.example").await["id"].as_str().unwrap().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let (app, cx) = (h.app(), h.operator());
    let [file, part] = ["people.jsonl", "part.jsonl"].map(|name| folder.path().join(name));
    let other = Keyring::ephemeral(&SystemEntropy, cx.now).sealer(Purpose::Credentials);
    let written = people::write(&app.db, &cx, site.tenant.id, (&file, Some(&other))).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("$2b$") && !text.contains("JBSWY3DPEHPK3PXP"), "{text}");
    let [unopened] = &written.unopened[..] else { panic!("{written:?}") };
    assert!(unopened.ends_with(&format!(" of {id}")), "{unopened}");
    let said = written.complete().unwrap_err().to_string();
    let expected =
        format!("the file is without 1 app for one-time codes, whose secrets do not open: {unopened}; ");
    assert!(said.starts_with(&expected), "{said}");

    let torn =
        quiet_system_sql!("a test", "UPDATE account_credentials SET document = 'torn' WHERE kind = 'totp'");
    let mut tx = app.db.begin_system().await.unwrap();
    tx.execute(torn, args![]).await.unwrap();
    tx.commit().await.unwrap();
    let sealer = app.services.keyring.sealer(Purpose::Credentials);
    assert!(people::write(&app.db, &cx, site.tenant.id, (&part, Some(&sealer))).await.is_err());
    assert!(!part.exists(), "a part is no export");
}

#[tokio::test]
async fn an_export_has_the_name_alone_of_an_account_that_the_tenant_does_not_manage() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.user("ada").await;
    let ada: Value = serde_json::from_str(&exported(&site, "").await).unwrap();
    assert_eq!(ada["profile"], json!({ "name": "ada of main" }));
}

#[tokio::test]
async fn an_export_as_csv_is_text_for_a_spreadsheet() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    imported(&site, json!({}), &[json!({ "email": "eve@old.example", "profile": { "name": "=1+1" } })]).await;
    let file = exported(&site, "?format=csv").await;
    assert!(file.starts_with("external_id,email,") && file.contains(",'=1+1,"), "{file}");
}

#[tokio::test]
async fn roles_with_the_separator_in_their_names_come_back_from_csv_as_they_were() {
    let (here, there) = (Harness::new().await, Harness::new().await);
    let (site, elsewhere) = (here.tenant("main").await, there.tenant("new-home").await);
    let roles = ["read;write", "corp\\staff", "editor"];
    for name in roles {
        site.role(name, &[]).await;
        elsewhere.role(name, &[]).await;
    }
    let line = json!({ "external_id": "1", "email": "grace@old.example", "roles": roles });
    imported(&site, json!({}), &[line]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    std::fs::write(&file, exported(&site, "?format=csv").await).unwrap();
    let options = Options { file, with_roles: true, ..options(System::Csv, "people.csv") };
    let (import, told) = brought(&elsewhere, &options).await;
    assert_eq!(import.counts.created, 1, "{told:?}");
    let sorted = |person: Value| {
        let mut roles: Vec<String> = serde_json::from_value(person["roles"].clone()).unwrap();
        roles.sort();
        roles
    };
    assert_eq!(
        sorted(member(&elsewhere, "grace@old.example").await),
        ["corp\\staff", "editor", "read;write"]
    );
}
