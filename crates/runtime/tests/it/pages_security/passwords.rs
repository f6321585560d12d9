//! Passwords as people and attackers type them: never cut, never skipped, one form of each letter (N60).

use serde_json::json;
use svc_core::Secret;
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::find_by_slug;
use svc_http::Method;

use super::{World, refused, state_of, world};
use crate::account::own;
use crate::apply::apply_text;
use crate::harness::{Answer, Harness};

/// Sets a password by a mailed link.
async fn set(world: &World<'_>, password: &str) -> Answer {
    let mut browser = world.site.browser();
    let _ = world.forgot(&mut browser, "ada").await.expect(200);
    let page = browser.get(&world.mailed().await).await.expect(200);
    let answer = browser.submit(&page, &[("password", password)]).await;
    world.harness().advance(3600);
    answer
}

#[tokio::test]
async fn a_huge_password_is_too_large_and_costs_no_hash() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let before = state_of(&h).await;
    let megabyte = home.guess("ada", &"x".repeat(1 << 20)).await;
    assert_eq!(megabyte.status, 413, "{megabyte:?}");
    let answer = home.guess("ada", &"x".repeat(1025)).await;
    assert_eq!(answer.status, 413, "{answer:?}");
    assert_eq!(state_of(&h).await, before);
}

#[tokio::test]
async fn a_nul_inside_is_refused_and_ends_nothing_early() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let before = state_of(&h).await;
    for password in ["correct horse ada\0", "correct horse ada\0tail", "\0"] {
        refused(&home.guess("ada", password).await, 400, "invalid_request");
    }
    refused(&home.guess("ada\0", &home.ada.password).await, 400, "invalid_request");
    assert_eq!(state_of(&h).await, before);
}

#[tokio::test]
async fn a_long_password_counts_to_its_last_byte() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let stem = "an unlikely phrase, ".repeat(40);
    for length in [72, 128, 700, 1024] {
        let password = stem.chars().cycle().take(length - 1).collect::<String>();
        let answer = set(&home, &format!("{password}a")).await;
        assert!(answer.body.contains("role=\"status\""), "{length}: {answer:?}");
        assert!(!home.guess("ada", &format!("{password}b")).await.is_signed_in(), "{length}");
        assert!(!home.guess("ada", &password).await.is_signed_in(), "{length}");
        assert!(home.guess("ada", &format!("{password}a")).await.is_signed_in(), "{length}");
    }
}

#[tokio::test]
async fn composed_and_decomposed_letters_are_one_password_and_case_and_space_are_not() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let _ = set(&home, "Zo\u{eb} \u{212b}ngstr\u{f6}m  twice").await.expect(200);
    for same in ["Zoe\u{308} A\u{30a}ngstro\u{308}m  twice", "Zo\u{eb} \u{c5}ngstr\u{f6}m  twice"] {
        assert!(home.guess("ada", same).await.is_signed_in(), "{same}");
    }
    let others =
        ["zo\u{eb} \u{c5}ngstr\u{f6}m  twice", "Zo\u{eb} \u{c5}ngstr\u{f6}m twice", "Zoe Angstrom  twice"];
    for other in others {
        assert!(!home.guess("ada", other).await.is_signed_in(), "{other}");
    }
}

#[tokio::test]
async fn a_password_that_a_program_sends_decomposed_opens_the_account_as_it_is_typed() {
    const SENT: &str = "Zoe\u{308} A\u{30a}ngstro\u{308}m twice";
    const TYPED: &str = "Zo\u{eb} \u{c5}ngstr\u{f6}m twice";
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let (site, body) = (&home.site, json!({ "password": SENT }));
    let _ = own(site, &home.ada, (Method::PUT, "/password"), Some(body.clone())).await.expect(204);
    h.advance(1);
    assert!(home.guess("ada", TYPED).await.is_signed_in(), "set by the person");
    let (token, new) = (site.mint(|_| ()), json!({ "username": "nell", "email": "nell@main.example" }));
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(new)).await.expect(201);
    let path = format!("/api/v1/tenant-users/{}/password", made.json()["id"].as_str().unwrap());
    let _ = site.call(Method::PUT, &path, Some(&token), Some(body)).await.expect(204);
    h.advance(1);
    assert!(home.guess("nell", TYPED).await.is_signed_in(), "set by an administrator");
    let seed = "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n[[tenant.user]]\nusername = \"eve\"\n";
    apply_text(&h, &format!("{seed}initial_password = \"{SENT}\"\n")).await.unwrap();
    let acme = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let mut tx = h.app().db.read(acme).await.unwrap();
    let eve = tenant_users::find_by_identifier(&mut tx, "eve").await.unwrap().unwrap();
    drop(tx);
    let passwords = h.app().services.passwords.of(None);
    assert!(passwords.verify(&Secret::new(TYPED), eve.password.as_deref()).await.unwrap(), "of a file");
}

#[tokio::test]
async fn a_common_or_personal_password_is_refused_and_the_link_stays_good() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let _ = home.forgot(&mut browser, "ada").await.expect(200);
    let path = home.mailed().await;
    for bad in ["", "short", "password123", "12345678", "qwertyuiop", &home.ada.email, "        "] {
        let page = browser.get(&path).await.expect(200);
        let answer = browser.submit(&page, &[("password", bad)]).await;
        assert!(
            answer.body.contains("role=\"alert\"") && answer.body.contains("id=\"reset-submit\""),
            "{bad}: {answer:?}"
        );
    }
    assert!(home.guess("ada", &home.ada.password).await.is_signed_in(), "the old one still works");
    let page = browser.get(&path).await.expect(200);
    let _ = browser.submit(&page, &[("password", "tangerine lighthouse nine")]).await.expect(200);
    assert!(home.guess("ada", "tangerine lighthouse nine").await.is_signed_in());
}

#[tokio::test]
async fn a_refused_password_is_never_shown_again() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let answer = home.guess("ada", "CANARY-of-a-password").await;
    assert!(!answer.body.contains("CANARY"), "{answer:?}");
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    let form = browser.get(&page.link("register-link")).await;
    let _ = browser.submit(&form, &[("email", "eve@new.example")]).await.expect(200);
    let form = browser.get(&home.mailed().await).await.expect(200);
    let fields = [("name", ""), ("password", "CANARY-of-a-password")];
    let answer = browser.submit(&form, &fields).await.expect(200);
    assert!(answer.body.contains("role=\"alert\"") && !answer.body.contains("CANARY"), "{answer:?}");
}
