//! What opens nothing: signatures of other messages, for other hosts, tenants, browsers and times, and those that count already.

use futures_util::future::join_all;
use svc_testkit::Wallet;

use super::{FAILED, LATE, asked, enter, is_refused, message, send, with_chain};
use crate::changes::left_by;

#[tokio::test]
async fn a_signature_of_another_message_or_another_key_opens_nothing() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    assert!(enter(&mut site.browser(), &client, &wallet).await.is_signed_in());
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &wallet.address()).await;
    let text = message(&page);
    let right = wallet.sign(&text);
    let of = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        wallet.sign(&text.replacen(from, to, 1))
    };
    let nonce = text.split("Nonce: ").nth(1).unwrap().split('\n').next().unwrap();
    let wrongs = [
        ("domain", of("id.test wants", "evil.test wants")),
        ("uri", of("URI: https://id.test", "URI: https://evil.test")),
        ("chain", of("Chain ID: 1", "Chain ID: 5")),
        ("nonce", of(nonce, &"0".repeat(32))),
        ("expiry", of("Expiration Time: 2027", "Expiration Time: 2028")),
        ("version", of("Version: 1", "Version: 2")),
        ("address in lower case", of(&wallet.address(), &wallet.address().to_lowercase())),
        ("line ends", wallet.sign(&text.replace('\n', "\r\n"))),
        ("another key", Wallet::new(2).sign(&text)),
        ("the higher s", wallet.sign_high(&text)),
        ("another v", format!("{}1d", &right[..130])),
        ("no v", right[..130].to_owned()),
        ("odd digits", right[..131].to_owned()),
        ("no digits", "0x".to_owned()),
        ("nothing", String::new()),
        ("no hexadecimal", format!("{}zz", &right[..130])),
        ("too long", format!("0x{}", "ab".repeat(4097))),
    ];
    for (name, wrong) in &wrongs {
        let mut answer = None;
        let recorded = left_by(&h, async { answer = Some(send(&mut browser, &page, wrong).await) }).await;
        is_refused(&answer.unwrap(), FAILED);
        assert_eq!(recorded, [vec!["session.created"], vec!["auth.login.failure"]], "{name}");
    }
    // None of these has spent the message.
    assert!(send(&mut browser, &page, &right).await.is_signed_in());
}

#[tokio::test]
async fn what_comes_back_besides_the_signature_changes_nothing() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let (mine, theirs) = (Wallet::new(1), Wallet::new(2));
    assert!(enter(&mut site.browser(), &client, &theirs).await.is_signed_in());
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &theirs.address()).await;
    let text = message(&page).replace(&theirs.address(), &mine.address());
    let more = [
        ("signature", mine.sign(&text)),
        ("message", text.clone()),
        ("address", mine.address()),
        ("chain_id", "1".to_owned()),
    ];
    let more: Vec<_> = more.iter().map(|(name, value)| (*name, value.as_str())).collect();
    is_refused(&browser.submit(&page, &more).await, FAILED);
}

#[tokio::test]
async fn a_message_counts_once_on_every_node() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    assert!(enter(&mut site.browser(), &client, &wallet).await.is_signed_in());
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &wallet.address()).await;
    let signature = wallet.sign(&message(&page));
    let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
    let tries = browsers.iter_mut().map(|browser| send(browser, &page, &signature));
    let answers = join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.begins_session()).count(), 1, "{answers:?}");
    is_refused(&send(&mut browser, &page, &signature).await, LATE);
    let restarted = h.restarted().await;
    browser.site = crate::harness::Site { harness: &restarted, ..site.clone() };
    is_refused(&send(&mut browser, &page, &signature).await, LATE);
}

