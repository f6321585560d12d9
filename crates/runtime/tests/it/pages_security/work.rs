//! What a stranger's question costs: as many statements, round trips, commits and hashes whether an account answers to the name or
//! not, for every form that takes one (N59).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::json;
use svc_db::SystemSql;
use svc_http::Method;

use super::errands::{self, EVERYTHING, FORMS};
use super::{World, world};
use crate::account::own;
use crate::harness::browser::Form;
use crate::harness::{Answer, Browser, Harness};
use crate::imports::{BCRYPT, imported};

/// What names an account.
#[derive(Clone, Copy, Debug)]
enum By {
    UserName,
    Address,
    Number,
}

/// A question that a form, or a twin of it in an API, answers alike, about a member or about no one.
struct Question {
    path: &'static str,
    asks: &'static str,
    by: By,
    /// Why some are sent a message and others are not, where that is so.
    differs: Option<&'static str>,
}

/// About whom; the last is known nowhere.
const WHO: [&str; 4] = ["a member", "a suspended member", "an account elsewhere", "no one"];

/// The one difference: the row of a message, which goes with a commit that is made in any case.
const TO_OWNERS: Option<&str> =
    Some("who asks is a stranger, and the message goes to the owner of an account");

const QUESTIONS: [Question; 27] = [
    question(("/auth/sign-in", "a password"), By::UserName, None),
    question(("/auth/sign-in", "a password"), By::Address, None),
    question(("/auth/sign-in", "a mailed code"), By::Address, TO_OWNERS),
    question(("/auth/sign-in", "a guess at a mailed code"), By::Address, None),
    question(("/auth/sign-in", "a mailed link"), By::Address, TO_OWNERS),
    question(("/auth/sign-in", "a texted code"), By::Number, TO_OWNERS),
    question(("/auth/sign-in", "a guess at a texted code"), By::Number, None),
    question(("/auth/sign-in", "a texted code to recover"), By::Number, TO_OWNERS),
    question(("/auth/sign-in", "a guess at a texted code to recover"), By::Number, None),
    question(("/auth/sign-in", "the provider of an organization"), By::Address, None),
    question(("/auth/challenge", "a mailed code"), By::Address, TO_OWNERS),
    question(("/auth/forgot", "a link"), By::UserName, TO_OWNERS),
    question(("/auth/forgot", "a link"), By::Address, TO_OWNERS),
    question(("/auth/guardians/ask", "guardians, where there are none"), By::UserName, None),
    question(("/auth/guardians/ask", "guardians, where there are none"), By::Address, None),
    question(("/auth/register", "a link"), By::Address, None),
    question(("/auth/register", "a code"), By::Address, None),
    question(("/auth/register/code", "a guess at the code"), By::Address, None),
    question(("/auth/register/code", "another code"), By::Address, None),
    question(("/account/keep", "a link for a guest"), By::Address, None),
    question(("/account/email", "a link to another address"), By::Address, None),
    question(("/account/phone", "a code to a number"), By::Number, None),
    question(("/account/guardians", "an invitation"), By::Address, None),
    question(("/api/v1/identity/email", "a link to another address"), By::Address, None),
    question(("/api/v1/identity/phone", "a code to a number"), By::Number, None),
    question(("/api/v1/identity/guardians", "an invitation"), By::Address, None),
    question(("/bc-authorize", "a decision on another device"), By::UserName, None),
];

/// The other forms: why there is no account to ask about.
const WITHOUT_NAMES: [(&str, &[&str]); 5] = [
    (
        "it is about the person who is signed in, and what is theirs",
        &[
            "/account/preview",
            "/account/support",
            "/account/guarding",
            "/account/profile",
            "/account/password",
            "/account/second-factors",
            "/account/backup-codes",
            "/account/sessions",
            "/account/accounts",
            "/account/delegations",
            "/account/organizations",
            "/account/organizations/sso",
            "/account/data",
            "/account/deletion",
            "/account/passkeys",
            "/account/identities",
            "/account/details",
            "/account/terms",
            "/auth/access",
            "/auth/approvals",
            "/auth/impersonation",
            "/auth/impersonation/end",
        ],
    ),
    (
        "it chooses among the accounts of the browser",
        &["/auth/select-account", "/auth/switch-account", "/auth/sign-out"],
    ),
    (
        "it goes on with what the person has proven, or with what the browser has asked for",
        &[
            "/auth/select-organization",
            "/auth/consent",
            "/auth/join",
            "/auth/complete",
            "/auth/register/name",
            "/auth/forgot/password",
            "/auth/guardians",
        ],
    ),
    (
        "a secret that was mailed leads there",
        &[
            "/auth/verify",
            "/auth/verify/passkey",
            "/auth/undo-address",
            "/auth/was-this-you",
            "/auth/reset",
            "/auth/organization-invitation",
            "/auth/organization-invitation/passkey",
            "/auth/new-address",
            "/auth/sign-in-link",
            "/auth/guardians/cancel",
        ],
    ),
    ("its code names a request of a device", &["/oauth/device/verify"]),
];

