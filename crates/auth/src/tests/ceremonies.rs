//! The shape of sign-in methods, driven by three of the tests' own: a redirect that comes back, a mailed code, a challenge
//! that is shown.

use serde_json::{Value, json};
use svc_domain::people::changes::{self, Candidate};
use svc_keys::{base64url, digest, token};

use super::*;
use crate::hosted::mail;
use crate::pages::{MailText, MessageKey};
use crate::signin::Factor;
use crate::signin::methods::{Begun, Needs, Proof, Turn, Verdict, password};

const ELSEWHERE: Method = Method {
    id: "elsewhere",
    factor: Factor::Possession,
    amr: &["swk"],
    is_offered: |_| true,
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(|turn| Box::pin(async move { Ok(leave(turn)) })),
    finish: |turn| Box::pin(come_back(turn)),
    partial: "_elsewhere.html",
    lists: None,
};

const CODE: Method = Method {
    id: "code",
    factor: Factor::Possession,
    amr: &["otp"],
    is_offered: |_| true,
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(|turn| Box::pin(send_code(turn))),
    finish: |turn| Box::pin(compare_code(turn)),
    partial: "_code.html",
    lists: None,
};

const CHALLENGE: Method = Method {
    id: "challenge",
    factor: Factor::UnlockedKey,
    amr: &["hwk", "user"],
    is_offered: |_| true,
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(|turn| Box::pin(async move { Ok(challenge(turn)) })),
    finish: |turn| Box::pin(answer(turn)),
    partial: "_challenge.html",
    lists: None,
};

const ALL: &[&Method] = &[&password::METHOD, &ELSEWHERE, &CODE, &CHALLENGE];

const TEMPLATES: &[(&str, &str)] = &[
    (
        "_elsewhere.html",
        "<a id=\"elsewhere-link\" href=\"/auth/begin?flow={{ page.flow }}&amp;method={{ method.id }}\">Elsewhere</a>",
    ),
    (
        "_code.html",
        "<form id=\"code-{{ \"typed\" if method.shown else \"asked\" }}\" method=\"post\" action=\"{{ page.action }}\">\
         <input type=\"hidden\" name=\"flow\" value=\"{{ page.flow }}\"><button name=\"method\" value=\"code\">Code</button></form>",
    ),
    (
        "_challenge.html",
        "<b id=\"challenge\">{{ method.shown.challenge if method.shown else \"\" }}</b>\
         <form method=\"post\"><input type=\"hidden\" name=\"flow\" value=\"{{ page.flow }}\"></form>",
    ),
];

fn leave(turn: Turn<'_>) -> Begun {
    let nonce = token(&*turn.visit.cx().entropy);
    let url = format!("https://idp.example/authorize?nonce={nonce}");
    let (return_path, memory) = ("/auth/return/idp".to_owned(), json!({ "nonce": nonce }));
    Begun::Leave {
        url,
        state_parameter: "state",
        return_path,
        may_be_relayed: false,
        wants_short_state: false,
        memory,
    }
}

async fn come_back(turn: Turn<'_>) -> svc_core::Result<Verdict> {
    let code = turn.params.one("code").unwrap_or_default();
    let who =
        code.strip_prefix(turn.memory["nonce"].as_str().unwrap()).and_then(|rest| rest.strip_prefix('.'));
    proven(turn, who).await
}

async fn send_code(turn: Turn<'_>) -> svc_core::Result<Begun> {
    let name = turn.params.one("username").unwrap_or_default();
    let candidate = candidate(turn, Some(name)).await?;
    let code = token(&*turn.visit.cx().entropy);
    if let Some(email) = candidate.and_then(|candidate| candidate.account.email) {
        let text = MailText {
            subject: "Code".to_owned(),
            text: code.clone(),
            html: String::new(),
            sender_name: None,
        };
        let mut tx = turn.visit.host.begin().await?;
        mail::queue(turn.visit, &mut tx, &email, text)?;
        tx.commit().await?;
    }
    let memory = json!({ "name": name, "digest": base64url(digest(&code).0) });
    Ok(Begun::Ask { shown: json!({ "sent": true }), memory })
}

async fn compare_code(turn: Turn<'_>) -> svc_core::Result<Verdict> {
    let typed = base64url(digest(turn.params.one("code").unwrap_or_default()).0);
    let is_right = turn.memory["digest"] == typed.as_str();
    proven(turn, turn.memory["name"].as_str().filter(|_| is_right)).await
}

