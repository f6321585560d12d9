//! A domain is asked for and proven; who merely asks for it keeps it from no one.

use serde_json::{Value, json};
use svc_http::Method;

use super::{
    DOMAINS, NAME, active, ask, issuer_at, path, present, proven, read, send, service, step, try_asking,
};
use crate::changes::left_by;
use crate::harness::names::Names;
use crate::harness::{HOST, Harness};
use crate::search::walked;

#[tokio::test]
async fn a_domain_is_proven_by_the_record_that_the_answer_names() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let asked = ask(&acme, "Login.Bücher.example").await;
    assert_eq!(asked["domain"], "login.xn--bcher-kva.example");
    assert_eq!(asked["record_name"], "_svc-challenge.login.xn--bcher-kva.example");
    assert_eq!(asked["cname_target"], format!("acme.{HOST}"));
    assert_eq!((&asked["status"], &asked["addresses"]), (&json!("pending"), &json!([])));
    let refused = step(&acme, &asked, "verify").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("no TXT record at _svc-challenge.login"), "{refused:?}");
    let refused = step(&acme, &asked, "activate").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("verify it first"), "{refused:?}");
    names.publish(&asked);
    let [actions, events] = left_by(&h, step(&acme, &asked, "verify")).await;
    assert_eq!(
        (actions, events),
        (vec!["custom_domain.verified".to_owned()], vec!["admin.custom_domain.verified".to_owned()])
    );
    let found = read(&acme, &asked).await;
    assert!(found["status"] == "verified" && found["verified_at"].is_string(), "{found}");
    let list = send(&acme, Method::GET, DOMAINS, None).await.expect(200).json();
    assert_eq!(list["data"], json!([found]));
    let [actions, events] = left_by(&h, send(&acme, Method::DELETE, &path(&asked), None)).await;
    assert_eq!(
        (actions, events),
        (vec!["custom_domain.deleted".to_owned()], vec!["admin.custom_domain.deleted".to_owned()])
    );
    let _ = send(&acme, Method::GET, &path(&asked), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn domains_are_listed_by_where_they_stand() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    ask(&acme, "a.acme.example").await;
    proven(&acme, &names, "b.acme.example").await;
    active(&acme, &names, "c.acme.example").await;
    ask(&acme, "d.acme.example").await;
    proven(&acme, &names, "e.acme.example").await;
    let site = present(&acme).await;
    let all = walked(&site, DOMAINS, "").await;
    for (status, count) in [("pending", 2), ("verified", 2), ("active", 1)] {
        let expected: Vec<_> = all.iter().filter(|one| one["status"] == status).cloned().collect();
        assert_eq!(expected.len(), count, "{status}: {all:?}");
        assert_eq!(walked(&site, DOMAINS, &format!("status={status}")).await, expected, "{status}");
    }
    let wrong = send(&acme, Method::GET, &format!("{DOMAINS}?status=lapsed"), None).await;
    assert!(wrong.expect_problem(400, "bad_request").body.contains("status: "));
}

#[tokio::test]
async fn names_that_no_tenant_can_answer_at_are_refused() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    for bad in [
        "",
        "localhost",
        "com",
        "co.uk",
        "127.0.0.1",
        "[::1]",
        "2130706433",
        "https://login.acme.example",
        "login.acme.example:8443",
        "login.acme.example.",
        "login.acme.example/",
        "a_b.acme.example",
        "*.acme.example",
        HOST,
        "acme.id.test",
        "OTHER.ID.TEST",
        "a.b.id.test",
    ] {
        let refused = try_asking(&acme, bad).await.expect_problem(400, "bad_request");
        assert!(refused.body.contains("domain: "), "{bad}: {refused:?}");
    }
    ask(&acme, NAME).await;
    let _ = try_asking(&acme, "LOGIN.acme.example").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn a_public_name_needs_production_mode_and_a_local_one_an_operator() {
    let h = Harness::new().await;
    let acme = h.tenant("acme").await;
    let public = try_asking(&acme, NAME).await.expect_problem(409, "conflict");
    assert!(public.body.contains("a public name needs production mode"), "{public:?}");
    let asked = ask(&acme, "login.acme.localhost").await;
    let refused = step(&acme, &asked, "verify").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("an operator gives it to the tenant, by `custom_domain`"), "{refused:?}");
}

