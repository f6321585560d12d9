//! Guessing passwords: one counter per person, whatever they are called and wherever the guess comes from (N57, N58).

use futures_util::future::join_all;
use serde_json::json;
use svc_db::SystemSql;
use svc_http::{Body, Method, Request};

use super::{World, locked_out, new_cookie, state_of, world, wrong_credentials};
use crate::harness::browser::Form;
use crate::harness::{Answer, Harness, Site};

const ATTEMPTS: usize = 5;
const LOCK: i64 = 900;

async fn succeeds(world: &World<'_>) -> bool {
    let answer = world.guess(&world.ada.username, &world.ada.password).await;
    let is_in = answer.status == 303 && answer.redirect_param("code").is_some();
    if !is_in && answer.status != 429 {
        wrong_credentials(&answer);
    }
    is_in
}

async fn lock(world: &World<'_>) {
    for _ in 0..ATTEMPTS {
        wrong_credentials(&world.guess(&world.ada.username, "wrong password").await);
    }
}

/// How often a person's password was judged and found right or wrong: the hash is computed in either case, so that the
/// audit log is the witness.
async fn judged(world: &World<'_>) -> usize {
    let mut tx = world.harness().app().db.read_system().await.unwrap();
    let count = "SELECT count(*) AS n FROM audit_log WHERE action = 'session.created' AND detail LIKE '%\"credentials\"%'";
    let judged = tx.one(SystemSql::new(count), &[]).await.unwrap().int("n").unwrap();
    tx.commit().await.unwrap();
    usize::try_from(judged).unwrap()
}

#[tokio::test]
async fn every_way_to_call_a_person_counts_for_the_one_person() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let names = ["ada", "ADA", " ada ", "ada@main.example", "Ada@MAIN.example"];
    for name in names {
        wrong_credentials(&home.guess(name, "wrong password").await);
    }
    assert!(!succeeds(&home).await);
    h.advance(LOCK);
    assert!(succeeds(&home).await);
}

#[tokio::test]
async fn an_address_is_one_name_in_whatever_script_its_host_is_typed() {
    const PASSWORD: &str = "compiler nanosecond moth";
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let (site, token) = (&home.site, home.site.mint(|_| ()));
    // So browsers send what was typed into a field for addresses.
    let new = json!({ "username": "nell", "email": "nell@xn--bcher-kva.example" });
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&token), Some(new)).await.expect(201);
    let path = format!("/api/v1/tenant-users/{}/password", made.json()["id"].as_str().unwrap());
    let body = Some(json!({ "password": PASSWORD }));
    let _ = site.call(Method::PUT, &path, Some(&token), body).await.expect(204);
    h.advance(1);
    let names = ["nell@b\u{fc}cher.example", "Nell@B\u{dc}CHER.example", "nell@xn--bcher-kva.example"];
    for name in names {
        assert!(home.guess(name, PASSWORD).await.is_signed_in(), "{name}");
    }
    for name in names.into_iter().cycle().take(ATTEMPTS) {
        wrong_credentials(&home.guess(name, "wrong password").await);
    }
    assert!(!home.guess("nell", PASSWORD).await.is_signed_in());
}

#[tokio::test]
async fn parallel_guesses_do_not_outrun_the_counter() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    let mut tries: Vec<_> = (0..200).map(|_| browser.clone()).collect();
    let guesses = tries.iter_mut().enumerate().map(|(number, browser)| {
        let (page, username) = (&page, home.ada.username.as_str());
        async move {
            browser.submit(page, &[("username", username), ("password", &format!("guess {number}"))]).await
        }
    });
    for answer in join_all(guesses).await {
        assert!(answer.status == 200 || answer.status == 429, "{answer:?}");
        assert_eq!(new_cookie(&answer, "__Host-svc_session"), None);
    }
    assert!(judged(&home).await <= ATTEMPTS, "{}", judged(&home).await);
    assert!(!succeeds(&home).await);
}

#[tokio::test]
async fn at_the_threshold_the_right_guess_among_many_is_not_evaluated_late() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    lock(&home).await;
    let before = state_of(&h).await[0];
    for _ in 0..3 {
        assert!(!succeeds(&home).await);
    }
    assert_eq!(state_of(&h).await[0], before, "no session began");
}

