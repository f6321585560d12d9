//! What a plan does not take from the tenants that have it.

use serde_json::{Value, json};
use svc_http::Method;

use super::{Desk, PLANS, TENANTS};
use crate::apply::apply_text;
use crate::harness::{Answer, Harness};

#[track_caller]
fn refused(answer: Answer, tenant: &str, reason: &str) {
    let told = answer.expect_problem(400, "bad_request").json();
    let detail = told["detail"].as_str().unwrap_or_else(|| panic!("{told}"));
    let beginning = format!("disabled_capabilities: the tenant {tenant:?} has this plan");
    assert!(detail.starts_with(&beginning) && detail.contains(reason), "{detail}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_plan_that_is_given_to_a_tenant_while_it_is_deleted_is_there_or_is_not() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let desk = Desk::of(&site).await;
    let one = format!("{TENANTS}/{}", acme.tenant.id.reference());
    for number in 0..8 {
        let plan = json!({ "name": format!("plan {number}") });
        let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
        let path = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
        let (given, deleted) = tokio::join!(
            desk.call(Method::PATCH, &one, Some(json!({ "plan_id": plan["id"] }))),
            desk.call(Method::DELETE, &path, None),
        );
        let answered = (given.status, deleted.status);
        assert!([(200, 409), (400, 204)].contains(&answered), "{answered:?}");
    }
}

#[tokio::test]
async fn a_plan_takes_nothing_without_which_people_could_not_have_the_second_factor_that_is_demanded() {
    let h = Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let plan = desk.call(Method::POST, PLANS, Some(json!({ "name": "starter" }))).await.expect(201).json();
    let path = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
    let without = |names: Value| {
        let change = json!({ "disabled_capabilities": names });
        desk.call(Method::PATCH, &path, Some(change))
    };
    let settings = json!({ "second_factor_required": true });
    let acme = json!({ "slug": "acme", "name": "Acme", "plan_id": plan["id"], "settings": settings });
    let acme = desk.call(Method::POST, TENANTS, Some(acme)).await.expect(201).json();
    refused(without(json!(["password", "passkeys"])).await, "acme", "second_factor_required: ");
    let read = desk.call(Method::GET, &path, None).await.expect(200).json();
    assert_eq!(read["disabled_capabilities"], json!([]));
    let _ = without(json!(["password"])).await.expect(200);

    let globex = h.tenant("globex").await;
    globex.app_with("vault", |app| app.second_factor_required = true).await;
    let change = json!({ "plan_id": plan["id"] });
    let one = format!("{TENANTS}/{}", globex.tenant.id.reference());
    let _ = desk.call(Method::PATCH, &one, Some(change)).await.expect(200);
    let lenient = json!({ "settings": { "second_factor_required": false } });
    let one = format!("{TENANTS}/{}", acme["id"].as_str().unwrap());
    let _ = desk.call(Method::PATCH, &one, Some(lenient)).await.expect(200);
    let reason = "the application \"vault\" demands a second factor";
    refused(without(json!(["password", "passkeys"])).await, "globex", reason);
    let _ = without(json!([])).await.expect(200);
}

#[tokio::test]
async fn neither_a_plan_nor_the_settings_of_their_tenant_nor_a_file_take_the_control_plane_from_operators() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let desk = Desk::of(&site).await;
    let bare = json!(["control_plane"]);
    let plan = json!({ "name": "bare", "disabled_capabilities": bare });
    let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
    let settings = json!({ "settings": { "disabled_capabilities": bare } });
    let [main, acme] = [&site, &acme].map(|site| format!("{TENANTS}/{}", site.tenant.id.reference()));
    let told = "disabled_capabilities: operators sign in at this tenant, and could do nothing more";
    for change in [json!({ "plan_id": plan["id"] }), settings.clone()] {
        let answer = desk.call(Method::PATCH, &main, Some(change.clone())).await;
        let answer = answer.expect_problem(400, "bad_request").json();
        assert!(answer["detail"].as_str().is_some_and(|detail| detail.starts_with(told)), "{answer}");
        // The control plane is not there at another tenant.
        let _ = desk.call(Method::PATCH, &acme, Some(change)).await.expect(200);
    }
    let own =
        site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&site.mint(|_| ())), Some(settings)).await;
    let answer = own.expect_problem(400, "bad_request").json();
    assert!(answer["detail"].as_str().is_some_and(|detail| detail.starts_with(told)), "{answer}");

    let file = "[[tenant]]\nslug = 'main'\nname = 'Main'\nsettings = { disabled_capabilities = ['control_plane'] }\n";
    let refused_file = apply_text(&h, file).await.unwrap_err();
    assert!(refused_file.contains(told), "{refused_file}");

    let plan = desk.call(Method::POST, PLANS, Some(json!({ "name": "whole" }))).await.expect(201).json();
    let _ = desk.call(Method::PATCH, &main, Some(json!({ "plan_id": plan["id"] }))).await.expect(200);
    let path = format!("{PLANS}/{}", plan["id"].as_str().unwrap());
    let answer = desk.call(Method::PATCH, &path, Some(json!({ "disabled_capabilities": bare }))).await;
    refused(answer, "main", "and could do nothing more");
}

#[tokio::test]
async fn a_file_takes_nothing_without_which_people_could_not_get_in_behind_the_plan_of_their_tenant() {
    let h = Harness::with(&[("SVC_EMAIL_OTP__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let desk = Desk::of(&site).await;
    let plan = json!({ "name": "mailed", "disabled_capabilities": ["password"] });
    let plan = desk.call(Method::POST, PLANS, Some(plan)).await.expect(201).json();
    let acme = json!({ "slug": "acme", "name": "Acme", "plan_id": plan["id"] });
    let _ = desk.call(Method::POST, TENANTS, Some(acme)).await.expect(201);
    let file = |names: &str| {
        format!(
            "[[tenant]]\nslug = 'acme'\nname = 'Acme'\nsettings = {{ disabled_capabilities = [{names}] }}\n"
        )
    };
    let told = apply_text(&h, &file("'email_otp', 'magic_link'")).await.unwrap_err();
    assert!(told.contains("disabled_capabilities: without \"password\""), "{told}");
    apply_text(&h, &file("'webhooks'")).await.unwrap();
}
