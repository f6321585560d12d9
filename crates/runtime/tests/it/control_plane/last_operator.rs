//! The last operator stays, also where the terminal is asked.

use svc_domain::people::operators::{Role, STAYS};
use svc_http::Method;
use svc_runtime::admin::{self, AdminCommand};
use svc_runtime::operators::OperatorCommand;

use super::operators::run;
use crate::account::deletion::joined;
use crate::harness::{Harness, Person};

async fn grant(h: &Harness, person: &Person, role: Role) -> Result<String, String> {
    run(h, OperatorCommand::GrantOperator { name: person.username.clone(), role }).await
}

async fn revoke(h: &Harness, person: &Person) -> Result<String, String> {
    run(h, OperatorCommand::RevokeOperator { name: person.username.clone() }).await
}

async fn disable(h: &Harness, person: &Person) -> Result<String, String> {
    let command = AdminCommand::DisableAccount { email: person.email.clone() };
    let done = admin::execute(&command, &h.app().db, &h.operator()).await;
    done.map_err(|failure| failure.to_string())
}

#[tokio::test]
async fn the_terminal_neither_revokes_nor_lowers_nor_disables_the_last_operator() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    grant(&h, &ada, Role::Administrator).await.unwrap();
    grant(&h, &bob, Role::TenantManager).await.unwrap();
    for refused in [revoke(&h, &ada).await, grant(&h, &ada, Role::Viewer).await, disable(&h, &ada).await] {
        assert_eq!(refused.unwrap_err(), STAYS);
    }
    grant(&h, &bob, Role::Administrator).await.unwrap();
    disable(&h, &ada).await.unwrap();
    assert_eq!(revoke(&h, &bob).await.unwrap_err(), STAYS, "an account that is disabled counts no more");
    assert_eq!(revoke(&h, &ada).await.unwrap(), "ada: no operator");
}

#[tokio::test]
async fn another_tenant_lets_the_last_operator_go_who_is_its_member_too() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let ada = site.user("ada").await;
    let there = joined(&other, &ada).await;
    h.advance(1);
    grant(&h, &ada, Role::Administrator).await.unwrap();
    let path = format!("/api/v1/tenant-users/{}", there.id);
    let _ = other.call(Method::DELETE, &path, Some(&other.mint(|_| ())), None).await.expect(204);
}