#[tokio::test]
async fn addresses_in_headers_open_no_new_budget() {
    let h = Harness::with(&[("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "6")]).await;
    let home = world(&h, "main").await;
    for number in 0..8 {
        let spoofed = format!("198.51.100.{number}");
        let answer = guess_from(&home.site, &home, "192.0.2.1", &spoofed, &format!("person-{number}")).await;
        let expected = if number < 6 { 200 } else { 429 };
        assert_eq!(answer.status, expected, "{number}: {answer:?}");
    }
    // A person at another address is not kept out, one of the same IPv6 network is.
    let answer = guess_from(&home.site, &home, "192.0.2.2", "192.0.2.1", "person").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    for number in 0..8 {
        let address = format!("2001:db8:1:2::{number:x}");
        let answer = guess_from(&home.site, &home, &address, "", &format!("other-{number}")).await;
        assert_eq!(answer.status, if number < 6 { 200 } else { 429 }, "{number}: {answer:?}");
    }
}

/// A wrong guess from an address, with every header that proxies use.
async fn guess_from(
    site: &Site<'_>,
    world: &World<'_>,
    address: &str,
    spoofed: &str,
    username: &str,
) -> Answer {
    let mut browser = site.browser();
    let page = world.sign_in_page(&mut browser).await;
    let flow = &Form::of(&page).hidden[0].1;
    let fields = [("flow", flow.as_str()), ("username", username), ("password", "wrong password")];
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let cookie = format!("__Host-svc_browser={}", browser.cookies["__Host-svc_browser"]);
    let request = Request::post("/auth/sign-in")
        .header("host", &site.host)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", site.issuer())
        .header("cookie", cookie)
        .header("x-forwarded-for", spoofed)
        .header("x-real-ip", spoofed)
        .header("forwarded", format!("for=\"{spoofed}\""))
        .header("true-client-ip", spoofed)
        .header("cf-connecting-ip", spoofed);
    let answer = site.harness.send_from(address, request.body(Body::from(body)).unwrap()).await;
    browser.settled(answer).await
}

#[tokio::test]
async fn a_lock_survives_a_restart() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    lock(&home).await;
    let after = h.restarted().await;
    let site = Site { harness: &after, ..home.site.clone() };
    let first = crate::harness::Client { site: site.clone(), ..home.first.clone() };
    let third = crate::harness::Client { site: site.clone(), ..home.third.clone() };
    let home = World { site, first, third, ada: home.ada.clone() };
    assert!(!succeeds(&home).await);
    after.advance(LOCK);
    assert!(succeeds(&home).await);
}

#[tokio::test]
async fn a_lock_holds_at_every_tenant_where_the_account_is_and_reveals_nothing() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    lock(&home).await;
    for _ in 0..ATTEMPTS {
        wrong_credentials(&home.guess("eve", "wrong password").await);
    }
    let locked = home.guess("ada", "wrong password").await;
    let unknown = home.guess("eve", "wrong password").await;
    locked_out(&locked, 15);
    locked_out(&unknown, 15);
    assert_eq!(locked.body.len(), unknown.body.len());
    // By its other name the account is not judged, and the page does not say that the two are one.
    wrong_credentials(&home.guess(&home.ada.email, &home.ada.password).await);
    wrong_credentials(&home.guess("eve@main.example", "wrong password").await);
}

#[tokio::test]
async fn asking_for_a_link_does_not_reset_the_counter_but_following_it_does() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    lock(&home).await;
    let mut browser = home.site.browser();
    let _ = home.forgot(&mut browser, "ada").await.expect(200);
    assert!(!succeeds(&home).await);
    let page = browser.get(&home.mailed().await).await.expect(200);
    assert!(!succeeds(&home).await);
    let _ = browser.submit(&page, &[("password", &home.ada.password)]).await.expect(200);
    assert!(succeeds(&home).await);
}

#[tokio::test]
async fn strangers_do_not_lock_a_person_out_of_a_browser_that_they_have_used() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut known = home.site.sign_in(&home.first, &home.ada).await;
    lock(&home).await;
    locked_out(&home.guess("ada", &home.ada.password).await, 15);
    for (name, password) in [("ada", "wrong password"), (home.ada.email.as_str(), &home.ada.password)] {
        let page = super::errands::asked(&home, &mut known, &[("prompt", "login")]).await;
        let answer = known.submit(&page, &[("username", name), ("password", password)]).await;
        assert_eq!(answer.status == 303, password == home.ada.password, "{answer:?}");
    }
    // The lock for strangers stays, the cookie is worth nothing to another account, and its own guesses are counted.
    locked_out(&home.guess("ada", &home.ada.password).await, 15);
    let bob = home.site.user("bob").await;
    for _ in 0..ATTEMPTS {
        wrong_credentials(&home.guess("bob", "wrong password").await);
    }
    let page = super::errands::asked(&home, &mut known, &[("prompt", "login")]).await;
    locked_out(&known.submit(&page, &[("username", "bob"), ("password", &bob.password)]).await, 15);
    for _ in 0..ATTEMPTS {
        wrong_credentials(&known.submit(&page, &[("username", "ada"), ("password", "wrong password")]).await);
    }
    locked_out(&known.submit(&page, &[("username", "ada"), ("password", &home.ada.password)]).await, 15);
}

#[tokio::test]
async fn a_browser_is_known_until_the_password_changes() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut known = home.site.sign_in(&home.first, &home.ada).await;
    h.advance(1);
    let mut other = home.site.browser();
    let _ = home.forgot(&mut other, "ada").await.expect(200);
    let page = other.get(&home.mailed().await).await.expect(200);
    let _ = other.submit(&page, &[("password", &home.ada.password)]).await.expect(200);
    lock(&home).await;
    let page = super::errands::asked(&home, &mut known, &[]).await;
    locked_out(&known.submit(&page, &[("username", "ada"), ("password", &home.ada.password)]).await, 15);
}

