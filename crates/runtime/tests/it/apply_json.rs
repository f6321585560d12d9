//! `svc-runtime export` and `apply` of documents that TOML cannot hold.

use serde_json::json;
use svc_domain::organizations;
use svc_domain::tenancy::tenants::find_by_slug;
use svc_runtime::apply::export;

use crate::apply::apply_text;
use crate::harness::Harness;

const FILE: &str = r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.api]]
identifier = "https://orders.acme.example"
name = "Orders"
scopes = [{ name = "orders:write" }]

[[tenant.api.authorization_details_types]]
type = "order"
template = "Order {article}"
schema = '{ "type": "object", "properties": { "article": { "enum": [null, "pen"] }, "gift": { "const": null } } }'

[[tenant.user]]
username = "grace"

[[tenant.organization]]
slug = "initech"
name = "Initech"
owner = "grace"
metadata = '{ "crm": null, "places": [null, 18446744073709551615], "region": "eu" }'
"#;

async fn exported(h: &Harness) -> String {
    let app = h.app();
    export(&app.db, &app.services.tenants, "acme", true).await.unwrap().to_text().unwrap()
}

#[tokio::test]
async fn documents_that_toml_cannot_hold_are_texts_in_json_and_stay_as_they_are() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let db = &h.app().db;
    let id = find_by_slug(&mut db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let metadata = async || {
        let mut tx = db.read(id).await.unwrap();
        let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
        json!(initech.configuration.metadata)
    };
    let noted = json!({ "crm": null, "places": [null, u64::MAX], "region": "eu" });
    assert_eq!(metadata().await, noted);
    let file = exported(&h).await;
    assert!(apply_text(&h, &file).await.unwrap().is_unchanged(), "{file}");

    let other = Harness::new().await;
    apply_text(&other, &file).await.unwrap();
    let there = exported(&other).await;
    assert!(apply_text(&h, &there).await.unwrap().is_unchanged(), "{there}");
    assert_eq!(metadata().await, noted);
}

#[tokio::test]
async fn a_text_that_is_no_object_in_json_is_refused_at_its_line() {
    let h = Harness::new().await;
    for (line, key, at) in
        [(14, "schema", "api \"https://orders.acme.example\""), (23, "metadata", "organization \"initech\"")]
    {
        let faulty = FILE.replace(&format!("{key} = '{{"), &format!("{key} = '[]' # '{{"));
        let told =
            format!("line {line}: tenant \"acme\": {at}: {key}: not an object in JSON: it is not an object");
        assert_eq!(apply_text(&h, &faulty).await.unwrap_err(), told);
    }
}
