//! Fields that no page can ask are refused, and the others are asked of those whom they are for.

use serde_json::{Value, json};
use svc_core::SeededEntropy;

use super::*;

pub(super) fn field(change: &[(&str, Value)]) -> Field {
    let content = content(change);
    let now = Timestamp::from_secs(1_700_000_000);
    let id = SignUpFieldId::new(now, &SeededEntropy::new(1));
    Field { id, content, created_at: now, updated_at: now, version: 1 }
}

fn content(change: &[(&str, Value)]) -> FieldContent {
    let mut content = json!({ "name": "company", "type": "text", "language": "en", "texts": { "en": { "label": "Company" } } });
    for (member, value) in change {
        content[*member] = value.clone();
    }
    serde_json::from_value(content).unwrap()
}

#[test]
fn what_no_page_can_ask_is_refused_with_its_member() {
    check(&content(&[])).unwrap();
    let label = |label: &str| json!({ "en": { "label": label } });
    for (member, value) in [
        ("name", json!("Company")),
        ("name", json!("__proto__")),
        ("name", json!("")),
        ("language", json!("de")),
        ("texts", label("")),
        ("texts", label("a\u{202E}b")),
        ("texts", label(&"x".repeat(121))),
        ("choices", json!([{ "value": "a" }])),
        ("max_length", json!(201)),
        ("min_length", json!(201)),
        ("after_sign_ins", json!(0)),
        ("again_after_days", json!(0)),
        ("order", json!(1001)),
    ] {
        let error = check(&content(&[(member, value.clone())])).unwrap_err();
        assert!(error.detail().contains(member), "{member}: {value}: {}", error.detail());
    }
    for choices in [json!([]), json!([{ "value": "a" }, { "value": "a" }]), json!([{ "value": " a" }])] {
        assert!(check(&content(&[("type", json!("choice")), ("choices", choices)])).is_err());
    }
}

#[test]
fn a_field_that_names_applications_is_asked_on_the_way_to_them_alone() {
    let id = |seed| AppId::new(Timestamp::from_secs(1_700_000_000), &SeededEntropy::new(seed));
    let narrow = field(&[("application_ids", json!([id(1)]))]);
    assert!(narrow.is_asked_by(Some(id(1))) && !narrow.is_asked_by(Some(id(2))) && !narrow.is_asked_by(None));
    assert!(field(&[]).is_asked_by(None) && !field(&[("enabled", json!(false))]).is_asked_by(None));
}

#[test]
fn a_field_that_names_organizations_is_asked_of_their_people_and_still_on_the_way_to_its_applications_alone()
{
    let now = Timestamp::from_secs(1_700_000_000);
    let (app, entropy) = (AppId::new(now, &SeededEntropy::new(1)), SeededEntropy::new(2));
    let organization = OrganizationId::new(now, &entropy);
    let asked = |field: &Field, application, organizations: &[OrganizationId]| {
        field.is_asked(Asking { application, organizations, now })
    };
    let narrow = field(&[("organization_ids", json!([organization]))]);
    assert!(asked(&narrow, None, &[organization]) && !asked(&narrow, None, &[]));
    let narrower = field(&[("organization_ids", json!([organization])), ("application_ids", json!([app]))]);
    assert!(asked(&narrower, Some(app), &[organization]));
    assert!(!asked(&narrower, None, &[organization]) && !asked(&narrower, Some(app), &[]));
}
