//! A file of each system, and a person of it who signs in with the old password.

use std::path::{Path, PathBuf};

use svc_core::Cx;
use svc_domain::people::imports::Import;
use svc_keys::Purpose;
use svc_runtime::Failure;
use svc_runtime::import::{Conflict, Options, System, Target, bring};

use super::*;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/imports/files").join(name)
}

pub(super) fn options(from: System, name: &str) -> Options {
    Options {
        file: file(name),
        from,
        tenant: "main".to_owned(),
        on_conflict: Conflict::Skip,
        dry_run: false,
        with_roles: false,
        hashes: None,
        hash_parameters: None,
        rp_id: None,
        resume: None,
    }
}

/// The import, and what was told of it.
pub(super) async fn brought(site: &Site<'_>, options: &Options) -> (Import, Vec<String>) {
    brought_by(site, options, &site.harness.operator()).await.unwrap()
}

/// The same in the course of a call.
async fn brought_by(site: &Site<'_>, options: &Options, cx: &Cx) -> Result<(Import, Vec<String>), Failure> {
    let app = site.harness.app();
    let sealer = app.services.sealers.of(site.tenant.id, Purpose::Credentials, cx).await.unwrap();
    let accounts = app.services.keyring.sealer(Purpose::Credentials);
    let (db, tenant, clock) = (&app.db, site.tenant.id, &*app.clock);
    let target = Target { db, tenant, sealer: &sealer, accounts: &accounts, cx, clock };
    let mut told = Vec::new();
    let import = bring(&target, options, &mut |text| told.push(text.to_owned())).await?;
    Ok((import, told))
}

/// Imports a file, and lets people of it sign in; a second run changes nothing.
async fn moves_here(options: Options, people: &[&str], failed: u64) {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, told) = brought(&site, &options).await;
    assert_eq!(import.counts.failed, failed, "{told:?}");
    let app = site.app("old").await;
    for email in people {
        signs_in_with_the_old_password(&site, &app, email, PASSWORD).await;
    }
    let (again, told) = brought(&site, &options).await;
    assert_eq!(again.counts.skipped, import.counts.created, "{told:?}");
    let resumed = Options { resume: Some(import.id), ..options };
    assert_eq!(brought(&site, &resumed).await.0.counts, import.counts);
}

#[tokio::test]
async fn people_of_a_keycloak_realm_move_here() {
    let people = ["grace@keycloak.example", "ada@keycloak.example"];
    moves_here(options(System::Keycloak, "keycloak.json"), &people, 0).await;
}

#[tokio::test]
async fn service_accounts_of_a_keycloak_realm_do_not_become_people() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let realm = json!({ "realm": "acme", "users": [
        { "id": "1", "username": "service-account-crm", "enabled": true, "serviceAccountClientId": "crm" },
        { "id": "2", "username": "grace", "email": "grace@keycloak.example", "enabled": true },
    ] });
    let realm_file = folder.path().join("realm.json");
    std::fs::write(&realm_file, realm.to_string()).unwrap();
    let options = Options { file: realm_file, ..options(System::Keycloak, "keycloak.json") };
    let (import, told) = brought(&site, &options).await;
    let counts = import.counts;
    assert_eq!((counts.created, counts.skipped, counts.failed), (1, 1, 0), "{told:?}");
}

#[tokio::test]
async fn roles_that_every_keycloak_realm_has_need_not_be_here() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let folder = tempfile::tempdir().unwrap();
    let realm = json!({ "realm": "acme", "users": [{
        "id": "1", "username": "grace", "email": "grace@keycloak.example", "enabled": true,
        "realmRoles": ["default-roles-acme", "editor", "offline_access", "uma_authorization"],
    }] });
    let realm_file = folder.path().join("realm.json");
    std::fs::write(&realm_file, realm.to_string()).unwrap();
    let options =
        Options { file: realm_file, with_roles: true, ..options(System::Keycloak, "keycloak.json") };
    let (import, told) = brought(&site, &options).await;
    assert_eq!((import.counts.created, import.counts.failed), (1, 0), "{told:?}");
    assert_eq!(member(&site, "grace@keycloak.example").await["roles"], json!(["editor"]));
}

#[tokio::test]
async fn a_byte_order_mark_before_a_file_changes_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    for (system, name) in
        [(System::Keycloak, "keycloak.json"), (System::Jsonl, "people.jsonl"), (System::Csv, "people.csv")]
    {
        let marked = folder.path().join(name);
        let text = std::fs::read_to_string(file(name)).unwrap();
        std::fs::write(&marked, format!("\u{feff}{text}")).unwrap();
        let plain = Options { dry_run: true, ..options(system, name) };
        let counts = brought(&site, &plain).await.0.counts;
        assert!(counts.created > 0, "{name}: {counts:?}");
        let marked = Options { file: marked, dry_run: true, ..options(system, name) };
        assert_eq!(brought(&site, &marked).await.0.counts, counts, "{name}");
    }
}

