//! People are listed by several filters at once, from either end: what each combination finds, and how it is walked.

use std::iter::once;

use serde_json::json;
use svc_core::{OrganizationKind, Seconds};
use svc_domain::people::groups::Group;
use svc_domain::people::guests;
use svc_domain::people::tenant_users::Status;
use svc_http::Method;

use super::people::set_status;
use super::send;
use crate::harness::{Harness, Person, START, Site};

const USERS: &str = "/api/v1/tenant-users";

/// A person, with each parameter that finds them.
struct SearchedPerson {
    id: String,
    found_by: Vec<String>,
}

/// Makes a guest who came by an application.
async fn guest(site: &Site<'_>) -> String {
    let app = site.app(&format!("app-{}", site.harness.operator().now.as_secs())).await.id.parse().unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let guest = guests::create(&mut tx, &site.harness.operator(), app).await.unwrap();
    tx.commit().await.unwrap();
    guest.id.to_string()
}

/// A person of this number, ten seconds after the one before.
async fn person(site: &Site<'_>, number: usize, (organization, group): (&str, &Group)) -> SearchedPerson {
    site.harness.advance(10);
    if number % 6 == 5 {
        let found_by = ["subject_type=anonymous", "status=active"].map(str::to_owned).to_vec();
        return SearchedPerson { id: guest(site).await, found_by };
    }
    let is_editor = number.is_multiple_of(2);
    let roles: &[&str] = if is_editor { &["editor"] } else { &[] };
    let person = site.user_with_roles(&format!("p{number}"), roles).await;
    let id = person.id.to_string();
    let mut found_by = vec!["subject_type=human".to_owned()];
    found_by.extend(is_editor.then(|| "role=editor".to_owned()));
    let status = match number {
        2 | 7 | 12 => Status::Suspended,
        4 | 9 | 16 => Status::Removed,
        _ => Status::Active,
    };
    let (is_member, is_in_group) = (!number.is_multiple_of(3), !number.is_multiple_of(5));
    if is_member {
        let path = format!("/api/v1/organizations/{organization}/members/{id}");
        send(site, Method::PUT, &path, Some(json!({ "roles": [] })), 200).await;
        found_by.extend((status != Status::Removed).then(|| format!("organization_id={organization}")));
    }
    if is_in_group {
        site.add(group, person.id).await;
        found_by.extend((status != Status::Removed).then(|| format!("group_id={}", group.id)));
    }
    if status != Status::Active {
        set_status(site, &id, status).await;
    }
    found_by.push(format!("status={}", status.name()));
    SearchedPerson { id, found_by }
}

/// Eighteen people, in the order of their creation, with the organization and the group that some of them are in.
async fn people(site: &Site<'_>) -> (Vec<SearchedPerson>, String, Group) {
    site.role("editor", &[]).await;
    let owner = site.user("owner").await;
    let organization = site.organization("acme", owner.id).await.id.to_string();
    let group = site.group("Staff", &[]).await;
    let inner = site.group("Interns", &[]).await;
    site.nest(&group, &inner).await;
    // A member of a group that is in the group is no member of the group itself.
    site.add(&inner, owner.id).await;
    let of_owner = ["subject_type=human", "status=active"].map(str::to_owned).into_iter();
    let found_by = of_owner.chain(once(format!("organization_id={organization}"))).collect();
    let mut made = vec![SearchedPerson { id: owner.id.to_string(), found_by }];
    for number in 0..17 {
        made.push(person(site, number, (&organization, &group)).await);
    }
    (made, organization, group)
}

