//! People are found by the beginning of their address, their full name or their sign-in name, as the tenant sees those at present.

use serde_json::{Value, json};
use svc_db::{SystemSql, args};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::Email;
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Status};
use svc_http::Method;

use super::send;
use crate::account::deletion::{begin, joined, pass};
use crate::harness::{Harness, Person, Site};

const USERS: &str = "/api/v1/tenant-users";
/// U+1D11E in a query.
const CLEF: &str = "%F0%9D%84%9E";

/// The ids that a query finds, in pages of two.
async fn found(site: &Site<'_>, query: &str) -> Vec<String> {
    super::records(site, USERS, query)
        .await
        .iter()
        .map(|person| person["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn create(site: &Site<'_>, document: Value) -> String {
    send(site, Method::POST, USERS, Some(document), 201).await["id"].as_str().unwrap().to_owned()
}

/// Changes what the account of a member says, in a transaction of that member's tenant.
async fn rename(site: &Site<'_>, member: &Person, name: &str, address: &str) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let cx = site.harness.operator();
    let person = tenant_users::find(&mut tx, member.id).await.unwrap().unwrap();
    let profile = Profile { name: Some(name.to_owned()), ..person.profile.clone() };
    assert!(changes::set_profile(&mut tx, &cx, &person, &profile).await.unwrap());
    let addresses = (person.email.as_deref(), &Email::parse(address).unwrap());
    assert!(changes::set_address(&mut tx, &cx, &person, addresses).await.unwrap());
    tx.commit().await.unwrap();
}

pub(super) async fn set_status(site: &Site<'_>, id: &str, to: Status) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &site.harness.operator(), &person, to).await.unwrap();
    tx.commit().await.unwrap();
}

/// How many memberships have names to search.
async fn named(h: &Harness, person: &str) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = SystemSql::new("SELECT COUNT(*) AS named FROM tenant_user_names WHERE tenant_user_id = $1");
    tx.one(count, args![person]).await.unwrap().int("named").unwrap()
}

#[tokio::test]
async fn a_person_is_found_by_an_address_in_whatever_script_its_host_is_written() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let new = json!({ "username": "nell", "email": "nell@xn--bcher-kva.example" });
    let id = create(&site, new).await;
    for written in ["nell@b%C3%BCcher.example", "Nell@B%C3%9CCHER.example", "NELL@xn--bcher-kva.example"] {
        for query in [format!("email={written}"), format!("email={written}&username=NELL")] {
            let found = send(&site, Method::GET, &format!("{USERS}?{query}"), None, 200).await;
            assert_eq!(found["data"][0]["id"], json!(id), "{query}");
        }
    }
}

#[tokio::test]
async fn people_are_found_by_each_of_their_names_once_in_the_order_of_what_was_found() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (grace, hopper) = (site.user("Grace").await, site.user("hopper").await);
    let (ada, _) = (site.user("ada").await, other.user("grace").await);
    rename(&site, &hopper, "GRACE Hopper", "zz@main.example").await;
    rename(&site, &ada, "\u{dc}ber_%", "grace@main.example.net").await;
    for (search, expected) in [
        // By the sign-in name `grace`, by the full name, by the address.
        ("gRA", vec![&grace, &hopper, &ada]),
        ("grace%20h", vec![&hopper]),
        ("grace@", vec![&grace, &ada]),
        ("grace@main.example.n", vec![&ada]),
        ("%C3%9Cber_", vec![&ada]),
        ("_", vec![]),
        ("%25", vec![]),
        ("hopper", vec![&hopper]),
        ("main", vec![]),
    ] {
        let expected: Vec<_> = expected.iter().map(|person| person.id.to_string()).collect();
        assert_eq!(found(&site, &format!("search={search}")).await, expected, "{search}");
    }
}