fn challenge(turn: Turn<'_>) -> Begun {
    let challenge = token(&*turn.visit.cx().entropy);
    Begun::Ask { shown: json!({ "challenge": challenge }), memory: json!(challenge) }
}

async fn answer(turn: Turn<'_>) -> svc_core::Result<Verdict> {
    let signed = turn.memory.as_str().map(|challenge| format!("ada signs {challenge}"));
    proven(turn, Some("ada").filter(|_| signed.as_deref() == turn.params.one("answer"))).await
}

async fn candidate(turn: Turn<'_>, name: Option<&str>) -> svc_core::Result<Option<Candidate>> {
    let mut tx = turn.visit.host.read().await?;
    changes::candidate_named(&mut tx, name.unwrap_or_default()).await
}

async fn proven(turn: Turn<'_>, name: Option<&str>) -> svc_core::Result<Verdict> {
    Ok(match candidate(turn, name).await? {
        Some(candidate) => Verdict::Proven(Box::new(Proof::of(candidate.account))),
        None => Verdict::Refused(StatusCode::OK, MessageKey::WrongCredentials),
    })
}

async fn world() -> World {
    World::made(|_| (), ALL, TEMPLATES).await
}

/// `amr` and `acr` of the live sessions.
async fn sessions(world: &World) -> Vec<(Value, String)> {
    let mut tx = world.app.db.read_system().await.unwrap();
    let select = svc_db::system_sql!("SELECT amr, acr FROM sessions WHERE ended_at IS NULL ORDER BY id");
    let rows = tx.all(select, &[]).await.unwrap();
    let read = |row: &svc_db::Row| {
        (serde_json::from_str(&row.text("amr").unwrap()).unwrap(), row.text("acr").unwrap())
    };
    rows.iter().map(read).collect()
}

/// Where a redirect to the other site leads back to.
fn way_back(answer: &Answer, who: &str) -> String {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let url = url::Url::parse(answer.header(header::LOCATION)).unwrap();
    let carried: BTreeMap<_, _> = url.query_pairs().into_owned().collect();
    assert_eq!(carried.keys().collect::<Vec<_>>(), ["nonce", "state"]);
    format!("/auth/return/idp?state={}&code={}.{who}", carried["state"], carried["nonce"])
}

fn challenge_of(page: &Answer) -> String {
    page.body.split("id=\"challenge\">").nth(1).unwrap().split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_page_shows_a_part_for_every_method_in_the_order_of_the_table() {
    let page = world().await.browser().open(&[]).await;
    let at =
        |id: &str| page.body.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {page:?}"));
    let order = ["login-submit", "elsewhere-link", "code-asked", "challenge"].map(at);
    assert!(order.is_sorted(), "{order:?}");
}

#[tokio::test]
async fn a_redirect_comes_back_to_the_flow_in_its_browser_and_nowhere_else() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let away = browser.get(&page.link("/auth/begin")).await;
    let back = way_back(&away, "ada");
    world.browser().get(&back).await.is_error(403, "forbidden");
    // What another site sends here in the place of this one is not looked at (RFC 9700 §4.4.2).
    browser.get(&back.replace("/idp?", "/other?")).await.is_error(403, "forbidden");
    let other = back.replace(".ada", ".nobody");
    browser.get(&other).await.is_page(200, "elsewhere-link");
    browser.get(&back).await.code();
    assert_eq!(sessions(&world).await, [(json!(["swk"]), "urn:svc:aal1".to_owned())]);
    world.advance(900);
    browser.get(&back).await.is_error(400, "expired_token");
}

#[tokio::test]
async fn a_mailed_code_is_asked_for_until_it_is_right() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let begin = [("flow", page.flow()), ("method", "code"), ("username", "ada")];
    let sent = browser.post("/auth/sign-in", &begin).await;
    sent.is_page(200, "code-typed");
    let code = world.mails().await.remove(0).text;
    assert!(!sent.body.contains(&code) && !sent.body.contains("login-submit"), "{sent:?}");
    let wrong =
        browser.post("/auth/sign-in", &[("flow", sent.flow()), ("method", "code"), ("code", "x")]).await;
    wrong.is_page(200, "code-typed");
    // What the page carries cannot be brought back as the end of a redirect.
    browser
        .get(&format!("/auth/return/idp?state={}&code={code}", wrong.flow()))
        .await
        .is_error(403, "forbidden");
    browser.post("/auth/sign-in", &[("flow", wrong.flow()), ("code", &code)]).await.code();
    assert_eq!(sessions(&world).await, [(json!(["otp"]), "urn:svc:aal1".to_owned())]);
}

