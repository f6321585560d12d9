//! Signed answers (JARM §2.1, FAPI 2.0 Message Signing §5.4): what an answer carries is claims of one JWT, in `response`.

use serde_json::{Map, Value, json};
use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::apps::App;
use svc_http::HostCx;
use svc_keys::{Signer as _, Typ};

/// How long an answer is good for (JARM §2.1).
const LIFETIME: Seconds = Seconds(600);

/// The answer with these fields, signed for the application by the algorithm that it chose.
pub async fn signed(host: &HostCx, app: &App, fields: &[(&str, String)]) -> Result<String> {
    // `iss` is among the fields: as a claim it means the same (RFC 9207 §2.4).
    let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
    let mut claims: Map<String, Value> = fields.collect();
    claims.insert("aud".to_owned(), json!(app.client_id()));
    claims.insert("exp".to_owned(), json!((host.cx.now + LIFETIME).as_secs()));
    let payload = serde_json::to_vec(&claims).or_internal()?;
    let algorithm = app.configuration.authorization_response_algorithm();
    let keys = &host.app.services.keys;
    keys.publish(host.tenant.id.reference(), algorithm);
    keys.ring(host.tenant.id).sign(algorithm, Typ::Jwt, &payload).await
}