const fn question(
    (path, asks): (&'static str, &'static str),
    by: By,
    differs: Option<&'static str>,
) -> Question {
    Question { path, asks, by, differs }
}

/// What an answer took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Work {
    statements: u64,
    flights: u64,
    commits: u64,
    hashes: u64,
    messages: u64,
    status: u16,
}

#[test]
fn every_form_is_asked_about_accounts_or_says_why_it_takes_no_name() {
    let asked: BTreeSet<&str> = QUESTIONS.iter().map(|question| question.path).collect();
    let asked = asked.into_iter().filter(|path| !path.starts_with("/api/") && *path != "/bc-authorize");
    let without = WITHOUT_NAMES.iter().flat_map(|(_, paths)| paths.iter().copied());
    let mut all: Vec<&str> = asked.chain(without).collect();
    let mut known = FORMS.to_vec();
    all.sort_unstable();
    known.sort_unstable();
    assert_eq!(all, known);
}

#[tokio::test]
async fn a_question_about_an_account_costs_the_same_whether_there_is_one_or_not() {
    let h = Harness::in_one_process(EVERYTHING).await;
    let world = world(&h, "main").await;
    let mut differences = String::new();
    for (number, question) in QUESTIONS.iter().enumerate() {
        let names = names(&world, question.by, number).await;
        let mut seen = Vec::new();
        // What the first round reads, the second finds in memory.
        for round in 0..2 {
            seen.clear();
            for (who, name) in names.iter().enumerate() {
                let run = format!("run-{number}-{round}-{who}");
                seen.push(answered(&world, question, (name, &run)).await);
            }
        }
        note(&mut differences, question, &seen);
    }
    assert!(differences.is_empty(), "\n{differences}");
}

#[tokio::test]
async fn a_wrong_password_of_an_imported_account_costs_as_much_and_the_old_hash() {
    let h = Harness::in_one_process(EVERYTHING).await;
    let world = world(&h, "main").await;
    let line = json!({ "email": "grace@old.example", "password_hash": { "value": BCRYPT } });
    let outcome = imported(&world.site, json!({}), &[line]).await;
    assert_eq!(outcome["counts"]["created"], 1, "{outcome}");
    let asked = question(("/auth/sign-in", "a password"), By::Address, None);
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.clear();
        for name in ["grace@old.example", "unknown@nowhere.example"] {
            seen.push(answered(&world, &asked, (name, "run")).await);
        }
    }
    let [imported, no_one] = seen[..] else { panic!("{seen:?}") };
    assert_eq!((imported.hashes, no_one.hashes), (2, 1));
    assert_eq!(Work { hashes: 1, ..imported }, no_one);
}

/// What those whom [`WHO`] lists are called in one question.
async fn names(world: &World<'_>, by: By, number: usize) -> [String; 4] {
    let (site, name) = (&world.site, |who: &str| format!("{who}-{number}"));
    let (member, suspended) = (site.user(&name("member")).await, site.user(&name("suspended")).await);
    let elsewhere = site.stranger(&name("elsewhere")).await;
    let numbers = [0, 1, 2, 3].map(|who| format!("+4420794600{who}{number:02}"));
    site.phone(member.id, &numbers[0]).await;
    site.phone(suspended.id, &numbers[1]).await;
    let path = format!("/api/v1/tenant-users/{}/suspend", suspended.id);
    let _ = site.call(Method::POST, &path, Some(&site.mint(|_| ())), None).await.expect(200);
    match by {
        By::UserName => [member.username, suspended.username, name("elsewhere"), name("unknown")],
        By::Address => {
            let unknown = format!("{}@nowhere.example", name("unknown"));
            [member.email, suspended.email, elsewhere.email, unknown]
        }
        By::Number => numbers,
    }
}