/// The ids that a query finds, in pages of this many; every page but the last is full.
async fn ids(site: &Site<'_>, query: &str, limit: usize) -> Vec<String> {
    let (token, mut ids, mut cursor) = (site.mint(|_| ()), Vec::new(), String::new());
    loop {
        let path = format!("{USERS}?limit={limit}&{query}{cursor}");
        let page = site.call(Method::GET, &path, Some(&token), None).await.expect(200).json();
        let found = page["data"].as_array().unwrap();
        ids.extend(found.iter().map(|person| person["id"].as_str().unwrap().to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { return ids };
        assert_eq!(found.len(), limit, "{path}");
        cursor = format!("&cursor={next}");
    }
}

/// Every choice of one value, or none, of each parameter.
fn combinations(parameters: &[Vec<String>]) -> Vec<Vec<String>> {
    parameters.iter().fold(vec![Vec::new()], |chosen, values| {
        let with = |value: &String| -> Vec<Vec<String>> {
            chosen.iter().map(|before| [&before[..], &[value.clone()]].concat()).collect()
        };
        let further: Vec<_> = values.iter().flat_map(with).collect();
        [chosen, further].concat()
    })
}

#[tokio::test]
async fn every_combination_of_filters_finds_who_has_all_of_it_page_by_page_from_either_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (made, organization, group) = people(&site).await;
    let status = |status: Status| format!("status={}", status.name());
    let parameters = [
        vec![status(Status::Active), status(Status::Removed)],
        vec!["subject_type=human".to_owned(), "subject_type=anonymous".to_owned()],
        vec!["role=editor".to_owned()],
        vec![format!("organization_id={organization}")],
        vec![format!("group_id={}", group.id)],
    ];
    let mut sizes = Vec::new();
    for asked in combinations(&parameters) {
        let is_found = |made: &&SearchedPerson| asked.iter().all(|one| made.found_by.contains(one));
        let mut expected: Vec<_> = made.iter().filter(is_found).map(|made| made.id.clone()).collect();
        let query = asked.join("&");
        assert_eq!(ids(&site, &query, 1).await, expected, "{query}");
        assert_eq!(ids(&site, &query, 200).await, expected, "{query}");
        expected.reverse();
        assert_eq!(ids(&site, &format!("{query}&sort=-created_at"), 1).await, expected, "{query}");
        sizes.push(expected.len());
    }
    assert_eq!(sizes.len(), 72);
    assert!(sizes.contains(&0) && sizes.iter().filter(|size| **size > 1).count() > 20, "{sizes:?}");
}

#[tokio::test]
async fn an_organization_and_a_group_that_the_tenant_does_not_have_have_no_people() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (ada, eve) = (site.user("ada").await, other.user("eve").await);
    site.organization("acme", ada.id).await;
    let theirs = other.organization("acme", eve.id).await.id;
    let group = other.group("Staff", &[]).await;
    other.add(&group, eve.id).await;
    assert_eq!(ids(&other, &format!("organization_id={theirs}&group_id={}", group.id), 1).await.len(), 1);
    let unknown = h.operator().id::<OrganizationKind>();
    for within in [
        format!("organization_id={theirs}"),
        format!("organization_id={unknown}"),
        format!("group_id={}", group.id),
        format!("organization_id={theirs}&group_id={}", group.id),
    ] {
        for query in ["", "&status=active", "&sort=-created_at", "&email=ada@main.example", "&username=ada"] {
            assert!(ids(&site, &format!("{within}{query}"), 1).await.is_empty(), "{within}{query}");
        }
    }
    for (query, told) in [("organization_id=acme", "organization_id: "), ("group_id=Staff", "group_id: ")] {
        let refused = send(&site, Method::GET, &format!("{USERS}?{query}"), None, 400).await;
        assert_eq!(refused["error"], "bad_request", "{query}");
        assert!(refused["error_description"].as_str().unwrap().starts_with(told), "{query}: {refused}");
    }
}

#[tokio::test]
async fn people_are_listed_who_were_made_in_a_time_to_the_millisecond() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (made, organization, _) = people(&site).await;
    let at = |number: i64| START + Seconds(10 * number);
    // The owner was made at the start, and the person of number 0 ten seconds later.
    let within = [
        (format!("since={}", at(5)), 5..18),
        (format!("until={}", at(5)), 0..5),
        (format!("since={}&until={}", at(3), at(9)), 3..9),
        ("since=2027-01-15T08:00:30.001Z&until=2027-01-15T08:01:00.001Z".to_owned(), 4..7),
        (format!("since={}&until={}", at(9), at(3)), 0..0),
        ("since=1969-12-31T23:59:59Z".to_owned(), 0..18),
        ("until=1969-12-31T23:59:59Z".to_owned(), 0..0),
        ("until=9999-12-30T22:00:00Z".to_owned(), 0..18),
    ];
    let others = [
        "",
        "status=active",
        "subject_type=human",
        "role=editor",
        &format!("organization_id={organization}"),
    ];
    for (times, numbers) in within {
        for other in others {
            let is_found =
                |made: &&SearchedPerson| other.is_empty() || made.found_by.iter().any(|one| one == other);
            let found = made[numbers.clone()].iter().filter(is_found);
            let mut expected: Vec<_> = found.map(|made| made.id.clone()).collect();
            assert_eq!(ids(&site, &format!("{times}&{other}"), 2).await, expected, "{times} {other}");
            expected.reverse();
            let query = format!("{times}&{other}&sort=-created_at");
            assert_eq!(ids(&site, &query, 2).await, expected, "{query}");
        }
    }
    for query in ["since=yesterday", "until=", "since=2027-01-15"] {
        let refused = send(&site, Method::GET, &format!("{USERS}?{query}"), None, 400).await;
        let told = format!("{}: ", query.split('=').next().unwrap());
        assert!(refused["error_description"].as_str().unwrap().starts_with(&told), "{query}: {refused}");
    }
}

#[tokio::test]
async fn the_person_of_an_exact_name_has_all_else_that_is_asked_for() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    site.role("editor", &[]).await;
    let (ada, bob) = (site.user_with_roles("ada", &["editor"]).await, site.user("bob").await);
    let organization = site.organization("acme", ada.id).await.id;
    let group = site.group("Staff", &[]).await;
    site.add(&group, ada.id).await;
    let further = [
        "status=active&subject_type=human".to_owned(),
        "role=editor".to_owned(),
        format!("organization_id={organization}"),
        format!("group_id={}", group.id),
        format!("since={START}&until={}", START + Seconds(1)),
    ];
    for (number, query) in further.iter().chain(once(&further.join("&"))).enumerate() {
        for name in ["email", "username"] {
            let of = |person: &Person| {
                let value = if name == "email" { &person.email } else { &person.username };
                format!("{name}={value}&{query}")
            };
            assert_eq!(ids(&site, &of(&ada), 1).await.len(), 1, "{query}");
            // Of these, the first and the time alone are true of both.
            let is_true_of_both = [0, 4].contains(&number);
            assert_eq!(ids(&site, &of(&bob), 1).await.len(), usize::from(is_true_of_both), "{query}");
        }
    }
    let later = format!("username=ada&since={}", START + Seconds(1));
    assert!(ids(&site, &later, 1).await.is_empty());
}