#[tokio::test]
async fn a_file_that_is_no_text_of_utf_8_is_refused_with_what_to_do() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let unfit: [(&[u8], &str); 5] = [
        (b"\x1f\x8b\x08\x00\x00", "it is compressed by gzip; unpack it first"),
        (b"PK\x03\x04\x14", "it is a ZIP file or a spreadsheet; unpack it, or save it as CSV"),
        (b"\xff\xfee\x00m\x00", "it is UTF-16; save it as UTF-8"),
        (b"\xfe\xff\x00e\x00m", "it is UTF-16; save it as UTF-8"),
        (
            b"email,name\r\nada@csv.example,Ada\r\neve@csv.example,\xc8ve\r\n",
            "record 2 is not UTF-8; save the file as UTF-8",
        ),
    ];
    for (bytes, advice) in unfit {
        std::fs::write(&path, bytes).unwrap();
        let options = Options { file: path.clone(), ..options(System::Csv, "people.csv") };
        let refused = brought_by(&site, &options, &h.operator()).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!("people.csv cannot be read: {advice}")), "{refused}");
    }
    assert_eq!(member(&site, "ada@csv.example").await, Value::Null);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_begins_no_import() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("people.csv");
    std::fs::write(&packed, b"\x1f\x8b\x08\x00").unwrap();
    for path in [folder.path().join("missing.csv"), folder.path().to_owned(), packed] {
        let options = Options { file: path, ..options(System::Csv, "people.csv") };
        let refused = brought_by(&site, &options, &h.operator()).await.unwrap_err().to_string();
        assert!(refused.contains(" cannot be read: ") && !refused.contains("imp_"), "{refused}");
    }
    let begun = site.call(Method::GET, IMPORTS, Some(&site.mint(|_| ())), None).await.expect(200).json();
    assert_eq!(begun["data"], json!([]));
}

#[tokio::test]
async fn a_row_with_more_fields_than_the_head_line_is_refused_and_stops_no_other() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let rows = "email,name,password_hash\ngrace@csv.example,Hopper, Grace,{SHA}\nada@csv.example,Ada\neve@csv.example,Eve,,\n";
    std::fs::write(&path, rows).unwrap();
    let options = Options { file: path, ..options(System::Csv, "people.csv") };
    let (import, told) = brought(&site, &options).await;
    assert_eq!((import.counts.created, import.counts.failed), (2, 1), "{told:?}");
    assert!(told[0].contains("record 1: this row has 4 fields, and the head line 3; "), "{told:?}");
    assert_eq!(member(&site, "grace@csv.example").await, Value::Null);
}

#[tokio::test]
async fn a_document_that_has_no_list_of_people_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("realm.json");
    for (text, is_taken) in
        [(r#"{"realm":"acme","clients":[]}"#, false), (r#"{"realm":"acme","users":[]}"#, true), ("[]", true)]
    {
        std::fs::write(&path, text).unwrap();
        let options = Options { file: path.clone(), ..options(System::Keycloak, "keycloak.json") };
        let brought = brought_by(&site, &options, &h.operator()).await;
        let refused = brought.err().map(|refused| refused.to_string()).unwrap_or_default();
        assert_eq!(refused.is_empty(), is_taken, "{text}: {refused}");
        assert!(is_taken || refused.ends_with("it must be a list, or an object with the member `users`"));
    }
}

#[tokio::test]
async fn a_line_with_a_list_of_people_is_named_as_such() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("users.json");
    std::fs::write(&path, "[{\"user_id\": \"auth0|1\", \"email\": \"ada@auth0.example\"}]\n").unwrap();
    for system in [System::Auth0, System::Jsonl] {
        let options = Options { file: path.clone(), ..options(system, "people.jsonl") };
        let (import, told) = brought(&site, &options).await;
        assert_eq!((import.counts.created, import.counts.failed), (0, 1), "{told:?}");
        assert!(told[0].contains("record 1: a line must be one JSON object"), "{told:?}");
    }
}

#[tokio::test]
async fn people_of_auth0_move_here_with_the_hashes_that_its_support_exports() {
    let hashes = Some(file("auth0-hashes.jsonl"));
    let options = Options { hashes, ..options(System::Auth0, "auth0.jsonl") };
    moves_here(options, &["grace@auth0.example"], 0).await;
}

