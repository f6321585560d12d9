//! Proofs are looked for again: one that was awaited counts when it is there, one that is gone counts no more after a while.

use serde_json::Value;
use svc_domain::tenancy::tenants::{self, NewTenant};

use super::{NAME, active, ask, issuer_at, read, service, step};
use crate::apply::apply_text;
use crate::changes::left_by;
use crate::harness::names::Names;
use crate::harness::{Harness, Site};

const DAY: i64 = 86_400;

async fn pass(h: &Harness, days: i64) {
    for _ in 0..days {
        h.advance(DAY + 60);
        h.run_jobs().await;
    }
}

fn record(domain: &Value) -> &str {
    domain["record_name"].as_str().unwrap()
}

#[tokio::test]
async fn an_awaited_proof_is_found_within_the_hour_for_a_week() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let asked = ask(&acme, NAME).await;
    names.set(record(&asked), &["v=spf1 -all"]);
    h.advance(3_700);
    h.run_jobs().await;
    assert_eq!(read(&acme, &asked).await["status"], "pending");
    names.publish(&asked);
    h.advance(3_700);
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert!(actions.contains(&"custom_domain.verified".to_owned()), "{actions:?}");
    assert!(events.contains(&"admin.custom_domain.verified".to_owned()), "{events:?}");
    assert_eq!(read(&acme, &asked).await["status"], "verified");
    assert_eq!(issuer_at(&h, &acme.host).await, acme.issuer(), "nothing is activated by itself");

    let late = ask(&acme, "late.acme.example").await;
    names.set(record(&late), &["v=spf1 -all"]);
    pass(&h, 8).await;
    names.publish(&late);
    pass(&h, 1).await;
    assert_eq!(read(&acme, &late).await["status"], "pending");
    let _ = step(&acme, &late, "verify").await.expect(200);
}

#[tokio::test]
async fn a_domain_whose_proof_is_gone_for_a_week_is_left() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let domain = active(&acme, &names, NAME).await;
    // Answers that do not come count for nothing, however long.
    names.set(record(&domain), &[]);
    pass(&h, 9).await;
    names.set(record(&domain), &["v=spf1 -all"]);
    pass(&h, 7).await;
    let failing = read(&acme, &domain).await;
    assert!(failing["status"] == "active" && failing["failing_since"].is_string(), "{failing}");
    let [actions, events] = left_by(&h, pass(&h, 1)).await;
    for action in ["custom_domain.lapsed", "tenant.updated"] {
        assert!(actions.contains(&action.to_owned()), "{actions:?}");
    }
    assert!(events.contains(&"admin.custom_domain.lapsed".to_owned()), "{events:?}");
    assert_eq!(issuer_at(&h, &acme.host).await, acme.issuer());
    let _ = h.get(NAME, "/.well-known/openid-configuration").await.expect(421);
    assert_eq!(read(&acme, &domain).await["status"], "pending");
    names.publish(&domain);
    let _ = step(&acme, &domain, "verify").await.expect(200);
    let _ = step(&acme, &domain, "activate").await.expect(200);
}

#[tokio::test]
async fn what_an_operator_gave_needs_no_proof() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    give(&acme, Some(NAME)).await;
    pass(&h, 9).await;
    assert_eq!(issuer_at(&h, NAME).await, format!("https://{NAME}"));
    let other = h.tenant("other").await;
    let proven = super::proven(&other, &names, NAME).await;
    let _ = step(&other, &proven, "activate").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_file_that_names_no_domain_leaves_what_the_tenant_activated_and_takes_what_an_operator_gave() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let (acme, other) = (h.tenant("acme").await, h.tenant("other").await);
    active(&acme, &names, NAME).await;
    give(&other, Some("login.other.example")).await;
    for slug in ["acme", "other"] {
        let file = format!("[[tenant]]\nslug = \"{slug}\"\nname = \"Renamed\"\n");
        apply_text(&h, &file).await.unwrap();
    }
    assert_eq!(issuer_at(&h, &acme.host).await, format!("https://{NAME}"));
    assert_eq!(issuer_at(&h, &other.host).await, other.issuer());
    apply_text(&h, "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\ncustom_domain = \"id.acme.example\"\n")
        .await
        .unwrap();
    assert_eq!(issuer_at(&h, &acme.host).await, "https://id.acme.example");
}

#[tokio::test]
async fn a_file_gives_no_domain_that_no_address_can_have() {
    let h = Harness::new().await;
    for domain in ["Login.acme.example", "login.acme.example/x", "xn--a.example", "127.1"] {
        let file = format!("[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\ncustom_domain = \"{domain}\"\n");
        let failure = apply_text(&h, &file).await.unwrap_err();
        assert!(failure.contains("custom_domain: give a host name"), "{failure}");
    }
}

#[tokio::test]
async fn a_file_leads_no_one_from_another_tenant_to_this_one() {
    let h = Harness::new().await;
    let (main, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let file = |domain: &str| {
        format!("[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\ncustom_domain = \"{domain}\"\n")
    };
    for other in [&main, &globex] {
        let failure = apply_text(&h, &file(&other.host)).await.unwrap_err();
        assert!(failure.contains(&format!("the tenant {:?} answers at", other.tenant.slug)), "{failure}");
        assert_eq!(issuer_at(&h, &other.host).await, other.issuer());
    }
    for own in ["acme", "elsewhere"] {
        apply_text(&h, &file(&format!("{own}.{}", main.host))).await.unwrap();
    }
}

/// What the control plane and `apply` do.
async fn give(site: &Site<'_>, domain: Option<&str>) {
    let tenant = &site.tenant;
    let (slug, name, settings) = (tenant.slug.clone(), tenant.name.clone(), tenant.settings.clone());
    let new = NewTenant { slug, name, custom_domain: domain.map(str::to_owned), settings };
    let h = site.harness;
    let mut tx = h.app().db.begin_system().await.unwrap();
    assert!(tenants::update(&mut tx, &h.operator(), tenant.id, &new).await.unwrap());
    tx.commit().await.unwrap();
}
