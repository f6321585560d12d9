//! What each decision asks of the database: a change that adds a statement, a round trip or a commit shows here.

use std::fmt::Write as _;

use svc_db::{Counts, Engine};
use svc_http::{Body, Method, Request};
use svc_keys::Algorithm;

use crate::client_keys::Keyed;
use crate::delegation::{NOTES, World, exchange};
use crate::dpop::prover::Prover;
use crate::forward_auth::{self, Host};
use crate::harness::{Answer, Client, Code, Harness, Person};
use crate::par::{fapi2, request_uri, signing_in, with_reference};
use crate::polling::{allow_device, poll_device, start};

/// Where memory holds what it can.
const COSTS: &str = "
                                           statements  flights  commits
client_credentials                                  0        0        0
authorize with a session                            3        2        1
authorization_code                                  6        2        1
refresh_token, rotated                              5        2        1
UserInfo                                            0        0        0
introspection                                       0        0        0
introspection of a refresh token                    1        1        0
revocation of a refresh token                       8        4        1
a refresh token that is known to have ended         1        1        1
introspection of a token that is known so           0        0        0
token-exchange                                     10        2        1
device authorization                                3        2        2
device_code, pending for the first time             1        1        0
device_code, pending                                0        0        0
device_code, allowed                                6        4        1
the sign-in page                                    0        0        0
sign-in with a password                            17        6        2
client_credentials with DPoP                        1        1        1
a proxy asks about a person                         0        0        0
";

/// A sign-in holds the credentials that it rests on. On PostgreSQL that is a statement, in a flight that is made anyway; on SQLite, where
/// a transaction that writes is alone, there is none.
fn costs_on(engine: Engine) -> String {
    match engine {
        Engine::Sqlite => COSTS.to_owned(),
        Engine::Postgres => {
            COSTS.replace("password                            17", "password                            18")
        }
    }
}

/// The same with an assertion and a proof in each request: both are noted with what is decided, so that they count once on all
/// nodes.
const COSTS_OF_FAPI2: &str = "
                                           statements  flights  commits
a request is pushed                                 2        2        1
authorize with the reference                        5        2        1
authorization_code, bound                           8        3        1
refresh_token, bound and kept                       6        3        1
UserInfo with DPoP                                  1        1        1
";

/// Measures decisions, and lists what they cost.
struct Costs<'h> {
    harness: &'h Harness,
    table: String,
}

impl<'h> Costs<'h> {
    fn of(harness: &'h Harness) -> Self {
        let table = format!("\n{:43}statements  flights  commits\n", "");
        Self { harness, table }
    }

    async fn note<T>(&mut self, decision: &str, making: impl Future<Output = T>) -> T {
        let before = self.harness.app().db.counts();
        let made = making.await;
        let Counts { statements, flights, commits } = self.harness.app().db.counts();
        let (statements, flights) = (statements - before.statements, flights - before.flights);
        let commits = commits - before.commits;
        writeln!(self.table, "{decision:43}{statements:>10}{flights:>9}{commits:>9}").unwrap();
        made
    }
}

