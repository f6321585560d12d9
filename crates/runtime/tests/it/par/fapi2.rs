//! The profile `fapi2` (FAPI 2.0 Security Profile §5.3.2): pushed, challenged, signed, bound, and nothing less.

use serde_json::json;
use svc_domain::apps::RequirePkce;
use svc_keys::Algorithm;

use super::{VERIFIER, request, request_uri, signing_in, told, with_reference};
use crate::client_keys::Keyed;
use crate::dpop::prover::Prover;
use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Harness, Person};

const TYPE: (&str, &str) =
    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");

pub async fn push(app: &Keyed<'_>, changes: Pairs<'_>) -> Answer {
    let fields = request(&app.client, changes);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    app.post_honestly("/oauth/par", &fields).await
}

async fn code(app: &Keyed<'_>, person: &Person) -> String {
    let path = with_reference(&app.client.id, &request_uri(&push(app, &[]).await));
    let answer = signing_in(&mut app.client.site.browser(), &path, person).await;
    assert_eq!(answer.redirect_param("iss").as_deref(), Some(app.client.site.issuer()));
    answer.redirect_param("code").unwrap()
}

/// A token request with an assertion and, where there is one, a proof.
pub async fn token(app: &Keyed<'_>, form: Pairs<'_>, prover: Option<&Prover>) -> Answer {
    let url = format!("{}/oauth/token", app.client.site.issuer());
    let proof = prover.map(|prover| prover.proof("POST", &url, &[]));
    let headers: Vec<_> = proof.iter().map(|proof| ("dpop", proof.as_str())).collect();
    let assertion = app.assertion(&[]);
    let form = [form, &[TYPE, ("client_assertion", &assertion)]].concat();
    app.client.post_with("/oauth/token", &headers, &form, &[]).await
}

pub async fn exchange(app: &Keyed<'_>, code: &str, prover: Option<&Prover>) -> Answer {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", app.client.redirect_uri()),
        ("code_verifier", VERIFIER),
    ];
    token(app, &form, prover).await
}

#[tokio::test]
async fn the_whole_flow_gives_bound_tokens_and_a_refresh_token_that_stays() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Ps256] {
        let app = Keyed::strict(&site, &algorithm.name().to_ascii_lowercase(), algorithm).await;
        let ada = site.user(&format!("ada-{}", algorithm.name().to_ascii_lowercase())).await;
        let prover = Prover::new().at(&h);
        let tokens = exchange(&app, &code(&app, &ada).await, Some(&prover)).await.expect(200).json();
        assert_eq!(tokens["token_type"], "DPoP");
        assert_eq!(claims(tokens["access_token"].as_str().unwrap())["cnf"]["jkt"], json!(prover.jkt));
        let refresh_token = tokens["refresh_token"].as_str().unwrap();
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
        for _ in 0..3 {
            h.advance(30);
            // A confidential application may come with another key each time.
            let prover = Prover::new().at(&h);
            let again = token(&app, &form, Some(&prover)).await.expect(200).json();
            assert_eq!(again["refresh_token"], json!(refresh_token));
            assert_eq!(claims(again["access_token"].as_str().unwrap())["cnf"]["jkt"], json!(prover.jkt));
        }
        let _ = token(&app, &form, None).await.expect_problem(400, "invalid_dpop_proof");
        let bare = app.client.post("/oauth/token", &form, &[]).await;
        let _ = bare.expect_problem(401, "invalid_client");
    }
}

