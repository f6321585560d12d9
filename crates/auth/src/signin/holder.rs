//! The holder of an account of Ethereum that no account here knows: they get one, or say by its own credential which is theirs.

use svc_core::Result;
use svc_domain::hooks::Subject;
use svc_http::{Response, StatusCode};

use super::ceremony::{SignIn, Way};
use super::floors::floor;
use super::journey::Journey;
use super::methods::Method;
use super::pre_registration::Registration;
use super::social::UserClaims;
use super::{offers, pre_registration};
use crate::hosted::mail;
use crate::pages::MessageKey;

impl SignIn<'_> {
    /// Registers the holder, where people may register and a key alone is enough to sign in.
    pub(super) async fn holder(self, method: &'static Method, claims: UserClaims) -> Result<Response> {
        let Way::Flow(journey) = &self.way else {
            return self.again(MessageKey::SocialUnknown);
        };
        let host = &self.visit().host;
        if !offers::sign_up(host) || floor(host).is_some() {
            return self.linking(claims, None, (MessageKey::SiweNotLinked, None));
        }
        if let Some((error, status)) = refusal(journey, &claims).await? {
            return self.refused(error, status);
        }
        Box::pin(self.register(method, (&claims, None), None)).await
    }
}

/// Why the holder cannot register now.
async fn refusal(journey: &Journey<'_>, claims: &UserClaims) -> Result<Option<(MessageKey, StatusCode)>> {
    if let Some(error) = mail::too_many(journey.visit, "register").await {
        return Ok(Some((error, StatusCode::TOO_MANY_REQUESTS)));
    }
    let account = claims.identity.chain_account();
    let subject = Subject::Registration { email: None, chain_account: account.as_deref() };
    pre_registration::refusal_of(&journey.visit.host, Registration::from(journey), subject).await
}