#[tokio::test]
async fn a_search_goes_with_a_status_and_an_exact_name_and_with_nothing_else() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let owner = site.user("ada").await.id;
    let ada = owner.to_string();
    let lee = site.user("ada.lee").await.id.to_string();
    set_status(&site, &lee, Status::Suspended).await;
    assert_eq!(found(&site, "search=ada").await, [ada.clone(), lee.clone()]);
    assert_eq!(found(&site, "search=ada&status=active").await, [ada.clone()]);
    assert_eq!(found(&site, "search=ada&status=suspended").await, [lee.clone()]);
    assert_eq!(found(&site, "search=ADA.l&username=ada.lee").await, [lee]);
    assert!(found(&site, "search=ada.l&username=ada").await.is_empty());
    assert_eq!(found(&site, "search=").await.len(), 2);
    let alone = "search: give it with `status`, `email` or `username` alone; leave `search` out, or leave out `role`, \
                 `subject_type`, `organization_id`, `group_id`, `since` and `until`";
    for (query, told) in [
        ("search=ada&role=editor".to_owned(), alone),
        ("search=ada&subject_type=human&status=active".to_owned(), alone),
        (format!("search=ada&organization_id={}", site.organization("acme", owner).await.id), alone),
        (format!("search=ada&group_id={}", site.group("Staff", &[]).await.id), alone),
        ("search=ada&since=2027-01-15T08:00:00Z".to_owned(), alone),
        ("search=ada&until=2027-01-15T08:00:00Z".to_owned(), alone),
        (format!("search={}", "a".repeat(321)), "search: use at most 320 characters"),
    ] {
        let refused = send(&site, Method::GET, &format!("{USERS}?{query}"), None, 400).await;
        assert_eq!((&refused["error"], &refused["error_description"]), (&json!("bad_request"), &json!(told)));
    }
    let longest = format!("search={}", CLEF.repeat(320));
    assert!(found(&site, &longest).await.is_empty());
}

#[tokio::test]
async fn the_full_name_is_searched_once_the_person_has_agreed_to_the_membership() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let new =
        json!({ "email": "zoe@new.example", "name": "Grace Hopper", "username": "hop", "invite": true });
    let zoe = create(&site, new).await;
    for (search, is_found) in [("zoe", true), ("hop", true), ("grace", false)] {
        assert_eq!(found(&site, &format!("search={search}")).await.len(), usize::from(is_found), "{search}");
    }
    set_status(&site, &zoe, Status::Active).await;
    assert_eq!(found(&site, "search=grace").await, [zoe.clone()]);
    let change = json!({ "username": null });
    send(&site, Method::PATCH, &format!("{USERS}/{zoe}"), Some(change), 200).await;
    assert!(found(&site, "search=hop").await.is_empty());
    let change = json!({ "name": format!("g{}", "\u{1d11e}".repeat(199)) });
    send(&site, Method::PATCH, &format!("{USERS}/{zoe}"), Some(change), 200).await;
    assert_eq!(found(&site, &format!("search=G{}", CLEF.repeat(199))).await, [zoe]);
}

#[tokio::test]
async fn a_name_that_the_person_changes_at_one_tenant_is_found_at_each() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let ada = site.user("ada").await;
    let there = joined(&other, &ada).await.id.to_string();
    assert_eq!(found(&other, "search=ada").await, [there.clone()]);
    rename(&site, &ada, "Countess", "lovelace@main.example").await;
    for (site, id) in [(&site, ada.id.to_string()), (&other, there)] {
        assert_eq!(found(site, "search=count").await, [id.clone()]);
        assert_eq!(found(site, "search=lovelace").await, [id]);
        assert!(
            found(site, "search=ada%40").await.is_empty() && found(site, "search=ada%20of").await.is_empty()
        );
    }
}

#[tokio::test]
async fn a_person_who_is_removed_or_erased_leaves_no_name_to_search() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let there = joined(&other, &bob).await.id.to_string();
    let (ada, erased) = (ada.id.to_string(), bob.id.to_string());
    send(&site, Method::DELETE, &format!("{USERS}/{ada}"), None, 204).await;
    begin(&site, &bob).await;
    assert_eq!(found(&site, "search=bob").await, [erased.clone()]);
    pass(&h).await;
    for search in ["ada", "bob"] {
        assert!(found(&site, &format!("search={search}")).await.is_empty(), "{search}");
    }
    assert_eq!((named(&h, &ada).await, named(&h, &erased).await), (0, 0));
    assert_eq!(found(&other, "search=bob").await, [there]);
}
