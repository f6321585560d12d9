//! How many decisions of policies one core makes in the process: a person of ours with roles and groups, twenty policies, one in the
//! shadow. `cargo run --profile dist -p svc-domain --example policy_decisions`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement, run by hand")]

use std::time::{Duration, Instant};

use serde_json::json;
use svc_domain::policies::{self, Change, Configuration, Policies, Question, Status};
use svc_testkit::World;

const TIME: Duration = Duration::from_secs(3);

fn text(number: u32) -> String {
    format!(
        "@id(\"readers\") permit(principal is User, action == Action::\"read{number}\", resource is document)\n\
         when {{ principal.status == \"active\" && resource.owner == principal.id && context.acr == \"aal2\" }};\n\
         forbid(principal, action == Action::\"read{number}\", resource is document)\n\
         unless {{ context.network.isInRange(ip(\"10.0.0.0/8\")) || context has agent }};"
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let person = world.person(tenant, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for number in 0..20 {
        let configuration = Configuration {
            name: format!("Policy {number}"),
            text: text(number),
            ..Configuration::default()
        };
        let status = if number == 19 { Status::Shadow } else { Status::Active };
        let new = Change { configuration, status, organization_id: None };
        policies::create(&mut tx, &world.cx, &new, 100).await.unwrap();
    }
    tx.commit().await.unwrap();
    let engine = Policies::new(world.db.clone(), &svc_config::AccessControl::default());
    let question: Question = serde_json::from_value(json!({
        "subject": { "type": "user", "id": person.id }, "action": { "name": "read7" },
        "resource": { "type": "document", "id": "42", "properties": { "owner": person.id } },
        "context": { "acr": "aal2", "amr": ["pwd", "otp"], "network": "10.1.2.3" }
    }))
    .unwrap();
    let (began, mut decided, mut permitted) = (Instant::now(), 0_u32, 0_u32);
    while began.elapsed() < TIME {
        let answer = engine.decide(tenant, &world.cx, &question).await.unwrap();
        decided += 1;
        permitted += u32::from(answer.is_permitted());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{:.0} decisions/s on one core, {permitted} of {decided} permitted",
        f64::from(decided) / seconds
    );
}
