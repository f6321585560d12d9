//! How the forms about guardians are opened.

use serde_json::json;
use svc_core::{RecoveryCaseId, Seconds, TenantUserId};
use svc_domain::people::accounts::Email;
use svc_domain::people::guardians::{self, Invited, NewBrowser, Rules, Terms};
use svc_domain::people::{links, tenant_users};

use super::World;
use crate::harness::{Answer, Browser, Person};

/// Opens the page of a form, with the fields that it wants.
pub async fn open<'h>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    path: &'static str,
    name: &str,
) -> (Answer, Vec<(&'static str, String)>) {
    let field = |name, value: &str| (name, value.to_owned());
    match path {
        "/auth/guardians/ask" => (browser.get(path).await, vec![field("username", &world.ada.username)]),
        "/auth/guardians" => {
            let page = browser.get("/auth/guardians/ask").await;
            let _ = browser.submit(&page, &[("username", "no one")]).await.expect(303);
            (browser.get(path).await, vec![field("action", "forget")])
        }
        "/auth/guardians/cancel" => (browser.get(&cancelling(world, name).await).await, Vec::new()),
        "/account/guardians" => {
            let person = world.site.user(&format!("{name}-ward")).await;
            world.first.code_in(browser, &person).await;
            let email = format!("{name}@guardian.example");
            (browser.get(path).await, vec![field("action", "invite"), field("email", &email)])
        }
        "/account/guarding" => {
            let people = people(world, [format!("{name}-one"), format!("{name}-two")]).await;
            let [ward, guardian] = people.try_into().unwrap();
            invited(world, &ward, &[&guardian], false).await;
            world.first.code_in(browser, &guardian).await;
            (browser.get(path).await, vec![field("action", "accept")])
        }
        other => panic!("{other} has no errand: say how its form is opened"),
    }
}

async fn people(world: &World<'_>, names: impl IntoIterator<Item = String>) -> Vec<Person> {
    let mut people = Vec::new();
    for name in names {
        people.push(world.site.user(&name).await);
    }
    people
}

/// Lets a person invite others, who accept or not.
async fn invited(world: &World<'_>, ward: &Person, others: &[&Person], accept: bool) {
    let (h, cx) = (world.site.harness, world.site.harness.operator());
    let mut tx = h.app().db.begin(world.site.tenant.id).await.unwrap();
    let ward = tenant_users::find(&mut tx, ward.id).await.unwrap().unwrap();
    for other in others {
        let email = Email::parse(&other.email).unwrap();
        let invited = guardians::invite(&mut tx, &cx, &ward, (&email, Seconds(86_400))).await.unwrap();
        let Invited::Invited(id) = invited else { panic!("{invited:?}") };
        if accept {
            let guardian = tenant_users::find(&mut tx, other.id).await.unwrap().unwrap();
            let invitation = guardians::find(&mut tx, &cx, id).await.unwrap().unwrap();
            assert!(guardians::accept(&mut tx, &cx, &guardian, &invitation).await.unwrap());
        }
    }
    let rules = Rules { threshold: 2, wait: Seconds(86_400) };
    guardians::set_rules(&mut tx, &cx, &ward, rules).await.unwrap();
    tx.commit().await.unwrap();
}

/// The link of a mail that cancels a recovery, for a person of its own.
async fn cancelling(world: &World<'_>, name: &str) -> String {
    let names = ["lost", "first", "second"].map(|who| format!("{name}-{who}"));
    let [ward, first, second] = people(world, names).await.try_into().unwrap();
    invited(world, &ward, &[&first, &second], true).await;
    let (h, cx) = (world.site.harness, world.site.harness.operator());
    let secret = svc_keys::token(&*cx.entropy);
    let mut tx = h.app().db.begin(world.site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, ward.id).await.unwrap().unwrap();
    let new = NewBrowser { digest: svc_keys::digest(name), code: "12345678", user_agent: "" };
    let terms = Terms { least_wait: Seconds(3600), lifetime: Seconds(86_400) };
    let opened = guardians::open(&mut tx, &cx, &person, (new, terms)).await.unwrap().unwrap();
    let (of, case): (TenantUserId, RecoveryCaseId) = (person.id, opened.case.id);
    let link = links::NewLink {
        digest: svc_keys::digest(&secret),
        kind: links::LinkKind::CancelRecovery,
        account: Some(person.account_id),
        payload: &json!({ "person": of, "case": case }),
        lifetime: Seconds(600),
    };
    links::create(&mut tx, &cx, link).await.unwrap();
    tx.commit().await.unwrap();
    format!("/auth/guardians/cancel?token={secret}")
}
