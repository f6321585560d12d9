//! What a browser carries for us between two pages: sealed, bound to tenant and browser, short-lived.
//!
//! There is no server-side state before sign-in, so that nobody can fill the database with it. The seal and the
//! binding to the browser's cookie are also what refuses forged forms (CSRF, login CSRF).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_core::{
    Cx, Digest, Error, OrInternal as _, Result, Scope, Seconds, SessionId, TenantId, TenantUserId, Timestamp,
};
use svc_keys::{SealingKey, base64url, constant_time_eq, from_base64url};

use crate::authorize::AuthorizationRequest;

/// How long a page of a flow may stay open.
const FLOW_LIFETIME: Seconds = Seconds(15 * 60);
/// How long any other form may stay open.
const FORM_LIFETIME: Seconds = Seconds(60 * 60);
/// Longest sealed text that is looked at, in bytes; it also travels in the address of GET /auth/continue.
pub const LONGEST: usize = 12 * 1024;

/// An authorization request on its way through the pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// What the application asks for, checked.
    pub request: AuthorizationRequest,
    /// When the person last came a step further.
    pub since: Timestamp,
    /// The session that the person began within this flow: only that satisfies a wish for a fresh sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in: Option<SessionId>,
    /// Whether the person has chosen the account.
    #[serde(default)]
    pub selected: bool,
    /// What the consent page showed, and to whom: an answer allows that and no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
}

/// What a consent page showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Who was asked.
    pub person: TenantUserId,
    /// For what.
    pub scope: Scope,
    /// What it said of the authorization details, as a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

/// What a form without a flow is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Asks for a link to choose a new password.
    Forgot,
    /// Confirms an address, by the secret of the mailed link.
    VerifyEmail(String),
    /// Chooses a new password, by the secret of the mailed link.
    ResetPassword(String),
    /// Confirms signing out; then on to a registered address, if there is one.
    SignOut(Option<String>),
}

/// What may be sealed; each kind under a key of its own, so that none passes as another.
pub trait Carried: Serialize + DeserializeOwned {
    /// Names the key.
    const LABEL: &'static str;
    /// When it ceases to be accepted.
    fn expires_at(&self, now: Timestamp) -> Timestamp;
}

/// Seals for, and opens from, one browser at one tenant.
pub struct Envelope<'a> {
    /// The deployment's key.
    pub key: &'a SealingKey,
    /// The tenant.
    pub tenant: TenantId,
    /// The digest of the browser's cookie.
    pub browser: Digest,
    /// The call.
    pub cx: &'a Cx,
}

#[derive(Serialize, Deserialize)]
struct Contents<T> {
    browser: String,
    until: Timestamp,
    content: T,
}

impl Flow {
    /// A flow that begins.
    pub fn new(request: AuthorizationRequest, now: Timestamp) -> Self {
        Self { request, since: now, signed_in: None, selected: false, offer: None }
    }

    /// The flow after its person signed in.
    #[must_use]
    pub fn signed_in(self, session: SessionId, now: Timestamp) -> Self {
        Self { signed_in: Some(session), since: now, ..self }
    }
}

impl Carried for Flow {
    const LABEL: &'static str = "hosted flow";

    fn expires_at(&self, _: Timestamp) -> Timestamp {
        self.since + FLOW_LIFETIME
    }
}

impl Carried for Form {
    const LABEL: &'static str = "hosted form";

    fn expires_at(&self, now: Timestamp) -> Timestamp {
        now + FORM_LIFETIME
    }
}