#[tokio::test]
async fn a_full_queue_for_hashes_costs_its_person_no_guess() {
    let slow = [
        ("SVC_AUTH__ARGON2_MEMORY_KIB", "131072"),
        ("SVC_AUTH__ARGON2_ITERATIONS", "10"),
        ("SVC_AUTH__ARGON2_MAX_CONCURRENT", "1"),
    ];
    let h = Harness::with(&slow).await;
    h.expect_error("too many sign-ins at once");
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    let page = home.sign_in_page(&mut browser).await;
    let mut strangers: Vec<_> = (0..50).map(|_| browser.clone()).collect();
    let crowd = join_all(strangers.iter_mut().enumerate().map(|(number, stranger)| {
        let (page, name) = (&page, format!("stranger-{number}"));
        async move {
            loop {
                stranger.submit(page, &[("username", &name), ("password", "x")]).await;
            }
        }
    }));
    let tries = async {
        let mut seen = Vec::new();
        for _ in 0..3 * ATTEMPTS {
            seen.push(home.guess("ada", &home.ada.password).await.status);
        }
        seen
    };
    let seen: Vec<u16> = tokio::select! {
        seen = tries => seen,
        _ = crowd => unreachable!("the strangers do not stop"),
    };
    assert!(seen.contains(&503), "the queue was full: {seen:?}");
    assert!(seen.iter().all(|status| [303, 503].contains(status)), "{seen:?}");
    // Those that hung up leave the queue when a thread comes to them.
    let mut last = home.guess("ada", &home.ada.password).await;
    while last.status == 503 {
        last = home.guess("ada", &home.ada.password).await;
    }
    assert!(last.redirect_param("code").is_some(), "{last:?}");
}

#[tokio::test]
async fn strangers_do_not_use_up_the_mails_of_the_owners_browser() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut known = home.site.sign_in(&home.first, &home.ada).await;
    let mut browser = home.site.browser();
    let form = browser.get("/auth/forgot").await.expect(200);
    for stranger in 0..10 {
        for _ in 0..5 {
            let sent = forgot_from(&home, &browser, &form, &format!("198.51.100.{stranger}")).await;
            assert_eq!(sent.status, 200, "{sent:?}");
        }
    }
    let flood = h.mails().await.len();
    assert_eq!(flood, 20, "all strangers together");
    let _ = home.forgot(&mut browser, "ada").await.expect(200);
    assert_eq!(h.mails().await.len(), flood, "a browser that is not known is a stranger's");
    let page = super::errands::asked(&home, &mut known, &[("prompt", "login")]).await;
    let form = known.get(&page.link("forgot-link")).await.expect(200);
    let _ = known.submit(&form, &[("username", "ada")]).await.expect(200);
    assert_eq!(h.mails().await.len(), flood + 1);
}

#[tokio::test]
async fn nodes_count_mails_together() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut browser = home.site.browser();
    for _ in 0..3 {
        let _ = home.forgot(&mut browser, "ada").await.expect(200);
    }
    let other = h.restarted().await;
    let site = Site { harness: &other, ..home.site.clone() };
    let form = site.browser().get("/auth/forgot").await.expect(200);
    let mut browser = site.browser();
    browser.cookies = [("__Host-svc_browser".to_owned(), new_cookie(&form, "__Host-svc_browser").unwrap())]
        .into_iter()
        .map(|(name, cookie)| (name, cookie.split(';').next().unwrap().split_once('=').unwrap().1.to_owned()))
        .collect();
    for _ in 0..6 {
        let _ = browser.submit(&form, &[("username", "ada")]).await.expect(200);
    }
    assert_eq!(h.mails().await.len(), 5);
}

/// Asks for a link from an address, with a form that a browser has open.
async fn forgot_from(
    home: &World<'_>,
    browser: &crate::harness::Browser<'_>,
    form: &Answer,
    address: &str,
) -> Answer {
    let flow = &Form::of(form).hidden[0].1;
    let fields = [("flow", flow.as_str()), ("username", "ada")];
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = Request::post("/auth/forgot")
        .header("host", &home.site.host)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", home.site.issuer())
        .header("cookie", format!("__Host-svc_browser={}", browser.cookies["__Host-svc_browser"]));
    let answer = home.harness().send_from(address, request.body(Body::from(body)).unwrap()).await;
    browser.clone().settled(answer).await
}

#[tokio::test]
async fn locks_grow_but_never_for_ever_and_a_session_outlives_them() {
    let h = Harness::new().await;
    let home = world(&h, "main").await;
    let mut signed_in = home.site.sign_in(&home.first, &home.ada).await;
    for round in 0..3 {
        lock(&home).await;
        h.advance((LOCK << round) - 1);
        assert!(!succeeds(&home).await, "{round}");
        h.advance(1);
    }
    // A person who is signed in already is not locked out by a stranger's guesses.
    let answer = super::errands::asked(&home, &mut signed_in, &[("prompt", "none")]).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    assert!(succeeds(&home).await);
    for _ in 0..12 {
        lock(&home).await;
        h.advance(86_400);
    }
    assert!(succeeds(&home).await, "a lock is a day at most");
}
