//! Pages for requests that no page answers: an address without a page, a method that it does not take, an unknown host.

use svc_core::Result;
use svc_http::{
    ErrorPages, HeaderValue, IntoResponse as _, PageResponse, Refusal, Refused, Response, StatusCode,
    Visitor as _, header,
};

use super::visit::{Visit, how_long, may_pass};
use crate::pages::{Branding, ErrorPage, Look, Pages};

/// How the edge shows failures to people.
pub const ERROR_PAGES: ErrorPages = ErrorPages(|refused| Box::pin(shown(refused)));

async fn shown(refused: Refused) -> Option<Response> {
    match refused.host.clone().and_then(|host| Visit::of(host, &refused.headers, None).ok()) {
        Some(visit) => Some(visit.failed(refused.error, refused.is_form).await),
        None => nameless(&refused).ok(),
    }
}

/// The page where there is no tenant whose look it could have.
fn nameless(refused: &Refused) -> Result<Response> {
    let pages = refused.app.part::<Pages>()?;
    let languages = refused.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let branding = Branding::new(&refused.app.config.oidc.issuer_url.host(), None, None)?;
    let nonce = svc_keys::token(&*refused.app.entropy);
    let look = Look {
        locale: pages.negotiate(None, languages),
        branding: &branding,
        nonce: &nonce,
        address: None,
        acting: None,
    };
    let class = refused.error.class();
    let html = pages.render(
        &look,
        &ErrorPage {
            code: class.code().into(),
            detail: Some(refused.error.detail().into()),
            request_id: (&refused.request_id).into(),
            wait: how_long(&refused.error),
            may_repeat: may_pass(class) && !refused.is_form,
            ..ErrorPage::default()
        },
    )?;
    let status = StatusCode::from_u16(class.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response =
        PageResponse { status, html, nonce, form_action: Vec::new(), sources: &[] }.into_response();
    if let Some(seconds) = refused.error.wait() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response.extensions_mut().insert(Refusal::of(&refused.error));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use svc_core::Error;

    use super::*;
    use crate::pages::MessageKey;

    #[test]
    fn a_person_reads_how_long_to_wait_where_it_is_known_and_longer_than_a_moment() {
        for (error, told) in [
            (Error::rate_limited("x").retry_after(61), Some(MessageKey::TooManyAttempts { minutes: 2 })),
            (Error::temporarily_unavailable("x").retry_after(1), None),
            (
                Error::temporarily_unavailable("x").retry_after(600),
                Some(MessageKey::UnavailableFor { minutes: 10 }),
            ),
            (Error::forbidden("x"), None),
        ] {
            assert_eq!(how_long(&error), told, "{error:?}");
        }
    }
}
