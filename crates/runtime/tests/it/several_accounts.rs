//! Several accounts in one browser, on every node and for every application (OpenID Connect Core §3.1.2.1, §3.1.2.6).

use crate::harness::client::{Code, Tokens, claims};
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const OTHERS: &str = "__Host-svc_session_others";
const PRESENT: &str = "__Host-svc_session";

async fn world<'h>(h: &'h Harness) -> (Site<'h>, Client<'h>, [Person; 3]) {
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let people = [site.user("ada").await, site.user("bob").await, site.user("eve").await];
    (site, app, people)
}

/// Signs people in, one after the other.
async fn sign_in(browser: &mut Browser<'_>, app: &Client<'_>, people: &[Person]) {
    for person in people {
        app.site.harness.advance(1);
        let page =
            browser.get(&app.authorize_path(&app.verifier(), &[("prompt", "login")])).await.expect(200);
        let answer = browser.submit(&page, &fields(person)).await;
        assert!(answer.redirect_param("code").is_some(), "{answer:?}");
    }
}

fn fields(person: &Person) -> [(&str, &str); 2] {
    [("username", &person.username), ("password", &person.password)]
}

async fn ask(browser: &mut Browser<'_>, app: &Client<'_>, changes: &[(&str, &str)]) -> Answer {
    browser.get(&app.authorize_path(&"v".repeat(43), changes)).await
}

async fn error(browser: &mut Browser<'_>, app: &Client<'_>, changes: &[(&str, &str)]) -> String {
    ask(browser, app, changes).await.redirect_param("error").unwrap_or_default()
}

/// The tokens for the code of an answer.
async fn tokens(app: &Client<'_>, answer: &Answer) -> Tokens {
    let code = answer.redirect_param("code").unwrap_or_else(|| panic!("no code: {answer:?}"));
    let code = Code { code, verifier: "v".repeat(43) };
    Tokens { response: app.exchange(&code).await.expect(200).json() }
}

/// The button of a chooser for a person.
fn choice(page: &Answer, person: &Person) -> String {
    let buttons = page.body.split("name=\"account\" value=\"").skip(1);
    let mut of_person =
        buttons.filter(|rest| rest.split("</button>").next().unwrap().contains(&person.email));
    of_person.next().unwrap().split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn each_account_of_a_browser_gets_tokens_of_its_own_session() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people).await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        for person in &people {
            let answer = ask(&mut browser, &app, &[("login_hint", &person.email), ("prompt", "none")]).await;
            let tokens = tokens(&app, &answer).await;
            let told = claims(tokens.id_token());
            assert_eq!(
                (&told["sub"], &told["acr"]),
                (&person.subject.as_str().into(), &"urn:svc:aal1".into())
            );
            let hinted = [("id_token_hint", tokens.id_token()), ("prompt", "none")];
            let again = self::tokens(&app, &ask(&mut browser, &app, &hinted).await).await;
            assert_eq!(claims(again.id_token())["sid"], told["sid"]);
            assert_eq!(claims(again.id_token())["auth_time"], told["auth_time"]);
            sessions.push(told["sid"].to_string());
        }
    }
    let (first, second) = sessions.split_at(3);
    assert_eq!(first, second, "hints change nothing");
    sessions.sort();
    sessions.dedup();
    assert_eq!(sessions.len(), 3);
}

#[tokio::test]
async fn where_nothing_says_which_the_person_chooses_once() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people).await;
    assert_eq!(error(&mut browser, &app, &[("prompt", "none")]).await, "account_selection_required");
    let page = ask(&mut browser, &app, &[]).await.expect(200);
    let chosen = choice(&page, &people[1]);
    let answer = browser.submit(&page, &[("account", &chosen)]).await;
    assert_eq!(claims(tokens(&app, &answer).await.id_token())["sub"], people[1].subject.as_str());
    for changes in [&[][..], &[("prompt", "none")], &[("max_age", "10000")]] {
        let told = tokens(&app, &ask(&mut browser, &app, changes).await).await;
        assert_eq!(claims(told.id_token())["sub"], people[1].subject.as_str(), "{changes:?}");
    }
    let other = site.app("other").await;
    let told = tokens(&other, &ask(&mut browser, &other, &[]).await).await;
    assert_eq!(claims(told.id_token())["sub"], people[1].subject.as_str(), "at every application");
}

