//! `UserInfo` from memory: what a node remembers of a person never outlives a change made on it, and outlives one made on
//! another node until that node's next look, a second later.

use serde_json::{Value, json};
use svc_core::{Seconds, Timestamp};
use svc_db::SystemSql;
use svc_domain::claims::profile::Profile;
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Person as Member, Status};
use svc_http::App;

use super::userinfo;
use crate::harness::client::Tokens;
use crate::harness::{Answer, Client, Harness, Person, Site};
use crate::statements::statements;

/// What can change of a person.
#[derive(Clone, Copy, Debug)]
enum Change {
    Suspended,
    SuspendedAndBack,
    Removed,
    AccountDisabled,
    Name,
    Roles,
    Password,
}

/// Each change, and the claim that it leaves; `None` where the token is refused.
const CHANGES: &[(Change, Option<(&str, &str)>)] = &[
    (Change::Suspended, None),
    (Change::SuspendedAndBack, None),
    (Change::Removed, None),
    (Change::AccountDisabled, None),
    (Change::Password, None),
    (Change::Name, Some(("name", "Ada King"))),
    (Change::Roles, Some(("roles", "editor"))),
];

async fn make(h: &Harness, site: &Site<'_>, person: &Person, change: Change) {
    let (cx, db) = (h.operator(), &h.app().db);
    let mut tx = db.begin(site.tenant.id).await.unwrap();
    let member: Member = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    match change {
        Change::Suspended => {
            tenant_users::set_status(&mut tx, &cx, &member, Status::Suspended).await.unwrap();
        }
        Change::SuspendedAndBack => {
            tenant_users::set_status(&mut tx, &cx, &member, Status::Suspended).await.unwrap();
            let member = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
            tenant_users::set_status(&mut tx, &cx, &member, Status::Active).await.unwrap();
        }
        Change::Removed => tenant_users::set_status(&mut tx, &cx, &member, Status::Removed).await.unwrap(),
        Change::Name => {
            let profile = Profile { name: Some("Ada King".to_owned()), ..member.profile.clone() };
            assert!(changes::set_profile(&mut tx, &cx, &member, &profile).await.unwrap());
        }
        Change::Roles => {
            assert!(tenant_users::set_roles(&mut tx, &cx, &member, &["editor".to_owned()]).await.unwrap());
        }
        Change::Password => {
            let account = changes::Candidate::from(member).account;
            let new = ("$another$", svc_domain::log::Action::PasswordChanged);
            changes::set_account_password(&mut tx, &cx, &account, new).await.unwrap();
        }
        Change::AccountDisabled => {
            tx.rollback().await.unwrap();
            return disable_accounts(h).await;
        }
    }
    tx.commit().await.unwrap();
}

/// As an operator would, by hand: there is no operation for it.
async fn disable_accounts(h: &Harness) {
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = SystemSql::new("UPDATE accounts SET status = 'disabled', updated_at = $1");
    tx.execute(update, svc_db::args![h.operator().now]).await.unwrap();
    tx.commit().await.unwrap();
}

async fn app_with_roles<'h>(site: &Site<'h>) -> Client<'h> {
    site.app_with("web", |app| app.scope = app.scope.union(&"roles".parse().unwrap())).await
}

async fn tokens(app: &Client<'_>, person: &Person) -> Tokens {
    let code = app.code_with(&mut app.site.browser(), person, &[("scope", "openid profile roles")]).await;
    Tokens { response: app.exchange(&code).await.expect(200).json() }
}

/// What a node answers, and how many statements that took.
async fn asked(site: &Site<'_>, token: &str) -> (Answer, u64) {
    let before = site.harness.app().db.counts().statements;
    let answer = userinfo(site, token).await;
    (answer, site.harness.app().db.counts().statements - before)
}

#[track_caller]
fn is_as_after(answer: &Answer, expected: Option<(&str, &str)>, case: &str) {
    let Some((claim, value)) = expected else {
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (401, &json!("invalid_token")),
            "{case}: {answer:?}"
        );
        return;
    };
    assert_eq!(answer.status, 200, "{case}: {answer:?}");
    let told = match answer.json()[claim].clone() {
        Value::Array(values) => values[0].clone(),
        value => value,
    };
    assert_eq!(told, value, "{case}");
}

async fn look(node: &App, since: Timestamp) {
    node.services.sync(&node.db, since, node.clock.now()).await.unwrap();
}

