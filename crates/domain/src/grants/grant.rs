//! What one authorization allowed: kept with its code, and with the refresh family that begins with that.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{AppId, ImpersonationId, OrganizationId, Scope, SessionId, Timestamp};

use crate::claims::claims_request::ClaimsRequest;

/// How and when the person behind a session proved who they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authentication {
    /// The session; its text form is the `sid` claim.
    pub session: SessionId,
    /// When the person last signed in actively.
    pub auth_time: Timestamp,
    /// The methods used (RFC 8176).
    pub amr: Vec<String>,
    /// The strength reached.
    pub acr: String,
    /// Who acts in the place of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acting: Option<Acting>,
}

/// Support staff who act for a person: tokens of the session name them, and end with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acting {
    /// The impersonation.
    pub id: ImpersonationId,
    /// The subject of the staff member.
    pub by: String,
    /// The one application that it is for, if it is for one.
    pub app: Option<AppId>,
    /// When it ends.
    pub ends_at: Timestamp,
}

impl Authentication {
    /// The claim `act` of tokens of the session (RFC 8693 §4.1).
    pub fn act(&self) -> Option<Value> {
        self.acting.as_ref().map(|acting| json!({ "sub": acting.by }))
    }
}

/// The terms that the person and the application agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationGrant {
    /// Where the code was sent.
    pub redirect_uri: String,
    /// The PKCE challenge (S256), if the request carried one.
    pub code_challenge: Option<String>,
    /// Echoed in the ID token of the code exchange only.
    pub nonce: Option<String>,
    /// What was granted.
    pub scope: Scope,
    /// The one API that the tokens are for.
    pub audience: String,
    /// How the person signed in.
    pub authentication: Authentication,
    /// The thumbprint of the key that the tokens are bound to (RFC 9449 §10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpop_jkt: Option<String>,
    /// The thumbprint of the certificate that refreshes are bound to (RFC 8705 §4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x5t_s256: Option<String>,
    /// What was granted in detail (RFC 9396).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details: Vec<Value>,
    /// The claims that the application asked for by name (OpenID Connect Core §5.5).
    #[serde(default, skip_serializing_if = "ClaimsRequest::is_empty")]
    pub claims: ClaimsRequest,
    /// Who acts for the person (RFC 8693 §4.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Value>,
    /// The organization in which the tokens count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<OrganizationId>,
}