#[tokio::test]
async fn people_of_a_firebase_project_move_here_with_its_hash_parameters() {
    let hash_parameters = Some(file("firebase-hash.json"));
    let options = Options { hash_parameters, ..options(System::Firebase, "firebase.json") };
    moves_here(options, &["grace@firebase.example"], 0).await;
}

#[tokio::test]
async fn people_of_firebase_are_not_imported_without_the_hash_parameters() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, told) = brought(&site, &options(System::Firebase, "firebase.json")).await;
    assert_eq!((import.counts.created, import.counts.failed), (0, 1));
    assert!(told[0].contains("record 1: password_hash: give the hash parameters"), "{told:?}");
}

#[tokio::test]
async fn people_of_clerk_move_here_from_csv_and_json_and_an_unknown_hasher_is_named() {
    moves_here(options(System::Clerk, "clerk.csv"), &["grace@clerk.example"], 1).await;
    moves_here(options(System::Clerk, "clerk.json"), &["ada@clerk.example"], 0).await;
}

#[tokio::test]
async fn digests_of_clerk_are_read_as_their_hashers_write_them() {
    let people = ["sha1-text", "sha1-hex", "sha256", "sha512", "sha512-hex", "django", "firebase"]
        .map(|hasher| format!("{hasher}@clerk.example"));
    let people: Vec<_> = people.iter().map(String::as_str).collect();
    moves_here(options(System::Clerk, "clerk-hashers.csv"), &people, 0).await;
}

#[tokio::test]
async fn people_of_csv_and_json_lines_move_here_and_a_broken_line_stops_no_other() {
    moves_here(options(System::Csv, "people.csv"), &["grace@csv.example", "ada@csv.example"], 0).await;
    let people = ["grace@jsonl.example", "ada@jsonl.example"];
    moves_here(options(System::Jsonl, "people.jsonl"), &people, 1).await;
}

#[tokio::test]
async fn people_of_cognito_move_here_without_a_password() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, _) = brought(&site, &options(System::Cognito, "cognito.csv")).await;
    assert_eq!(import.counts.created, 1);
    let grace = member(&site, "grace@cognito.example").await;
    assert_eq!((&grace["username"], &grace["name"]), (&json!("grace"), &json!("Grace Hopper")));
    assert_eq!(stored(&h, "grace@cognito.example").await, None);
}

#[tokio::test]
async fn roles_of_an_export_are_given_only_where_that_is_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    site.role("writer", &[]).await;
    let with_roles =
        Options { with_roles: true, on_conflict: Conflict::Update, ..options(System::Csv, "people.csv") };
    brought(&site, &options(System::Csv, "people.csv")).await;
    assert_eq!(member(&site, "grace@csv.example").await["roles"], json!([]));
    brought(&site, &with_roles).await;
    assert_eq!(member(&site, "grace@csv.example").await["roles"], json!(["editor", "writer"]));
}

#[tokio::test]
async fn an_import_is_not_resumed_with_another_file() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (import, _) = brought(&site, &options(System::Csv, "people.csv")).await;
    let other = Options { resume: Some(import.id), ..options(System::Cognito, "cognito.csv") };
    let refused = brought_by(&site, &other, &h.operator()).await.unwrap_err();
    assert!(refused.to_string().contains("taken with other lines"), "{refused}");
}

#[tokio::test]
async fn an_import_of_a_file_that_was_cut_off_goes_on_with_the_whole_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.json");
    let whole = std::fs::read_to_string(file("keycloak.json")).unwrap();
    let last = whole.rfind("\"username\"").unwrap();
    std::fs::write(&path, &whole[..last]).unwrap();
    let options = Options { file: path.clone(), ..options(System::Keycloak, "keycloak.json") };
    let refused = brought_by(&site, &options, &h.operator()).await.unwrap_err().to_string();
    let id = refused.strip_prefix("import ").and_then(|rest| rest.split(':').next()).unwrap();
    std::fs::write(&path, &whole).unwrap();
    let resumed = Options { resume: Some(id.parse().unwrap()), ..options };
    let (import, told) = brought(&site, &resumed).await;
    assert!(import.counts.created > 1 && import.chunks == 1, "{told:?}");
}

#[tokio::test]
async fn people_are_stamped_when_their_chunk_is_taken_and_not_when_the_command_began() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let begun = h.operator();
    // As long as the chunks before took.
    h.advance(600);
    brought_by(&site, &options(System::Csv, "people.csv"), &begun).await.unwrap();
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT MAX(updated_at) AS latest FROM tenant_users");
    let latest = tx.one(select, args![]).await.unwrap().time("latest").unwrap();
    assert_eq!(latest, h.operator().now);
}
