//! Against a running server: `SVC_DEV` is the line that `svc-runtime dev --json` printed; without it nothing is done here.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_sdk::{
    Authentication, Client, ClientConfig, Error, Flow, Management, ProofKey, Request, Required, SignIn,
    TokenSource, Verifier, VerifierConfig,
};

use crate::person;

/// The demo's own API.
const API: &str = "https://api.demo.example";
const CALLBACK: &str = "http://127.0.0.1:8765/callback";
const URL: &str = "https://api.example/x";

struct Dev(Value);

impl Dev {
    fn find() -> Option<Self> {
        let line = std::env::var("SVC_DEV").ok().filter(|line| !line.is_empty())?;
        Some(Self(serde_json::from_str(&line).unwrap()))
    }

    fn issuer(&self) -> &str {
        self.0["issuer"].as_str().unwrap()
    }

    fn client(&self, handle: &str) -> Client {
        let client =
            self.0["clients"].as_array().unwrap().iter().find(|client| client["handle"] == handle).unwrap();
        let secret = client["client_secret"].as_str().unwrap_or_default().to_owned();
        let authentication = match client["token_endpoint_auth_method"].as_str().unwrap() {
            "client_secret_basic" => Authentication::Basic(secret),
            "client_secret_post" => Authentication::Post(secret),
            _ => Authentication::None,
        };
        let id = client["client_id"].as_str().unwrap();
        Client::new(ClientConfig::new(self.issuer(), id, authentication)).unwrap()
    }

    fn verifier(&self, audience: &str, tenant: &str) -> Verifier {
        Verifier::new(VerifierConfig::new(self.issuer(), audience, tenant).unwrap()).unwrap()
    }

    fn tenant(&self) -> &str {
        self.0["tenant_id"].as_str().unwrap()
    }

    async fn person(&self, client: &Client, scope: &str, extra: &[(&str, &str)]) -> (Flow, String, SignIn) {
        let flow = Flow::start(CALLBACK);
        let url = client.pushed_authorization_url(&flow, scope, extra).await.unwrap();
        let back = person::sign_in(&url, &self.0["user"], CALLBACK).await;
        let sign_in = client.finish(&flow, &back).await.unwrap();
        (flow, back, sign_in)
    }

    fn management(&self) -> Management {
        let source = TokenSource::credentials(self.client("admin-cli"), "", None);
        Management::new(self.issuer(), source).unwrap()
    }
}

async fn judge(verifier: &Verifier, token: &str, required: &Required) -> Result<svc_sdk::Claims, Error> {
    let authorization = format!("Bearer {token}");
    let request = Request { authorization: &[&authorization], dpop: &[], method: "GET", url: URL };
    verifier.verify(request, required).await
}

fn system(scope: &str) -> Required {
    Required { subject_types: vec!["system".into()], ..Required::scope(scope) }
}

#[tokio::test]
async fn a_services_token_passes_for_its_audience_tenant_scope_and_kind_alone() {
    let Some(dev) = Dev::find() else { return };
    let tokens = dev.client("service").client_credentials("notes:read", Some(API)).await.unwrap();
    let token = &tokens.access_token;
    let verifier = dev.verifier(API, dev.tenant());
    let claims = judge(&verifier, token, &system("notes:read")).await.unwrap();
    assert_eq!(claims.text("tenant_id"), Some(dev.tenant()));
    let refused = [
        (dev.verifier("https://other.example", dev.tenant()), system("notes:read"), "invalid_token"),
        (dev.verifier(API, "tnt_other"), system("notes:read"), "forbidden"),
        (dev.verifier(API, dev.tenant()), system("notes:read notes:write"), "insufficient_scope"),
        (dev.verifier(API, dev.tenant()), Required::scope("notes:read"), "forbidden"),
    ];
    for (verifier, required, code) in refused {
        assert_eq!(judge(&verifier, token, &required).await.unwrap_err().code, code);
    }
}

#[tokio::test]
async fn a_person_signs_in_and_the_tokens_renew_tell_about_the_person_and_end() {
    let Some(dev) = Dev::find() else { return };
    let client = dev.client("web");
    let (flow, back, sign_in) = dev.person(&client, "openid profile email", &[]).await;
    let claims = sign_in.claims.unwrap();
    let told = client.userinfo(&sign_in.tokens.access_token, Some(claims.subject())).await.unwrap();
    assert!(told.text("email").is_some());
    let again = client.finish(&flow, &back).await.unwrap_err();
    let svc_sdk::Refused::Server(error) = again else { panic!("{again}") };
    assert!(error.code == "invalid_grant" && error.request_id.is_some());

    let (_, _, sign_in) = dev.person(&client, "openid offline_access notes:read", &[("resource", API)]).await;
    let (verifier, required) = (dev.verifier(API, dev.tenant()), Required::scope("notes:read"));
    judge(&verifier, &sign_in.tokens.access_token, &required).await.unwrap();
    let id_token = sign_in.tokens.id_token.unwrap();
    assert_eq!(judge(&verifier, &id_token, &required).await.unwrap_err().code, "invalid_token");
    let renewed = client.refresh(&sign_in.tokens.refresh_token.unwrap()).await.unwrap();
    judge(&verifier, &renewed.access_token, &required).await.unwrap();
    let refresh = renewed.refresh_token.unwrap();
    client.revoke(&refresh).await.unwrap();
    assert_eq!(client.refresh(&refresh).await.unwrap_err().code, "invalid_grant");
}