#[tokio::test]
async fn a_message_is_over_in_time() {
    let (h, _) = with_chain(&[("SVC_SIWE__NONCE_LIFETIME_SECS", "60")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &wallet.address()).await;
    let signature = wallet.sign(&message(&page));
    let mut other = browser.clone();
    h.advance(60);
    is_refused(&send(&mut browser, &page, &signature).await, LATE);
    let page = asked(&mut other, &client, &wallet.address()).await;
    let signature = wallet.sign(&message(&page));
    h.advance(59);
    assert!(send(&mut other, &page, &signature).await.is_signed_in());
}

#[tokio::test]
async fn a_message_counts_in_its_browser_its_tenant_and_its_flow_only() {
    let (h, _) = with_chain(&[]).await;
    let (here, there) = (h.tenant("main").await, h.tenant("other").await);
    let (first, second) = (here.app("first").await, there.app("second").await);
    let wallet = Wallet::new(1);
    let mut browser = here.browser();
    let page = asked(&mut browser, &first, &wallet.address()).await;
    let signature = wallet.sign(&message(&page));
    // The attacker has message and signature, and brings them from a browser of their own.
    let _ = send(&mut here.browser(), &page, &signature).await.expect(403);
    let mut elsewhere = there.browser();
    elsewhere.cookies = browser.cookies.clone();
    let answer = send(&mut elsewhere, &page, &signature).await;
    assert!(!answer.begins_session() && answer.status >= 400, "{answer:?}");
    // Another flow of the same browser has a message of its own, and so has another tenant.
    let mut other = browser.clone();
    let its_own = asked(&mut other, &first, &wallet.address()).await;
    is_refused(&send(&mut other, &its_own, &signature).await, FAILED);
    let mut elsewhere = there.browser();
    let its_own = asked(&mut elsewhere, &second, &wallet.address()).await;
    assert!(message(&its_own).starts_with("other.id.test wants"), "{its_own:?}");
    is_refused(&send(&mut elsewhere, &its_own, &signature).await, FAILED);
    assert!(send(&mut browser, &page, &signature).await.is_signed_in());
}

#[tokio::test]
async fn wrong_signatures_from_one_network_address_are_few_and_lock_no_holder_out() {
    let (h, node) = with_chain(&[("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "2")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    for _ in 0..4 {
        assert!(enter(&mut site.browser(), &client, &wallet).await.is_signed_in(), "right ones do not count");
    }
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &wallet.address()).await;
    let wrong = Wallet::new(2).sign(&message(&page));
    for _ in 0..2 {
        is_refused(&send(&mut browser, &page, &wrong).await, FAILED);
    }
    is_refused(&send(&mut browser, &page, &wrong).await, (429, "Too many attempts"));
    assert_eq!(node.calls(), 2, "what is not judged costs the node nothing");
    h.advance(3601);
    assert!(enter(&mut site.browser(), &client, &wallet).await.is_signed_in());
}

#[tokio::test]
async fn replays_and_late_signatures_from_one_network_address_are_few_and_fill_no_log() {
    let most = ("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "2");
    let (h, _) = with_chain(&[most, ("SVC_SIWE__NONCE_LIFETIME_SECS", "60")]).await;
    let site = h.tenant("main").await;
    let (client, wallet) = (site.app("first").await, Wallet::new(1));
    assert!(enter(&mut site.browser(), &client, &wallet).await.is_signed_in());
    for seconds in [0, 60] {
        let mut browser = site.browser();
        let page = asked(&mut browser, &client, &wallet.address()).await;
        let signature = wallet.sign(&message(&page));
        if seconds == 0 {
            assert!(send(&mut browser.clone(), &page, &signature).await.is_signed_in());
        }
        h.advance(seconds);
        let [actions, _] = left_by(&h, async {
            for _ in 0..2 {
                is_refused(&send(&mut browser, &page, &signature).await, LATE);
            }
            for _ in 0..3 {
                is_refused(&send(&mut browser, &page, &signature).await, (429, "Too many attempts"));
            }
        })
        .await;
        assert_eq!(actions.iter().filter(|action| *action == "session.created").count(), 2, "{actions:?}");
        h.advance(3601);
    }
}