#[tokio::test]
async fn the_account_of_a_hint_is_signed_out_and_the_others_go_on() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people).await;
    let mut all = Vec::new();
    for person in &people {
        let changes = [("login_hint", person.email.as_str()), ("scope", "openid offline_access")];
        all.push(tokens(&app, &ask(&mut browser, &app, &changes).await).await);
    }
    let path = format!("/oauth/end-session?id_token_hint={}", all[2].id_token());
    let page = browser.get(&path).await.expect(200);
    assert!(page.body.contains("id=\"accounts-link\""), "{page:?}");
    let silent =
        |hint: &str| [("id_token_hint".to_owned(), hint.to_owned()), ("prompt".into(), "none".into())];
    for (at, is_live) in [(0, true), (1, true), (2, false)] {
        let pairs = silent(all[at].id_token());
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let answer = ask(&mut browser, &app, &pairs).await;
        assert_eq!(answer.redirect_param("code").is_some(), is_live, "{at}: {answer:?}");
    }
    // The same page, once more: the person whom the hint names is not signed in.
    assert!(browser.get(&path).await.expect(200).body.contains("id=\"logout-confirm\""));
}

#[tokio::test]
async fn the_cookies_of_one_tenant_are_worth_nothing_at_another() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people).await;
    let second = h.tenant("second").await;
    let other = second.app("web").await;
    let ada = second.user("ada").await;
    let mut stranger = second.browser();
    for name in [PRESENT, OTHERS] {
        stranger.cookies.insert(name.to_owned(), browser.cookies[name].clone());
    }
    assert_eq!(error(&mut stranger, &other, &[("prompt", "none")]).await, "login_required");
    sign_in(&mut stranger, &other, &[ada]).await;
    assert!(!stranger.cookies.contains_key(OTHERS), "{:?}", stranger.cookies);
    assert!(ask(&mut stranger, &other, &[("prompt", "none")]).await.redirect_param("code").is_some());
    let hint = [("login_hint", people[0].email.as_str()), ("prompt", "none")];
    assert!(ask(&mut browser, &app, &hint).await.redirect_param("code").is_some(), "at home they go on");
}

#[tokio::test]
async fn two_tabs_that_switch_and_sign_in_at_once_lose_no_account() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people[..2]).await;
    // Both tabs were opened before either was used.
    let first = ask(&mut browser, &app, &[]).await.expect(200);
    let second = ask(&mut browser, &app, &[("prompt", "login")]).await.expect(200);
    let ada = choice(&first, &people[0]);
    let answer = browser.submit(&first, &[("account", &ada)]).await;
    assert_eq!(claims(tokens(&app, &answer).await.id_token())["sub"], people[0].subject.as_str());
    let answer = browser.submit(&second, &fields(&people[2])).await;
    assert_eq!(claims(tokens(&app, &answer).await.id_token())["sub"], people[2].subject.as_str());
    for person in &people {
        let hint = [("login_hint", person.email.as_str()), ("prompt", "none")];
        assert!(ask(&mut browser, &app, &hint).await.redirect_param("code").is_some(), "{}", person.email);
    }
    // A choice of before is one still, and the same choice twice is the same.
    for _ in 0..2 {
        let answer = browser.submit(&first, &[("account", &ada)]).await;
        assert_eq!(claims(tokens(&app, &answer).await.id_token())["sub"], people[0].subject.as_str());
    }
}

#[tokio::test]
async fn a_session_that_is_ended_elsewhere_leaves_the_browser_its_other_accounts() {
    let h = Harness::new().await;
    let (site, app, people) = world(&h).await;
    let mut browser = site.browser();
    sign_in(&mut browser, &app, &people).await;
    let path = format!("/api/v1/tenant-users/{}/suspend", people[2].id);
    let token = site.mint(|_| ());
    let _ = site.call(svc_http::Method::POST, &path, Some(&token), None).await.expect(200);
    let page = ask(&mut browser, &app, &[]).await.expect(200);
    assert!(!page.body.contains(&people[2].email), "{page:?}");
    let bob = choice(&page, &people[1]);
    let answer = browser.submit(&page, &[("account", &bob)]).await;
    assert_eq!(claims(tokens(&app, &answer).await.id_token())["sub"], people[1].subject.as_str());
    let hint = [("login_hint", people[2].email.as_str()), ("prompt", "none")];
    let told = tokens(&app, &ask(&mut browser, &app, &hint).await).await;
    assert_eq!(claims(told.id_token())["sub"], people[1].subject.as_str(), "the chosen account stands");
}