#[tokio::test]
async fn a_service_acts_for_a_person_and_is_named_with_it() {
    let Some(dev) = Dev::find() else { return };
    let (web, service) = (dev.client("web"), dev.client("service"));
    let (_, _, person) = dev.person(&web, "openid notes:read", &[("resource", API)]).await;
    let tokens = service.exchange_token(&person.tokens.access_token, API, "notes:read").await.unwrap();
    let verifier = dev.verifier(API, dev.tenant());
    let required = Required::scope("notes:read");
    assert_eq!(judge(&verifier, &tokens.access_token, &required).await.unwrap_err().code, "forbidden");
    let allowed = Required { allow_delegation: true, ..required };
    let claims = judge(&verifier, &tokens.access_token, &allowed).await.unwrap();
    let actor = claims.member("act").unwrap()["sub"].as_str().unwrap().to_owned();
    let named = Required { actors: Some(vec![actor]), ..allowed.clone() };
    judge(&verifier, &tokens.access_token, &named).await.unwrap();
    let other = Required { actors: Some(vec!["other".into()]), ..allowed };
    assert_eq!(judge(&verifier, &tokens.access_token, &other).await.unwrap_err().code, "forbidden");
}

#[tokio::test]
async fn a_device_gets_a_code_to_show() {
    let Some(dev) = Dev::find() else { return };
    let device = dev.client("device").start_device("openid").await.unwrap();
    assert_eq!(device.user_code.len(), 9);
}

#[tokio::test]
async fn webhooks_are_made_once_per_key_listed_page_by_page_changed_and_deleted() {
    let Some(dev) = Dev::find() else { return };
    let api = dev.management();
    let webhooks = api.webhooks();
    let mut made = Vec::new();
    for number in 0..3 {
        let body =
            json!({"url": format!("https://receiver.example/rust-{number}"), "event_types": ["auth.*"]});
        let key = format!("rust-{number}-{}", std::process::id());
        let first = webhooks.create(&body, Some(&key)).await.unwrap();
        assert_eq!(first, webhooks.create(&body, Some(&key)).await.unwrap());
        made.push(first["id"].as_str().unwrap().to_owned());
    }
    let mut listed = Vec::new();
    let mut pages = webhooks.all(&[("limit", "2")]);
    while let Some(webhook) = pages.next().await.unwrap() {
        listed.push(webhook["id"].as_str().unwrap().to_owned());
    }
    assert!(made.iter().all(|id| listed.iter().filter(|one| *one == id).count() == 1));
    let changed = webhooks.update(&made[0], &json!({"description": "new"})).await.unwrap();
    assert_eq!(changed["description"], "new");
    for id in &made {
        webhooks.delete(id).await.unwrap();
    }
    let gone = webhooks.find(&made[0]).await.unwrap_err();
    assert!(gone.code == "not_found" && gone.status == 404 && gone.request_id.is_some());
}

#[tokio::test]
async fn an_application_proves_itself_by_its_key_and_a_bound_token_passes_with_a_proof() {
    let Some(dev) = Dev::find() else { return };
    let key = ProofKey::generate().unwrap();
    let mut jwk = key.jwk();
    jwk["kid"] = json!("k-1");
    let body = json!({
        "name": format!("Rust {}", std::process::id()), "type": "machine", "grant_types": ["client_credentials"], "scope": "notes:read",
        "token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [jwk]},
    });
    let made = dev.management().applications().create(&body, None).await.unwrap();
    let id = made["client_id"].as_str().or(made["id"].as_str()).unwrap();
    let proofs = Arc::new(ProofKey::generate().unwrap());
    let mut config = ClientConfig::new(dev.issuer(), id, Authentication::Key(key, "k-1".into()));
    config.proof_key = Some(Arc::clone(&proofs));
    let tokens = Client::new(config).unwrap().client_credentials("notes:read", Some(API)).await.unwrap();
    assert_eq!(tokens.token_type, "DPoP");
    let verifier = dev.verifier(API, dev.tenant());
    let bare = judge(&verifier, &tokens.access_token, &system("notes:read")).await.unwrap_err();
    assert_eq!(bare.code, "invalid_token");
    let authorization = format!("DPoP {}", tokens.access_token);
    let verify = async |key: &ProofKey| {
        let proof = key.proof("GET", URL, Some(&tokens.access_token), None).unwrap();
        let request = Request { authorization: &[&authorization], dpop: &[&proof], method: "GET", url: URL };
        verifier.verify(request, &system("notes:read")).await
    };
    verify(&proofs).await.unwrap();
    let stolen = verify(&ProofKey::generate().unwrap()).await.unwrap_err();
    assert_eq!(stolen.code, "invalid_dpop_proof");
}