/// Asks a question about `name`; who asks is called after `run`.
async fn answered(world: &World<'_>, question: &Question, (name, run): (&str, &str)) -> Work {
    let (h, mut browser) = (world.harness(), world.site.browser());
    match question.path {
        "/auth/challenge" => {
            let page = world.sign_in_page(&mut browser).await;
            let hidden = Form::of(&page).hidden;
            let (_, flow) = hidden.iter().find(|(name, _)| name == "flow").unwrap();
            let fields = [("flow", flow.as_str()), ("method", "email_otp"), ("username", name)];
            measured(h, browser.post(question.path, &fields)).await
        }
        "/bc-authorize" => {
            let form = [("scope", "openid"), ("login_hint", name)];
            measured(h, world.first.post(question.path, &form, &[])).await
        }
        of_api if of_api.starts_with("/api/") => {
            let person = world.site.user(run).await;
            let member = if of_api.ends_with("/phone") { "phone_number" } else { "email" };
            let call = (Method::POST, of_api.trim_start_matches("/api/v1/identity"));
            measured(h, own(&world.site, &person, call, Some(json!({ (member): name })))).await
        }
        of_account if of_account.starts_with("/account/") => {
            let mut errand = errands::open(world, question.path, run).await;
            for (_, value) in errand.fields.iter_mut().filter(|(key, _)| ["email", "phone"].contains(key)) {
                name.clone_into(value);
            }
            measured(h, errand.run()).await
        }
        _ => {
            let (page, fields) = opened(world, &mut browser, (question, name)).await;
            measured(h, browser.submit(&page, &fields)).await
        }
    }
}

/// The page of a form that anyone can open, and what is filled in.
async fn opened<'h, 'n>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    (question, name): (&Question, &'n str),
) -> (Answer, Vec<(&'static str, &'n str)>) {
    match question.path {
        "/auth/sign-in" => at_sign_in(world, browser, (question, name)).await,
        "/auth/forgot" => {
            let page = world.sign_in_page(browser).await;
            (browser.get(&page.link("forgot-link")).await, vec![("username", name)])
        }
        "/auth/guardians/ask" => (browser.get(question.path).await, vec![("username", name)]),
        _ => {
            let page = world.sign_in_page(browser).await;
            let form = browser.get(&page.link("register-link")).await;
            let by_code = vec![("email", name), ("by", "code")];
            match question.asks {
                "a link" => (form, vec![("email", name)]),
                "a code" => (form, by_code),
                "another code" => (browser.submit(&form, &by_code).await, vec![("begin", "yes")]),
                _ => (browser.submit(&form, &by_code).await, vec![("code", "not a code")]),
            }
        }
    }
}

async fn at_sign_in<'h, 'n>(
    world: &World<'h>,
    browser: &mut Browser<'h>,
    (question, name): (&Question, &'n str),
) -> (Answer, Vec<(&'static str, &'n str)>) {
    let page = world.sign_in_page(browser).await;
    let (asks, is_guess) = (question.asks, question.asks.starts_with("a guess"));
    if asks == "a password" {
        return (page, vec![("username", name), ("password", "wrong password")]);
    }
    let page = if asks.ends_with("to recover") { browser.get(&page.link("forgot-link")).await } else { page };
    let (link, field) = match question.by {
        By::Number => ("sms-link", "phone"),
        _ if asks.ends_with("mailed code") => ("email-otp-link", "username"),
        _ if asks.ends_with("link") => ("magic-link-link", "username"),
        _ => ("sso-link", "username"),
    };
    let form = browser.get(&page.link(link)).await.expect(200);
    if is_guess {
        return (browser.submit(&form, &[(field, name)]).await.expect(200), vec![("code", "not a code")]);
    }
    (form, vec![(field, name)])
}

async fn measured(h: &Harness, asking: impl Future<Output = Answer>) -> Work {
    let pool = &h.app().services.passwords;
    let (messages, hashes, before) = (queued(h).await, pool.asked(), h.app().db.counts());
    let answer = asking.await;
    let after = h.app().db.counts();
    Work {
        statements: after.statements - before.statements,
        flights: after.flights - before.flights,
        commits: after.commits - before.commits,
        hashes: pool.asked() - hashes,
        messages: queued(h).await - messages,
        status: answer.status,
    }
}

/// How many messages wait to be sent.
async fn queued(h: &Harness) -> u64 {
    let count = SystemSql::new("SELECT count(*) AS n FROM deliveries");
    let mut tx = h.app().db.read_system().await.unwrap();
    let count = tx.one(count, &[]).await.unwrap().int("n").unwrap();
    tx.commit().await.unwrap();
    u64::try_from(count).unwrap()
}

/// Writes down whose answer cost anything else than that about no one. A message is one statement.
fn note(differences: &mut String, question: &Question, seen: &[Work]) {
    let Question { path, asks, by, differs } = question;
    let alike = |work: &Work| Work {
        statements: work.statements - work.messages,
        messages: if differs.is_some() { 0 } else { work.messages },
        ..*work
    };
    let no_one = seen.last().unwrap();
    for (who, work) in WHO.iter().zip(seen).filter(|(_, work)| alike(work) != alike(no_one)) {
        writeln!(differences, "{path}: {asks} by {by:?}: {who}: {work:?}, no one: {no_one:?}").unwrap();
    }
    if differs.is_some() && seen.iter().all(|work| work.messages == no_one.messages) {
        writeln!(differences, "{path}: {asks} by {by:?}: all are sent the same, so that no reason is needed")
            .unwrap();
    }
}
