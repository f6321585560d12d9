//! Filters as directories write them, and as attackers do.

use serde_json::{Map, Value, json};

use super::{Filter, Target};
use crate::scim::schema::{ENTERPRISE, USERS};

fn ada() -> Map<String, Value> {
    let ada = json!({
        "schemas": [USERS.id, ENTERPRISE], "id": "usr_1", "externalId": "Ext-1", "userName": "Ada@Example.com", "active": true, "title": "",
        "name": { "familyName": "Lovelace" },
        "emails": [{ "value": "ada@work.example", "type": "work" }, { "value": "ada@home.example", "type": "home", "primary": true }],
        "meta": { "created": "2026-01-02T03:04:05.5Z" },
        ENTERPRISE: { "department": "Engines", "manager": { "value": "usr_2" } },
        "urn:example:hat": { "size": 58 },
    });
    ada.as_object().unwrap().clone()
}

fn matches(filter: &str) -> bool {
    Filter::parse(filter, &USERS).unwrap_or_else(|error| panic!("{filter}: {error}")).matches(&ada(), &USERS)
}

#[test]
fn a_filter_finds_what_it_says() {
    for filter in [
        r#"userName eq "ada@EXAMPLE.com""#,
        r#"USERNAME Eq "ada@example.com""#,
        r#"urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada""#,
        r#"userName co "@example" and userName ew ".COM""#,
        r#"externalId eq "Ext-1""#,
        r#"externalId ne "ext-1""#,
        "active eq true",
        r#"active eq "True""#,
        "not (active eq false)",
        "NOT(active eq false)",
        "title eq null",
        "not (title pr)",
        "userName pr",
        "name pr and name.familyName pr",
        r#"emails eq "ada@home.example""#,
        r#"emails.value ew "home.example""#,
        r#"emails[type eq "work" and value co "@work"]"#,
        r#"emails[type eq "work"].value eq "ada@work.example""#,
        "emails[primary eq true]",
        r#"emails[not (type eq "work")]"#,
        r#"nickName eq "x" or userName eq "x" or name.familyName eq "lovelace""#,
        r#"userName eq "x" and userName eq "x" or active eq true"#,
        r#"active eq true or userName eq "x" and userName eq "x""#,
        r"(active eq false or userName pr) and (title pr or userName pr)",
        r#"meta.created gt "2026-01-02T03:04:05Z""#,
        r#"meta.created le "2026-01-02T04:04:05.500+01:00""#,
        r#"meta.created lt "2026-01-02T03:04:06""#,
        r#"meta.created sw "2026-01-02""#,
        r#"userName ge "ada" and userName lt "adb""#,
        r#"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "engines""#,
        r#"URN:ietf:params:scim:schemas:extension:enterprise:2.0:user:manager.value eq "usr_2""#,
        r#"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "usr_2""#,
        r#"id eq "usr_1" and manager eq "usr_2""#,
        r#"Manager.value eq "usr_2" and department pr"#,
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User pr",
        "urn:example:hat:size ge 58",
        r#"userName ne "a \"quoted\" \\ or )text""#,
        r"  userName   pr  ",
        r#"schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User""#,
        "schemas pr",
    ] {
        assert!(matches(filter), "{filter}");
    }
}

#[test]
fn a_filter_does_not_find_what_it_does_not_say() {
    for filter in [
        r#"externalId eq "ext-1""#,
        "active eq false",
        r#"active ne "true""#,
        "title pr",
        r#"schemas eq "urn:ietf:params:scim:schemas:core:2.0:Group""#,
        r#"nickName eq "x""#,
        r#"emails[type eq "home" and value co "@work"]"#,
        r#"emails[type eq "other"]"#,
        r#"not (userName eq "ada@example.com")"#,
        r#"meta.created gt "2026-01-02T03:04:06Z""#,
        "urn:example:hat:size gt 58",
        r#"urn:example:hat:size eq "58""#,
        "urn:example:shoe:size pr",
        "emails eq null",
    ] {
        assert!(!matches(filter), "{filter}");
    }
}

#[test]
fn what_a_resource_does_not_have_is_named_as_it_was_asked_for() {
    for (filter, named) in [("hat pr", "hat"), ("name.hat pr", "name.hat"), ("emails[hat pr]", "hat")] {
        let error = Filter::parse(filter, &USERS).unwrap_err();
        assert_eq!(error.detail(), format!("filter: User has no attribute \"{named}\""), "{filter}");
    }
}

