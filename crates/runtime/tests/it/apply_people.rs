//! `svc-runtime apply` of people: who is suspended, and what is claimed of them.

use svc_db::SystemSql;
use svc_domain::people::credentials;
use svc_domain::people::tenant_users::{self, Status};
use svc_domain::tenancy::tenants::find_by_slug;
use svc_runtime::apply::export;

use crate::apply::{apply_text, changed};
use crate::harness::Harness;

const FILE: &str = "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n\n[[tenant.user]]\nusername = \"grace\"\n";

async fn status(h: &Harness) -> Status {
    let db = &h.app().db;
    let id = find_by_slug(&mut db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let mut tx = db.read(id).await.unwrap();
    tenant_users::find_by_identifier(&mut tx, "grace").await.unwrap().unwrap().status
}

#[tokio::test]
async fn a_suspended_person_stays_so_in_another_deployment_and_until_the_file_says_otherwise() {
    let h = Harness::new().await;
    let file = |suspended: bool| format!("{FILE}suspended = {suspended}\n");
    apply_text(&h, FILE).await.unwrap();
    h.advance(1);
    let outcome = apply_text(&h, &file(true)).await.unwrap();
    assert_eq!(changed(&outcome), ["Updated user grace"]);
    assert!(outcome.to_string().contains("suspended: false → true"), "{outcome}");
    assert_eq!(status(&h).await, Status::Suspended);
    for text in [file(true), FILE.to_owned()] {
        assert!(apply_text(&h, &text).await.unwrap().is_unchanged());
    }
    let exported = export(&h.app().db, &h.app().services.tenants, "acme", true).await.unwrap();
    let exported = exported.to_text().unwrap();
    let other = Harness::new().await;
    apply_text(&other, &exported).await.unwrap();
    assert_eq!(status(&other).await, Status::Suspended, "{exported}");
    assert!(apply_text(&other, &exported).await.unwrap().is_unchanged());
    h.advance(1);
    assert_eq!(changed(&apply_text(&h, &file(false)).await.unwrap()), ["Updated user grace"]);
    assert_eq!(status(&h).await, Status::Active);
}

#[tokio::test]
async fn a_file_that_suspends_two_people_and_what_takes_both_in_the_order_of_their_ids_take_turns() {
    let h = Harness::pooled().await;
    let file = |names: [&str; 2], further: &str| {
        let users = names.map(|name| format!("[[tenant.user]]\nusername = \"{name}\"\n{further}"));
        format!("[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n\n{}", users.concat())
    };
    apply_text(&h, &file(["ada", "grace"], "")).await.unwrap();
    h.advance(1);
    let db = &h.app().db;
    let id = find_by_slug(&mut db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let mut open = db.begin(id).await.unwrap();
    let mut people = Vec::new();
    for name in ["ada", "grace"] {
        let found = tenant_users::find_by_identifier(&mut open, name).await.unwrap().unwrap();
        people.push((found.account_id, name));
    }
    people.sort_unstable();
    let [(first, one), (last, other)] = people[..] else { panic!("{people:?}") };
    credentials::held_of_account(&mut open, first).await.unwrap();
    let applying = file([other, one], "suspended = true\n");
    let applying = apply_text(&h, &applying);
    let applied = svc_testkit::meanwhile_then(db, open, applying, async |open: &mut _| {
        credentials::held_of_account(open, last).await.unwrap();
    });
    let expected = [other, one].map(|name| format!("Updated user {name}"));
    assert_eq!(changed(&applied.await.unwrap()), expected);
}

#[tokio::test]
async fn claims_that_applications_could_not_read_are_refused_where_they_are_not_there_already() {
    let h = Harness::new().await;
    let with = |claims: &str| format!("{FILE}claims = {{ {claims} }}\n");
    for (claims, told) in [
        ("zoneinfo = \"Romance Standard Time\"", "claims.zoneinfo: give a name of the time zone database"),
        ("website = \"grace\"", "claims.website: give an address with https:// or http://"),
        ("birthdate = \"soon\"", "claims.birthdate: give a day as YYYY-MM-DD, or a year"),
    ] {
        let refused = apply_text(&h, &with(claims)).await.unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
    let fit = with("name = \"Grace\", zoneinfo = \"America/New_York\", birthdate = \"1906-12-09\"");
    apply_text(&h, &fit).await.unwrap();
    assert!(apply_text(&h, &fit).await.unwrap().is_unchanged());
    assert!(apply_text(&h, &with("zoneinfo = \"5\"")).await.is_err(), "nor is it taken later");
    let mut tx = h.app().db.begin_system().await.unwrap();
    let kept = SystemSql::new("UPDATE accounts SET profile = '{\"zoneinfo\":\"Romance Standard Time\"}'");
    tx.execute(kept, &[]).await.unwrap();
    tx.commit().await.unwrap();
    h.advance(1);
    assert!(apply_text(&h, &with("zoneinfo = \"Romance Standard Time\"")).await.unwrap().is_unchanged());
}
