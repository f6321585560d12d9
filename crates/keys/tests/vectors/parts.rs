//! What the cases of access tokens are put together from: claims, headers, and what a route asks.

use serde_json::{Value, json};

use crate::NOW;

pub const ISSUER: &str = "https://id.example";
pub const AUDIENCE: &str = "https://api.example";
pub const TENANT: &str = "tnt_01jcqzv7y0e8kstk6yq6k3a4mf";
pub const URL: &str = "https://api.example/orders";
pub const AGENT: &str = "app_01jcqzv7y0e8kstk6yq6k3a4a1";
pub const OTHER_AGENT: &str = "app_01jcqzv7y0e8kstk6yq6k3a4a2";

pub fn bearer(token: &str) -> Value {
    json!({"authorization": format!("Bearer {token}")})
}

pub fn header(alg: &str, kid: &str) -> Value {
    json!({"typ": "at+jwt", "alg": alg, "kid": kid})
}

pub fn claims() -> Value {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "sub-1", "tenant_id": TENANT, "client_id": "app_01jcqzv7y0e8kstk6yq6k3a4mf",
        "jti": "fam-1.tok-1", "iat": NOW - 60, "nbf": NOW - 60, "exp": NOW + 300,
        "scope": "openid orders:read", "subject_type": "human",
    })
}

pub fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

pub fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

pub fn required() -> Value {
    json!({"scope": "orders:read", "subject_types": ["human"], "allow_delegation": false, "dpop": "optional"})
}

pub fn asked(name: &str, value: Value) -> Value {
    let mut required = required();
    required[name] = value;
    required
}

pub fn asked_dpop() -> Value {
    asked("dpop", json!("required"))
}

pub fn delegated() -> Value {
    let mut required = asked("allow_delegation", json!(true));
    required["actors"] = json!([AGENT]);
    required
}

pub fn refusal(rule: u8) -> Value {
    match rule {
        6 | 8 | 9 => json!({"error": "forbidden", "status": 403}),
        7 => json!({"error": "insufficient_scope", "status": 403}),
        _ => json!({"error": "invalid_token", "status": 401}),
    }
}