/// Signed in, with everything read once.
async fn warm<'h>(app: &Client<'h>, person: &Person) -> (crate::harness::Browser<'h>, String) {
    let mut browser = app.site.browser();
    let code = app.code_in(&mut browser, person).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    let again = app.refresh(tokens["refresh_token"].as_str().unwrap()).await.expect(200).json();
    (browser, again["refresh_token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn every_decision_costs_what_is_listed() {
    let h = Harness::in_one_process(&forward_auth::SETTINGS).await;
    let world = World::new(&h).await;
    let (site, web, ada) = (&world.site, &world.web, &world.ada);
    let spa = site.public_app("spa").await;
    let mut costs = Costs::of(&h);

    let own = [("grant_type", "client_credentials"), ("resource", NOTES)];
    let _ = web.token(&own, &[]).await.expect(200);
    let _ = costs.note("client_credentials", web.token(&own, &[])).await.expect(200);

    let (mut browser, refresh_token) = warm(&spa, ada).await;
    let verifier = spa.verifier();
    let answer =
        costs.note("authorize with a session", browser.get(&spa.authorize_path(&verifier, &[]))).await;
    let code = Code { code: answer.redirect_param("code").unwrap(), verifier };
    let tokens = costs.note("authorization_code", spa.exchange(&code)).await.expect(200).json();
    let _ = costs.note("refresh_token, rotated", spa.refresh(&refresh_token)).await.expect(200);
    let access_token = tokens["access_token"].as_str().unwrap();
    let _ = site.call(Method::GET, "/userinfo", Some(access_token), None).await.expect(200);
    let _ = costs
        .note("UserInfo", site.call(Method::GET, "/userinfo", Some(access_token), None))
        .await
        .expect(200);
    let form = [("token", access_token)];
    let _ = costs.note("introspection", web.post("/oauth/introspect", &form, &[])).await.expect(200);
    let form = [("token", tokens["refresh_token"].as_str().unwrap())];
    let _ = costs
        .note("introspection of a refresh token", web.post("/oauth/introspect", &form, &[]))
        .await
        .expect(200);
    let _ =
        costs.note("revocation of a refresh token", spa.post("/oauth/revoke", &form, &[])).await.expect(200);
    let ended = tokens["refresh_token"].as_str().unwrap();
    let _ = spa.refresh(ended).await.expect_problem(400, "invalid_grant");
    let _ = costs
        .note("a refresh token that is known to have ended", spa.refresh(ended))
        .await
        .expect_problem(400, "invalid_grant");
    let _ = costs
        .note("introspection of a token that is known so", web.post("/oauth/introspect", &form, &[]))
        .await
        .expect(200);

    let subject_token = world.usual().await;
    let _ = exchange(&world.agent, &subject_token, &[]).await.expect(200);
    let _ = costs.note("token-exchange", exchange(&world.agent, &subject_token, &[])).await.expect(200);

    let started = start(&spa, "openid").await;
    let started_again = costs.note("device authorization", start(&spa, "openid")).await;
    let _ =
        costs.note("device_code, pending for the first time", poll_device(&spa, &started.device_code)).await;
    h.advance(5);
    let _ = costs.note("device_code, pending", poll_device(&spa, &started.device_code)).await;
    allow_device(site, ada, &started_again.user_code).await;
    let _ =
        costs.note("device_code, allowed", poll_device(&spa, &started_again.device_code)).await.expect(200);

    let page = spa.site.browser().get(&spa.authorize_path(&spa.verifier(), &[])).await;
    let mut browser = site.browser();
    let page_again =
        costs.note("the sign-in page", browser.get(&spa.authorize_path(&spa.verifier(), &[]))).await;
    drop(page);
    let fields = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let _ = costs.note("sign-in with a password", browser.submit(&page_again, &fields)).await;

    let prover = Prover::new().at(&h);
    let url = format!("{}/oauth/token", site.issuer());
    let proof = prover.proof("POST", &url, &[]);
    let headers = [("dpop", proof.as_str())];
    let with_proof = web.post_with("/oauth/token", &headers, &own, &[]);
    let _ = costs.note("client_credentials with DPoP", with_proof).await.expect(200);

    let mut host = Host::new(site, "wiki", |_| ()).await;
    let _ = host.sign_in(&mut site.browser(), ada).await.expect(303);
    let _ = costs.note("a proxy asks about a person", host.check()).await.expect(200);

    assert_eq!(costs.table, costs_on(h.app().db.engine()));
}

/// UserInfo with a bound token and a new proof.
async fn userinfo_with_proof(app: &Keyed<'_>, prover: &Prover, access_token: &str) -> Answer {
    let site = &app.client.site;
    let proof = prover.proof_for("GET", &format!("{}/userinfo", site.issuer()), access_token, &[]);
    let request = Request::get("/userinfo").header("host", &site.host).header("dpop", proof);
    let request = request.header("authorization", format!("DPoP {access_token}"));
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn every_decision_of_the_profile_fapi2_costs_what_is_listed() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::strict(&site, "bank", Algorithm::Es256).await, site.user("ada").await);
    let prover = Prover::new().at(&h);
    let mut browser = site.browser();
    let path = |pushed: &Answer| with_reference(&app.client.id, &request_uri(pushed));
    let _ = signing_in(&mut browser, &path(&fapi2::push(&app, &[]).await), &ada).await;
    // That there are no hooks is read once.
    let _ = h.app().services.hooks.of(site.tenant.id).await.unwrap();

    let mut costs = Costs::of(&h);
    let pushed = costs.note("a request is pushed", fapi2::push(&app, &[])).await;
    let answer = costs.note("authorize with the reference", browser.get(&path(&pushed))).await;
    let code = answer.redirect_param("code").unwrap();
    let exchange = fapi2::exchange(&app, &code, Some(&prover));
    let tokens = costs.note("authorization_code, bound", exchange).await.expect(200).json();
    let form =
        [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"].as_str().unwrap())];
    let refresh = fapi2::token(&app, &form, Some(&prover));
    let _ = costs.note("refresh_token, bound and kept", refresh).await.expect(200);
    let access_token = tokens["access_token"].as_str().unwrap();
    let _ = userinfo_with_proof(&app, &prover, access_token).await.expect(200);
    let userinfo = userinfo_with_proof(&app, &prover, access_token);
    let _ = costs.note("UserInfo with DPoP", userinfo).await.expect(200);

    assert_eq!(costs.table, COSTS_OF_FAPI2);
}
