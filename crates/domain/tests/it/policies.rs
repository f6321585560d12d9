//! Policies in the memory of two processes, and their rows.

use svc_config::AccessControl;
use svc_core::{Class, Cx, Seconds, TenantId, Timestamp};
use svc_domain::people::tenant_users;
use svc_domain::policies::{self, Change, Configuration, Policies, Policy, Question, Status};

use crate::world::World;

const PERMIT_ALL: &str = "permit(principal, action, resource);";
const FORBID_ALL: &str = "forbid(principal, action, resource);";

fn change(status: Status, text: &str) -> Change {
    let configuration =
        Configuration { name: "One".to_owned(), text: text.to_owned(), ..Configuration::default() };
    Change { configuration, status, organization_id: None }
}

async fn create(world: &World, tenant: TenantId, status: Status, text: &str) -> Policy {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let policy = policies::create(&mut tx, &world.cx, &change(status, text), 10).await.unwrap();
    tx.commit().await.unwrap();
    policy
}

fn question(who: &str) -> Question {
    let question = serde_json::json!({
        "subject": { "type": "user", "id": who }, "action": { "name": "read" }, "resource": { "type": "document", "id": "1" }
    });
    serde_json::from_value(question).unwrap()
}

/// The memory of a process that has just started.
fn memory(world: &World) -> Policies {
    Policies::new(world.db.clone(), &AccessControl::default())
}

async fn is_permitted(policies: &Policies, tenant: TenantId, cx: &Cx, who: &str) -> bool {
    policies.decide(tenant, cx, &question(who)).await.unwrap().is_permitted()
}

#[tokio::test]
async fn a_process_forgets_what_another_one_changed_or_deleted() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (one, other) = (memory(&world), memory(&world));
    let policy = create(&world, tenant, Status::Active, PERMIT_ALL).await;
    for policies in [&one, &other] {
        assert!(is_permitted(policies, tenant, &world.cx, "x").await);
    }
    let mut tx = world.db.begin(tenant).await.unwrap();
    policies::update(&mut tx, &world.cx, &policy, &change(Status::Active, FORBID_ALL)).await.unwrap();
    tx.commit().await.unwrap();
    assert!(is_permitted(&one, tenant, &world.cx, "x").await, "it has not looked yet");
    for policies in [&one, &other] {
        policies.refresh(&mut world.db.read_system().await.unwrap(), world.cx.now).await.unwrap();
        assert!(!is_permitted(policies, tenant, &world.cx, "x").await);
    }
    let mut tx = world.db.begin(tenant).await.unwrap();
    let present = policies::find(&mut tx, policy.id).await.unwrap().unwrap();
    policies::delete(&mut tx, &world.cx, &present).await.unwrap();
    tx.commit().await.unwrap();
    let before = one.of(tenant).await.unwrap().compiled.len();
    one.refresh(&mut world.db.read_system().await.unwrap(), Timestamp::from_secs(0)).await.unwrap();
    assert_eq!((before, one.of(tenant).await.unwrap().compiled.len()), (1, 0));
}

#[tokio::test]
async fn a_person_is_remembered_for_as_long_as_the_configuration_says() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let remembering = |cache_ttl_secs| {
        Policies::new(world.db.clone(), &AccessControl { cache_ttl_secs, ..AccessControl::default() })
    };
    let (never, usual, long) = (remembering(Seconds(0)), memory(&world), remembering(Seconds(30)));
    create(
        &world,
        tenant,
        Status::Active,
        "permit(principal, action, resource) when { principal.status == \"active\" };",
    )
    .await;
    let who = person.id.to_string();
    for policies in [&never, &usual, &long] {
        assert!(is_permitted(policies, tenant, &world.cx, &who).await);
    }
    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::set_status(&mut tx, &world.cx, &person, tenant_users::Status::Suspended).await.unwrap();
    tx.commit().await.unwrap();
    // These processes were not told: the change was made by another one.
    for (seconds, expected) in [(0, [false, true, true]), (1, [false, false, true]), (30, [false; 3])] {
        let later = Cx { now: world.cx.now + Seconds(seconds), ..world.cx.clone() };
        let mut permitted = [true; 3];
        for (permitted, policies) in permitted.iter_mut().zip([&never, &usual, &long]) {
            *permitted = is_permitted(policies, tenant, &later, &who).await;
        }
        assert_eq!(permitted, expected, "after {seconds} seconds");
    }
}

#[tokio::test]
async fn what_cannot_be_read_any_more_forbids_everything() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    create(&world, tenant, Status::Active, PERMIT_ALL).await;
    // Written without being held to the language, as another version might.
    create(&world, tenant, Status::Active, "permit(person);").await;
    let answer = memory(&world).decide(tenant, &world.cx, &question("x")).await.unwrap();
    assert_eq!((answer.is_permitted(), answer.determining[0].statement.as_str()), (false, "unreadable"));
}

#[tokio::test]
async fn what_is_evaluated_together_is_bounded_and_a_stale_change_is_refused() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let long = format!("// {}\n{PERMIT_ALL}", "x".repeat(900 << 10));
    let first = create(&world, tenant, Status::Active, &long).await;
    create(&world, tenant, Status::Draft, &long).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let refused = policies::create(&mut tx, &world.cx, &change(Status::Shadow, &long), 10).await.unwrap_err();
    assert_eq!((refused.class(), refused.detail().contains("1 MiB")), (Class::Conflict, true));
    drop(tx);
    let mut tx = world.db.begin(tenant).await.unwrap();
    policies::update(&mut tx, &world.cx, &first, &change(Status::Archived, &long)).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let stale =
        policies::update(&mut tx, &world.cx, &first, &change(Status::Draft, &long)).await.unwrap_err();
    assert_eq!(stale.class(), Class::Conflict);
}

#[tokio::test]
async fn the_last_two_hundred_versions_are_kept() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let mut policy = create(&world, tenant, Status::Draft, PERMIT_ALL).await;
    for number in 0..203 {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let text = format!("// {number}\n{PERMIT_ALL}");
        policies::update(&mut tx, &world.cx, &policy, &change(Status::Draft, &text)).await.unwrap();
        policy = policies::find(&mut tx, policy.id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
    }
    let mut tx = world.db.begin(tenant).await.unwrap();
    let kept = policies::list_versions(&mut tx, policy.id, (None, 500)).await.unwrap();
    assert_eq!((kept.len(), kept[0].version, kept[199].version), (200, 204, 5));
}