impl Envelope<'_> {
    /// The text that the browser carries.
    pub fn seal<T: Carried>(&self, content: &T) -> Result<String> {
        let until = content.expires_at(self.cx.now);
        let contents = Contents { browser: base64url(self.browser.0), until, content };
        let plain = serde_json::to_vec(&contents).or_internal()?;
        let key = self.key.derive(T::LABEL);
        key.seal(self.tenant.to_string().as_bytes(), &plain, &*self.cx.entropy).map(base64url)
    }

    /// What the browser brought back; 403 where it is not ours, of this tenant and of this browser.
    pub fn open<T: Carried>(&self, text: Option<&str>) -> Result<T> {
        let contents: Contents<T> = text.and_then(|text| self.unsealed(text)).ok_or_else(foreign)?;
        if !constant_time_eq(contents.browser.as_bytes(), base64url(self.browser.0).as_bytes()) {
            return Err(foreign());
        }
        if contents.until <= self.cx.now {
            return Err(Error::expired_token(
                "this page was open for too long; start again at the application",
            ));
        }
        Ok(contents.content)
    }

    fn unsealed<T: Carried>(&self, text: &str) -> Option<Contents<T>> {
        let sealed = from_base64url(Some(text).filter(|text| text.len() <= LONGEST)?)?;
        let plain = self.key.derive(T::LABEL).open(self.tenant.to_string().as_bytes(), &sealed)?;
        serde_json::from_slice(&plain).ok()
    }
}

#[track_caller]
fn foreign() -> Error {
    Error::forbidden("this form was not opened in this browser, or its cookies are blocked; start again")
}

#[cfg(test)]
mod tests {
    use svc_core::Class;

    use super::*;
    use crate::signin::fixtures::{NOW, authorization_request, cx, tenant_id};

    fn envelope(cx: &Cx, key: u8, tenant: u64, browser: u8) -> (SealingKey, TenantId, Digest, Cx) {
        (SealingKey::from_bytes([key; 32]), tenant_id(tenant), Digest([browser; 32]), cx.clone())
    }

    fn opened<T: Carried>(parts: &(SealingKey, TenantId, Digest, Cx), text: Option<&str>) -> Result<T> {
        Envelope { key: &parts.0, tenant: parts.1, browser: parts.2, cx: &parts.3 }.open(text)
    }

    fn sealed<T: Carried>(parts: &(SealingKey, TenantId, Digest, Cx), content: &T) -> String {
        Envelope { key: &parts.0, tenant: parts.1, browser: parts.2, cx: &parts.3 }.seal(content).unwrap()
    }

    #[test]
    fn a_flow_comes_back_only_to_its_browser_its_tenant_and_its_deployment() {
        let cx = cx(NOW);
        let home = envelope(&cx, 1, 1, 1);
        let flow = Flow::new(authorization_request(), NOW);
        let text = sealed(&home, &flow);
        assert_eq!(opened::<Flow>(&home, Some(&text)).unwrap(), flow);
        for stranger in [envelope(&cx, 2, 1, 1), envelope(&cx, 1, 2, 1), envelope(&cx, 1, 1, 2)] {
            assert_eq!(opened::<Flow>(&stranger, Some(&text)).unwrap_err().class(), Class::Forbidden);
        }
    }

    #[test]
    fn missing_forged_and_overlong_states_are_forbidden() {
        let home = envelope(&cx(NOW), 1, 1, 1);
        let long = "A".repeat(LONGEST + 1);
        for bad in [None, Some(""), Some("x"), Some("AAAA"), Some(&*long)] {
            assert_eq!(opened::<Flow>(&home, bad).unwrap_err().class(), Class::Forbidden, "{bad:?}");
        }
    }

    #[test]
    fn a_form_never_passes_as_a_flow_nor_one_purpose_as_another() {
        let home = envelope(&cx(NOW), 1, 1, 1);
        let text = sealed(&home, &Form::Forgot);
        assert!(opened::<Flow>(&home, Some(&text)).is_err());
        assert_eq!(opened::<Form>(&home, Some(&text)).unwrap(), Form::Forgot);
        assert!(
            opened::<Form>(&home, Some(&sealed(&home, &Flow::new(authorization_request(), NOW)))).is_err()
        );
    }

    #[test]
    fn a_flow_ends_fifteen_minutes_after_its_last_step() {
        let text = sealed(&envelope(&cx(NOW), 1, 1, 1), &Flow::new(authorization_request(), NOW));
        let later = |seconds| envelope(&cx(NOW + Seconds(seconds)), 1, 1, 1);
        assert!(opened::<Flow>(&later(899), Some(&text)).is_ok());
        assert_eq!(opened::<Flow>(&later(900), Some(&text)).unwrap_err().class(), Class::ExpiredToken);
    }
}
