//! The code of docs/packages/rust.md, which `guide.rs` compares with the page and runs.

pub mod protect {
    use std::sync::Arc;

    use axum::routing::get;
    use axum::{Extension, Router};
    use svc_sdk::{Claims, Error, Protection, Required, Verifier, VerifierConfig};

    /// Make it once: it keeps the keys.
    pub fn api(issuer: &str, tenant_id: &str) -> Result<Router, Error> {
        let config = VerifierConfig::new(issuer, "https://api.example", tenant_id)?;
        let verifier = Arc::new(Verifier::new(config)?);
        let protection = Protection::new(verifier, "https://api.example");
        let read = protection.require(Required::scope("notes:read"));
        Ok(Router::new().route("/notes", get(notes)).layer(read))
    }

    async fn notes(Extension(claims): Extension<Claims>) -> String {
        format!("Notes of {}", claims.subject())
    }
}

pub mod sign_in {
    use svc_sdk::{Authentication, Claims, Client, ClientConfig, Error, Flow, Refused};

    /// Keep the client: it changes only when the issuer's endpoints do.
    pub fn application(issuer: &str, secret: &str) -> Result<Client, Error> {
        let authentication = Authentication::Basic(secret.to_owned());
        Client::new(ClientConfig::new(issuer, "app_1", authentication))
    }

    /// Keep the flow in the browser's session and redirect to the address.
    pub async fn start(client: &Client) -> Result<(Flow, String), Error> {
        let flow = Flow::start("https://shop.example/callback");
        let address = client.authorization_url(&flow, "openid profile offline_access", &[]).await?;
        Ok((flow, address))
    }

    /// `address` is where the browser came back to. Take the flow out of the session first: it counts once.
    pub async fn finish(client: &Client, flow: &Flow, address: &str) -> Result<Option<Claims>, Refused> {
        let sign_in = client.finish(flow, address).await?;
        Ok(sign_in.claims)
    }
}

pub mod machine {
    use svc_sdk::{Authentication, Client, ClientConfig, Error, ProofKey, Tokens};

    pub fn machine(issuer: &str, pem: &str) -> Result<Client, Error> {
        let key = ProofKey::from_pem(pem)?;
        Client::new(ClientConfig::new(issuer, "app_2", Authentication::Key(key, "key-1".to_owned())))
    }

    pub async fn token(client: &Client) -> Result<Tokens, Error> {
        client.client_credentials("notes:read", Some("https://api.example")).await
    }
}

pub mod admin {
    use serde_json::{Value, json};
    use svc_sdk::{Client, Error, Management, TokenSource};

    pub fn admin(issuer: &str, client: Client) -> Result<Management, Error> {
        let source = TokenSource::credentials(client, "webhooks:write users:read", None);
        Management::new(issuer, source)
    }

    pub async fn subscribe(api: &Management, order: u64) -> Result<Value, Error> {
        let webhook = json!({"url": "https://shop.example/events", "event_types": ["tenant_user.*"]});
        api.webhooks().create(&webhook, Some(&format!("subscribe-{order}"))).await
    }

    pub async fn people(api: &Management) -> Result<Vec<String>, Error> {
        let mut ids = Vec::new();
        let mut pages = api.tenant_users().all(&[("limit", "200")]);
        while let Some(person) = pages.next().await? {
            ids.extend(person["id"].as_str().map(str::to_owned));
        }
        Ok(ids)
    }
}

pub mod connections {
    use std::time::Duration;

    use svc_sdk::reqwest::{self, redirect::Policy};
    use svc_sdk::{Authentication, Client, ClientConfig, Error, Http, Management, TokenSource};

    /// Make it once: all parts share its connections.
    pub fn http() -> Result<Http, reqwest::Error> {
        let client = reqwest::Client::builder().user_agent("shop/1.0").redirect(Policy::none()).build()?;
        Ok(Http { client: Some(client), timeout: Duration::from_secs(10), attempts: 2, ..Http::default() })
    }

    pub fn subscriber(issuer: &str, secret: &str, http: &Http) -> Result<Management, Error> {
        let authentication = Authentication::Basic(secret.to_owned());
        let config = ClientConfig::new(issuer, "app_3", authentication);
        let client = Client::new(ClientConfig { http: http.clone(), ..config })?;
        let source = TokenSource::credentials(client, "webhooks:write", None);
        Management::with_http(issuer, source, http)
    }
}

pub mod events {
    use axum::body::Bytes;
    use axum::http::{HeaderMap, StatusCode};
    use svc_sdk::{Delivery, WebhookVerifier};

    pub fn receiver(secret: &str) -> WebhookVerifier {
        WebhookVerifier::new(vec![secret.to_owned()])
    }

    /// The status to answer. `body` is as it came; `store` puts an event where it lasts, once for each id.
    pub async fn receive(
        verifier: &WebhookVerifier,
        headers: &HeaderMap,
        body: Bytes,
        store: impl FnOnce(Delivery, Bytes) -> bool,
    ) -> StatusCode {
        let headers = headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap_or_default()));
        match verifier.verify(headers, &body).await {
            Ok(delivery) => match store(delivery, body) {
                true => StatusCode::NO_CONTENT,
                false => StatusCode::SERVICE_UNAVAILABLE,
            },
            Err(_) => StatusCode::BAD_REQUEST,
        }
    }
}

pub mod tools {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::http::Response;
    use axum::routing::{get, post};
    use axum::{Extension, Router};
    use svc_sdk::{Claims, Error, Mcp, Required, Verifier};

    pub fn server(verifier: Arc<Verifier>) -> Result<Router, Error> {
        let mcp = Mcp::new(verifier, "https://tools.example", &["notes:read", "notes:write"])?;
        let (guard, path) = (mcp.protection.require(Required::scope("notes:read")), mcp.path.clone());
        let document = mcp.clone();
        Ok(Router::new()
            .route("/mcp", post(move |claims| write(mcp.clone(), claims)))
            .layer(guard)
            .route(&path, get(async move || document.metadata::<Body>())))
    }

    /// A tool that needs more than the route does.
    async fn write(mcp: Mcp, Extension(claims): Extension<Claims>) -> Response<Body> {
        if !claims.has_scope("notes:write") {
            return mcp.protection.insufficient_scope(&claims, "notes:write");
        }
        Response::new(Body::from("written"))
    }
}
