//! What is answered to each request.

use std::sync::Arc;

use svc_core::{Actor, Clock as _, Cx, Error, Result, SystemClock};
use svc_keys::kms::{Answer, Request, Use};
use svc_keys::management::Wrapped;
use svc_keys::{KeyManagement as _, KeyUse, Purpose, SystemEntropy};

use super::holder::Loaded;

/// The answer to a request. What fails says why: a client that could connect holds the deployment's keys.
pub async fn to(request: Request, loaded: &Loaded) -> Answer {
    let answer = Box::pin(attempt(request, loaded)).await;
    answer.unwrap_or_else(|error| {
        let why = std::error::Error::source(&error).map_or(error.detail().to_owned(), ToString::to_string);
        tracing::warn!(why, "a request was refused");
        Answer::Refused(why)
    })
}

async fn attempt(request: Request, loaded: &Loaded) -> Result<Answer> {
    let (keyring, cx) = (&loaded.keyring, cx());
    Ok(match request {
        Request::Hello { .. } => return Err(Error::bad_request("the greeting was said already")),
        Request::Health => Answer::Well(keyring.versions().fingerprints()),
        Request::Keyring => Answer::Keyring(keyring.versions().hand_out()),
        Request::Create { r#use, algorithm } => {
            let of = wrapping(r#use)?;
            let made = keyring.create(of, Request::algorithm(&algorithm)?, &cx).await?;
            if stays(of, loaded) {
                return Ok(Answer::Kept(made.key.public_jwk(), made.wrapped.into()));
            }
            let key = made.key.held().ok_or_else(|| Error::internal("a keyring holds what it makes"))?;
            Answer::Created(key.kid().to_owned(), key.to_pkcs8()?.to_vec().into(), made.wrapped.into())
        }
        Request::Wrap { r#use, id, key } => {
            Answer::Bytes(keyring.wrap(wrapping(r#use)?, &id, &key, &cx).await?.into())
        }
        Request::Unwrap { r#use, id, wrapped } => {
            let of = wrapping(r#use)?;
            let key = keyring.unwrap(of, &id, &wrapped).await?;
            if stays(of, loaded) { Answer::Stays } else { Answer::Bytes(key.to_vec().into()) }
        }
        Request::Rewrap { r#use, id, wrapped } => {
            Answer::Bytes(keyring.rewrap(wrapping(r#use)?, &id, &wrapped, &cx).await?.into())
        }
        Request::Sign { r#use, id, algorithm, wrapped, message } => {
            let with = Wrapped { id: &id, algorithm: Request::algorithm(&algorithm)?, key: &wrapped };
            let key = loaded.signing_keys.opened(keyring, wrapping(r#use)?, with).await?;
            Answer::Bytes(key.signature(&message)?.into())
        }
        Request::Hmac { r#use, message } => {
            let of = KeyUse::try_from(r#use)?;
            Answer::Bytes(keyring.authenticate(of, &message, &cx)?.to_vec().into())
        }
        Request::Secret { name } => Answer::Secret(loaded.secrets.get(&name).cloned()),
    })
}

/// Whether a key signs here, because what opens the root does not let keys out either.
fn stays(of: KeyUse, loaded: &Loaded) -> bool {
    loaded.keeps_signing_keys && of.purpose == Purpose::SigningKeys
}

/// A use whose keys never leave: the others are sealed with in the processes that hold them.
fn wrapping(of: Use) -> Result<KeyUse> {
    let of = KeyUse::try_from(of)?;
    if of.purpose.is_handed_out() {
        let name = of.purpose.name();
        return Err(Error::bad_request(format!(
            "use.purpose: keys of {name} are sealed with by their holders"
        )));
    }
    Ok(of)
}

fn cx() -> Cx {
    Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::System("svc-kms"),
        request_id: "svc-kms".to_owned(),
        client_ip: None,
    }
}
