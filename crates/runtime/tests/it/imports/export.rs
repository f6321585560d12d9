//! The tenant's people as a file, which an import takes.

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
