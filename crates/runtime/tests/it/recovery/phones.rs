//! By a code to the proven number: once, in time, in its own browser, and everything older ends.

use super::{CHOSEN, NUMBER, harness_with, world};
use crate::changes::left_by;
use crate::sent_codes::{refused, wrong};

#[tokio::test]
async fn a_code_to_the_proven_number_lets_its_owner_choose_one_new_password() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let tokens = home.web.tokens(&home.ada).await;
    let mut elsewhere = home.site.sign_in(&home.web, &home.ada).await;
    h.advance(1);
    let mut browser = home.site.browser();
    let page = home.asked(&mut browser, "+44 20 7946 0777").await.expect(200);
    assert!(page.body.contains("Reset your password") && page.body.contains("one-time-code"), "{page:?}");
    refused(&browser.submit(&page, &[("code", &wrong(&home.code().await))]).await);
    let code = home.code().await;
    let mut proven = None;
    let [actions, events] = left_by(&h, async {
        proven = Some(browser.submit(&page, &[("code", &code)]).await);
    })
    .await;
    let proven = proven.unwrap().expect(303);
    assert!(!proven.begins_session(), "{proven:?}");
    assert_eq!(actions, ["password.recovery_proven"]);
    assert_eq!(events, ["account.recovery_proven"]);
    assert!(home.opens(&home.ada.password).await, "nothing has changed yet");

    let page = browser.get(proven.location()).await.expect(200);
    let weak = browser.submit(&page, &[("password", "password1")]).await.expect(200);
    assert!(weak.body.contains("reset-submit"), "{weak:?}");
    let mut done = None;
    let [actions, events] = left_by(&h, async {
        done = Some(browser.submit(&weak, &[("password", CHOSEN)]).await);
    })
    .await;
    let done = done.unwrap().expect(200);
    assert!(done.body.contains("has been changed") && done.body.contains("login-submit"), "{done:?}");
    assert!(!done.begins_session(), "{done:?}");
    assert!(actions.contains(&"password.reset".to_owned()), "{actions:?}");
    assert!(events.contains(&"account.password_changed".to_owned()), "{events:?}");
    // In the flow that it was asked for.
    let fields = [("username", home.ada.username.as_str()), ("password", CHOSEN)];
    assert!(browser.submit(&done, &fields).await.is_signed_in());
    assert!(!home.opens(&home.ada.password).await);
    assert!(elsewhere.get("/account").await.expect(200).body.contains("login-submit"), "sessions end");
    let _ = home.web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");

    let mails = h.mails().await;
    let told: Vec<_> = mails.iter().map(|mail| (mail.to.as_str(), mail.subject.as_str())).collect();
    assert!(told.contains(&(home.ada.email.as_str(), "Tenant main: your password was changed")), "{told:?}");
    let texts = h.texts().await;
    assert!(texts.iter().any(|text| text.to == NUMBER && text.body.contains("was changed")), "{texts:?}");
}

#[tokio::test]
async fn the_text_message_says_that_its_code_is_for_a_new_password() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let _ = home.asked(&mut home.site.browser(), NUMBER).await.expect(200);
    let [text] = h.texts().await.try_into().expect("one text message");
    let expected =
        "is your code to choose a new password at Tenant main. It works for 5 minutes. Give it to no one.";
    assert_eq!(text.body.split_once(' ').unwrap().1, expected);
}

#[tokio::test]
async fn recovery_works_where_the_password_has_been_locked_and_opens_it_again() {
    let h = harness_with(&[("SVC_AUTH__BRUTE_FORCE_MAX_ATTEMPTS", "3")]).await;
    let home = world(&h).await;
    for _ in 0..4 {
        let _ = home.opens("not the password").await;
    }
    assert!(!home.opens(&home.ada.password).await, "it is locked");
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    let _ = browser.submit(&page, &[("password", CHOSEN)]).await.expect(200);
    assert!(home.opens(CHOSEN).await);
}

#[tokio::test]
async fn an_account_whose_address_is_not_proven_does_not_get_it_proven_by_the_phone() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut tx = h.app().db.begin_system().await.unwrap();
    let update = svc_db::SystemSql::new("UPDATE accounts SET email_verified = $1");
    tx.execute(update, svc_db::args![false]).await.unwrap();
    tx.commit().await.unwrap();
    let mut browser = home.site.browser();
    let page = home.choosing(&mut browser).await;
    let [actions, _] = left_by(&h, browser.submit(&page, &[("password", CHOSEN)])).await;
    assert!(!actions.iter().any(|action| action == "account.email_verified"), "{actions:?}");
    assert!(!actions.iter().any(|action| action == "account.credential_removed"), "{actions:?}");
    assert!(home.opens(CHOSEN).await);
}

#[tokio::test]
async fn without_an_application_the_page_ends_by_itself() {
    let h = harness_with(&[]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let forgot = browser.get("/auth/forgot").await.expect(200);
    let form = browser.get(&forgot.link("sms-link")).await.expect(200);
    let page = browser.submit(&form, &[("phone", NUMBER)]).await.expect(200);
    let proven = browser.submit(&page, &[("code", &home.code().await)]).await.expect(303);
    let page = browser.get(proven.location()).await.expect(200);
    let done = browser.submit(&page, &[("password", CHOSEN)]).await.expect(200);
    assert!(done.body.contains("Password changed"), "{done:?}");
    assert!(home.opens(CHOSEN).await);
}