#[tokio::test]
async fn a_refresh_token_that_stays_lives_on_with_use_and_ends_with_its_family() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::strict(&site, "a", Algorithm::Es256).await, site.user("ada").await);
    let prover = Prover::new().at(&h);
    let tokens = exchange(&app, &code(&app, &ada).await, Some(&prover)).await.expect(200).json();
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
    for _ in 0..4 {
        // Six days of the seven that it lives without use.
        h.advance(6 * 86_400);
        let _ = token(&app, &form, Some(&Prover::new().at(&h))).await.expect(200);
    }
    h.advance(8 * 86_400);
    let _ = token(&app, &form, Some(&Prover::new().at(&h))).await.expect_problem(400, "invalid_grant");
    let code = code(&app, &ada).await;
    let tokens = exchange(&app, &code, Some(&Prover::new().at(&h))).await.expect(200).json();
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let _ = app.post_honestly("/oauth/revoke", &[("token", refresh_token)]).await.expect(200);
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
    let _ = token(&app, &form, Some(&Prover::new().at(&h))).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_assertion_and_a_proof_count_once_whatever_became_of_their_request() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::strict(&site, "a", Algorithm::Es256).await, site.user("ada").await);
    let prover = Prover::new().at(&h);
    let url = format!("{}/oauth/token", site.issuer());
    let (assertion, proof) = (|| app.assertion(&[]), || prover.proof("POST", &url, &[]));
    let send = async |code: &str, assertion: &str, proof: &str| {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", app.client.redirect_uri()),
            ("code_verifier", VERIFIER),
            TYPE,
            ("client_assertion", assertion),
        ];
        app.client.post_with("/oauth/token", &[("dpop", proof)], &form, &[]).await
    };

    let (used, used_proof) = (assertion(), proof());
    let unknown = svc_keys::token(&*h.app().entropy);
    let _ = send(&unknown, &used, &used_proof).await.expect_problem(400, "invalid_grant");
    let first = code(&app, &ada).await;
    let _ = send(&first, &used, &proof()).await.expect_problem(401, "invalid_client");
    let _ = send(&first, &assertion(), &used_proof).await.expect_problem(400, "invalid_dpop_proof");

    let (used, used_proof) = (assertion(), proof());
    let _ = send(&first, &used, &used_proof).await.expect(200);
    let second = code(&app, &ada).await;
    let _ = send(&second, &used, &proof()).await.expect_problem(401, "invalid_client");
    let _ = send(&second, &assertion(), &used_proof).await.expect_problem(400, "invalid_dpop_proof");
    let _ = send(&second, &assertion(), &proof()).await.expect(200);

    let codes = [code(&app, &ada).await, code(&app, &ada).await];
    let (used, proofs) = (assertion(), [proof(), proof()]);
    let (one, other) = tokio::join!(send(&codes[0], &used, &proofs[0]), send(&codes[1], &used, &proofs[1]));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "{one:?} {other:?}");
}

#[tokio::test]
async fn whatever_the_profile_requires_cannot_be_left_out() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (
        Keyed::with(&site, "a", Algorithm::Es256, |configuration| {
            configuration.profile = svc_domain::apps::Profile::Fapi2;
            configuration.require_pkce = RequirePkce::No;
        })
        .await,
        site.user("ada").await,
    );
    let direct = site.browser().get(&app.client.authorize_path(VERIFIER, &[])).await;
    assert_eq!(told(&direct, &app.client), "invalid_request", "without a push");
    for (case, changes) in [
        ("no challenge", &[("code_challenge", ""), ("code_challenge_method", "")][..]),
        ("plain", &[("code_challenge_method", "plain")]),
        ("no redirect_uri", &[("redirect_uri", "")]),
    ] {
        let answer = push(&app, changes).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!("invalid_request")), "{case}");
    }
    let unproven = exchange(&app, &code(&app, &ada).await, None).await;
    let _ = unproven.expect_problem(400, "invalid_dpop_proof");
    let unproven = token(&app, &[("grant_type", "client_credentials")], None).await;
    let _ = unproven.expect_problem(400, "invalid_dpop_proof");
    let late = code(&app, &ada).await;
    h.advance(61);
    let _ = exchange(&app, &late, Some(&Prover::new().at(&h))).await.expect_problem(400, "invalid_grant");
}