#[tokio::test]
async fn the_number_of_domains_is_bounded_and_the_deployment_says_where_they_lead() {
    let names = Names::serve().await;
    let settings = [
        ("SVC_SECURITY__PRODUCTION", "true"),
        ("SVC_CUSTOM_DOMAINS__MAX_PER_TENANT", "2"),
        ("SVC_CUSTOM_DOMAINS__CNAME_TARGET", "edge.id.test"),
        ("SVC_CUSTOM_DOMAINS__ADDRESSES", r#"["203.0.113.7", "2001:db8::7"]"#),
    ];
    let h = names.harness(&settings).await;
    let acme = h.tenant("acme").await;
    let asked = ask(&acme, "login.acme.example").await;
    assert_eq!(asked["cname_target"], "edge.id.test");
    assert_eq!(asked["addresses"], json!(["203.0.113.7", "2001:db8::7"]));
    ask(&acme, "login.acme.co.uk").await;
    let refused = try_asking(&acme, "third.acme.example").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("custom_domains.max_per_tenant"), "{refused:?}");
}

#[tokio::test]
async fn a_domain_that_another_tenant_asked_for_is_free_for_its_owner() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let (squatter, owner) = (h.tenant("squatter").await, h.tenant("owner").await);
    let squatted = ask(&squatter, NAME).await;
    let owned = proven(&owner, &names, NAME).await;
    let _ = step(&squatter, &squatted, "verify").await.expect_problem(409, "conflict");
    let _ = step(&owner, &owned, "activate").await.expect(200);
    assert_eq!(issuer_at(&h, NAME).await, format!("https://{NAME}"));
    // A claim is nothing to another tenant.
    for step_ in ["verify", "activate", "deactivate"] {
        let _ = step(&squatter, &owned, step_).await.expect_problem(404, "not_found");
    }
    let _ = send(&squatter, Method::DELETE, &path(&owned), None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn of_two_tenants_that_proved_a_domain_one_answers_at_it() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let (first, second) = (h.tenant("first").await, h.tenant("second").await);
    let mut domains = Vec::new();
    for site in [&first, &second] {
        domains.push(proven(site, &names, NAME).await);
    }
    let (one, other) =
        tokio::join!(step(&first, &domains[0], "activate"), step(&second, &domains[1], "activate"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one:?} {other:?}");
    let (winner, loser, won, lost) = if one.status == 200 {
        (&first, &second, &domains[0], &domains[1])
    } else {
        (&second, &first, &domains[1], &domains[0])
    };
    assert_eq!(issuer_at(&h, &loser.host).await, loser.issuer());
    let refused = step(loser, lost, "activate").await.expect_problem(409, "conflict");
    assert!(refused.body.contains("another tenant answers at it"), "{refused:?}");
    assert_eq!(read(loser, lost).await["status"], "verified");
    let _ = step(winner, won, "deactivate").await.expect(200);
    let _ = step(loser, lost, "activate").await.expect(200);
    assert_eq!(issuer_at(&h, &winner.host).await, winner.issuer());
    assert_eq!(issuer_at(&h, &loser.host).await, format!("https://{NAME}"));
}

#[tokio::test]
async fn where_custom_domains_are_switched_off_their_addresses_do_not_exist() {
    let h = Harness::with(&[("SVC_CUSTOM_DOMAINS__ENABLED", "false")]).await;
    let acme = h.tenant("acme").await;
    let _ = try_asking(&acme, NAME).await.expect_problem(404, "not_found");
    let listed = send(&acme, Method::GET, DOMAINS, None).await;
    let _: Value = listed.expect_problem(404, "not_found").json();
}

#[tokio::test]
async fn scopes_open_custom_domains() {
    let h = Harness::new().await;
    let acme = h.tenant("acme").await;
    let reader = acme.mint(|claims| claims["scope"] = json!("custom-domains:read"));
    let _ = acme.call(Method::GET, DOMAINS, Some(&reader), None).await.expect(200);
    let body = json!({ "domain": NAME });
    let _ = acme
        .call(Method::POST, DOMAINS, Some(&reader), Some(body))
        .await
        .expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn people_are_led_to_a_domain_by_those_alone_who_may_give_every_privilege() {
    let names = Names::serve().await;
    let h = service(&names).await;
    let acme = h.tenant("acme").await;
    let domain = proven(&acme, &names, NAME).await;
    let activate = format!("{}/activate", path(&domain));
    let with = |scope: &str| acme.mint(|claims| claims["scope"] = json!(scope));
    for scope in ["custom-domains:write", "custom-domains:read privileges:grant"] {
        let refused = acme.call(Method::POST, &activate, Some(&with(scope)), None).await;
        let _ = refused.expect_problem(403, "insufficient_scope");
    }
    assert_eq!(read(&acme, &domain).await["status"], "verified");
    assert_eq!(issuer_at(&h, &acme.host).await, acme.issuer());
    let both = with("custom-domains:write privileges:grant");
    let _ = acme.call(Method::POST, &activate, Some(&both), None).await.expect(200);
    assert_eq!(issuer_at(&h, NAME).await, format!("https://{NAME}"));
}