#[test]
fn what_is_no_filter_is_refused_as_such() {
    let deep = format!("{}active eq true{}", "(".repeat(33), ")".repeat(33));
    let nots = format!("{}active eq true{}", "not (".repeat(100_000), ")".repeat(100_000));
    let long = format!("userName eq \"{}\"", "a".repeat(9000));
    let many = vec!["active eq true"; 101].join(" or ");
    for filter in [
        "",
        " ",
        "userName",
        "userName eq",
        "userName eq x",
        "userName zz \"x\"",
        "eq \"x\"",
        "userName eq \"x",
        "userName eq \"x\\\"",
        "userName eq \"x\" and",
        "and userName pr",
        "userName pr pr",
        "(userName pr",
        "userName pr)",
        "()",
        "not userName pr",
        "not ()",
        "emails[]",
        "emails[type eq \"work\"",
        "emails[type eq \"work\"]x",
        "emails[emails[type pr]]",
        "emails[nothing eq 1]",
        "password eq \"x\"",
        "password pr",
        "nothing eq \"x\"",
        "name.nothing pr",
        "userName.value.x pr",
        "userName eq {}",
        "userName eq []",
        "userName eq [\"x\"]",
        "active gt true",
        "active co \"t\"",
        "active eq \"maybe\"",
        "meta.lastModified gt \"garbage\"",
        "meta.created eq \"2026-01-02\"",
        "meta.created ne \"\"",
        "userName eq 1",
        "userName co 1",
        "userName gt null",
        "userName eq \"a\" OR 1=1",
        "userName eq 'x'",
        "urn:x",
        ":x pr",
        "x:y pr",
        "a.b.c pr",
        "\"userName\" pr",
        "\u{0}",
        "userName eq \"a\\u0000b\"",
        "emails[value eq \"\\u0000\"]",
        "💥 pr",
        deep.as_str(),
        nots.as_str(),
        long.as_str(),
        many.as_str(),
    ] {
        let error = Filter::parse(filter, &USERS).expect_err(filter.get(..60).unwrap_or(filter));
        assert_eq!((error.class().status(), error.word()), (400, Some("invalidFilter")), "{filter}");
        assert!(error.detail().len() < 300, "{error}");
    }
}

#[test]
fn a_filter_within_the_bounds_is_read() {
    let deep = format!("{}active eq true{}", "(".repeat(32), ")".repeat(32));
    assert!(matches(&deep) && matches(&vec!["active eq true"; 100].join(" and ")));
}

#[test]
fn what_an_index_answers_is_told() {
    let told = |filter: &str| {
        let filter = Filter::parse(filter, &USERS).unwrap();
        filter.equalities().into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(told(r#"userName eq "a""#), ["username=a"]);
    assert_eq!(told(r#"active eq true and externalId eq "b""#), ["externalid=b"]);
    assert_eq!(told(r#"emails[type eq "work" and value eq "c"]"#), ["emails.type=work", "emails.value=c"]);
    assert_eq!(told(r#"emails[type eq "work"].value eq "c""#), ["emails.type=work", "emails.value=c"]);
    for filter in [r#"userName eq "a" or active eq true"#, r#"not (userName eq "a")"#, r#"userName ne "a""#] {
        assert!(told(filter).is_empty(), "{filter}");
    }
}

#[test]
fn a_path_names_an_attribute_some_of_its_values_or_a_part() {
    let read = |path: &str| {
        let target = Target::parse(path, &USERS).unwrap_or_else(|error| panic!("{path}: {error}"));
        (target.attribute.extension.is_some(), target.attribute.name, target.of.is_some(), target.part)
    };
    let part = |part: &str| Some(part.to_owned());
    assert_eq!(read("userName"), (false, "userName".to_owned(), false, None));
    assert_eq!(read("name.givenName"), (false, "name".to_owned(), false, part("givenName")));
    assert_eq!(read(r#"emails[type eq "work"]"#), (false, "emails".to_owned(), true, None));
    assert_eq!(read(r#"emails[type eq "work"].value"#), (false, "emails".to_owned(), true, part("value")));
    assert_eq!(read(&format!("{ENTERPRISE}:manager")), (true, "manager".to_owned(), false, None));
    assert_eq!(read("manager"), (true, "manager".to_owned(), false, None));
    assert_eq!(read(ENTERPRISE), (true, String::new(), false, None));
    assert_eq!(read(r#"emails[type eq "work"].$ref"#), (false, "emails".to_owned(), true, part("$ref")));
    for path in [
        "",
        "nothing",
        "emails[",
        "emails[type eq \"work\"]value",
        "emails[type eq \"work\"].",
        "emails[type eq \"work\"].value.x",
        "emails[type eq \"work\"].urn:x",
        "emails[type eq \"work\"].1",
        "emails[type eq \"\\u0000\"].value",
        "emails.x",
        "userName eq \"x\"",
        "a b",
    ] {
        assert!(Target::parse(path, &USERS).is_err(), "{path}");
    }
}