#[tokio::test]
async fn a_change_of_a_person_is_seen_at_once_where_it_is_made_and_after_the_next_look_elsewhere() {
    for (number, (change, expected)) in CHANGES.iter().enumerate() {
        let case = format!("{change:?}");
        let h = Harness::in_one_process(&[]).await;
        let site = h.tenant("main").await;
        let app = app_with_roles(&site).await;
        let ada = site.user_with_roles("ada", &["reader"]).await;
        let tokens = tokens(&app, &ada).await;
        let other = h.restarted().await;
        let there = Site { harness: &other, ..site.clone() };
        for site in [&site, &there] {
            let (first, _) = asked(site, tokens.access_token()).await;
            let (again, statements) = asked(site, tokens.access_token()).await;
            assert_eq!((first.status, statements), (200, 0), "{case} {number}: {again:?}");
            assert_eq!(first.json(), again.json(), "{case}");
        }
        let (before, _) = asked(&there, tokens.access_token()).await;
        let looked_at = h.operator().now;
        h.advance(1);
        make(&h, &site, &ada, *change).await;
        is_as_after(&asked(&site, tokens.access_token()).await.0, *expected, &format!("{case}, here"));
        let (late, statements) = asked(&there, tokens.access_token()).await;
        assert_eq!((late.status, statements), (200, 0), "{case}: {late:?}");
        assert_eq!(late.json(), before.json(), "{case}, elsewhere before the look");
        look(other.app(), looked_at).await;
        is_as_after(&asked(&there, tokens.access_token()).await.0, *expected, &format!("{case}, elsewhere"));
    }
}

#[tokio::test]
async fn a_change_that_becomes_visible_late_is_still_seen() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (app_with_roles(&site).await, site.user("ada").await);
    let tokens = tokens(&app, &ada).await;
    let other = h.restarted().await;
    let there = Site { harness: &other, ..site.clone() };
    let (before, _) = asked(&there, tokens.access_token()).await;
    assert_eq!(before.status, 200, "{before:?}");
    h.advance(1);
    let stamped = h.operator().now;
    make(&h, &site, &ada, Change::Name).await;
    // The other node has looked since the change was stamped, and its next look goes back further than that.
    look(other.app(), stamped + Seconds(30)).await;
    let (after, _) = asked(&there, tokens.access_token()).await;
    assert_eq!(after.json()["name"], "Ada King");
}

/// What a node keeps of people rests on this: a change names its row, so that this node can forget it, and stamps it, so that
/// others find it.
#[test]
fn every_change_of_a_person_names_its_row_and_stamps_it() {
    let keys = [("tenant_users", " WHERE tenant_id = $1 AND id = $2"), ("accounts", " WHERE id = $1")];
    let mut found = 0;
    for statement in statements() {
        let (file, text) = (&statement.file, statement.text.as_str());
        let Some((verb, rest)) = text.split_once(' ').filter(|(verb, _)| ["UPDATE", "DELETE"].contains(verb))
        else {
            continue;
        };
        let table = rest.trim_start_matches("FROM ").split(' ').next().unwrap();
        let Some((_, key)) = keys.iter().find(|(name, _)| *name == table) else { continue };
        // A tenant that is deleted has answered nothing for days.
        if file.ends_with("domain/src/deletion.rs") {
            continue;
        }
        found += 1;
        assert_eq!(verb, "UPDATE", "{file}: a row that is gone cannot be found: {text}");
        // Memberships of an account that only get a new stamp are found by the account; all people are forgotten then.
        let is_stamp =
            text.starts_with("UPDATE tenant_users SET updated_at = $2, version = version + 1 WHERE");
        // No process serves while a backup is restored.
        let is_restore = text == "UPDATE accounts SET credentials_changed_at = $1, updated_at = $1";
        assert!(is_stamp || is_restore || text.contains(key), "{file}: {text}");
        // No claim is made of a password's hash or of having to be replaced, of the tenant that manages an account, nor of
        // when a guest was used.
        let silent = [
            "UPDATE accounts SET password = $3 WHERE",
            "UPDATE accounts SET password_must_change = $2 WHERE",
            "UPDATE accounts SET managed_by = ",
            "UPDATE tenant_users SET guest_used_at = $3 WHERE",
            "UPDATE tenant_users SET guest_used_at = guest_used_at WHERE",
            // Held for the owner of an organization to be; and, as when it is done with, while the account is being emptied, which
            // stamps it.
            "UPDATE tenant_users SET delete_at = delete_at WHERE",
            "UPDATE tenant_users SET delete_at = NULL WHERE",
        ];
        let is_silent = silent.iter().any(|start| text.starts_with(start));
        assert!(is_silent || text.contains("updated_at = "), "{file}: {text}");
        let is_versioned = table == "accounts" || is_silent || text.contains("version = version + 1");
        assert!(is_versioned, "{file}: {text}");
    }
    assert!(found >= 6, "only {found} statements were found");
}