#[tokio::test]
async fn a_way_that_was_begun_leads_back_to_all_of_them_with_what_was_proven() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[("acr_values", "urn:svc:aal2")]).await;
    assert!(!page.body.contains("ways-link"), "{page:?}");
    let fields = [("flow", page.flow()), ("method", "code"), ("username", "ada")];
    let begun = browser.post("/auth/sign-in", &fields).await;
    begun.is_page(200, "ways-link");
    let all = browser.get(&begun.link("/auth/begin")).await;
    all.is_page(200, "login-submit");
    assert!(!all.body.contains("code-typed") && !all.body.contains("ways-link"), "{all:?}");
    let half = browser.fill(&all, "ada", PASSWORD).await;
    let fields = [("flow", half.flow()), ("method", "code"), ("username", "ada")];
    let begun = browser.post("/auth/sign-in", &fields).await;
    let rest = browser.get(&begun.link("/auth/begin")).await;
    rest.is_page(200, "code-asked");
    assert!(!rest.body.contains("login-submit") && browser.session().is_none(), "{rest:?}");
}

#[tokio::test]
async fn an_answer_counts_for_the_challenge_that_was_shown() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let begin = [("flow", page.flow()), ("method", "challenge")];
    let first = browser.post("/auth/sign-in", &begin).await;
    let second = browser.post("/auth/sign-in", &begin).await;
    let stale = format!("ada signs {}", challenge_of(&first));
    let refused = browser.post("/auth/sign-in", &[("flow", second.flow()), ("answer", &stale)]).await;
    assert_eq!(challenge_of(&refused), challenge_of(&second));
    let signed = format!("ada signs {}", challenge_of(&second));
    browser.post("/auth/sign-in", &[("flow", second.flow()), ("answer", &signed)]).await.code();
    assert_eq!(sessions(&world).await, [(json!(["hwk", "user", "mfa"]), "urn:svc:aal2".to_owned())]);
}

#[tokio::test]
async fn what_is_still_missing_is_asked_for_and_all_proofs_count() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[("acr_values", "urn:svc:aal2")]).await;
    let half = browser.fill(&page, "ada", PASSWORD).await;
    half.is_page(200, "code-asked");
    assert!(!half.body.contains("login-submit") && browser.session().is_none(), "{half:?}");
    // Half a sign-in opens nothing.
    browser.post("/auth/join", &[("flow", half.flow())]).await.is_error(403, "forbidden");
    assert!(browser.session().is_none());
    let away = browser.get(&half.link("/auth/begin")).await;
    browser.get(&way_back(&away, "ada")).await.code();
    assert_eq!(sessions(&world).await, [(json!(["pwd", "swk", "mfa"]), "urn:svc:aal2".to_owned())]);
}

#[tokio::test]
async fn a_first_proof_serves_one_second_proof_whatever_else_the_form_says() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[("acr_values", "urn:svc:aal2")]).await;
    let half = browser.fill(&page, "ada", PASSWORD).await;
    let away = browser.get(&half.link("/auth/begin")).await;
    browser.get(&way_back(&away, "ada")).await.code();
    for more in ["", "&trust=yes"] {
        let away = browser.get(&half.link("/auth/begin")).await;
        browser.get(&format!("{}{more}", way_back(&away, "ada"))).await.is_page(200, "elsewhere-link");
    }
}

#[tokio::test]
async fn a_second_proof_by_another_person_is_worth_nothing() {
    let world = world().await;
    world.account("eve@example.com", true, None, true).await;
    let mut browser = world.browser();
    let page = browser.open(&[("acr_values", "urn:svc:aal2")]).await;
    let half = browser.fill(&page, "ada", PASSWORD).await;
    let away = browser.get(&half.link("/auth/begin")).await;
    let refused = browser.get(&way_back(&away, "eve@example.com")).await;
    refused.is_page(200, "elsewhere-link");
    assert!(browser.session().is_none() && refused.body.contains("form-error"), "{refused:?}");
}

#[tokio::test]
async fn a_link_begins_and_never_ends_a_sign_in() {
    let world = world().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let ending = format!("/auth/begin?flow={}&method=password&username=ada&password=x", page.flow());
    browser.get(&ending).await.is_error(404, "not_found");
    browser.get(&format!("/auth/begin?flow={}&method=unknown", page.flow())).await.is_error(404, "not_found");
    browser
        .post("/auth/sign-in", &[("flow", page.flow()), ("method", "unknown")])
        .await
        .is_error(404, "not_found");
    browser.get("/auth/return/idp?state=junk").await.is_error(403, "forbidden");
}
