//! `/errors/{class}`: the page that the `type` of a problem document leads to (RFC 9457 §3.1.1).

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use svc_core::{Class, Error};

use crate::context::PlainCx;
use crate::extract::Path;
use crate::render::Problem;
use crate::reply::PageResponse;
use crate::route::{Route, Routes};

/// The routes that every plane serves.
pub fn routes() -> Routes {
    let why = "says what a class of error means, and nothing of any request";
    Routes::new([Route::get("/errors/{class}").deployment(why, page).undocumented()])
}

async fn page(cx: PlainCx, Path(name): Path<String>) -> Result<Response, Problem> {
    let class = Class::ALL.iter().find(|class| class.code().replace('_', "-") == name);
    let class = class.ok_or_else(|| Error::not_found("no class of error has this name"))?;
    let mut bytes = [0; 16];
    cx.entropy.fill(&mut bytes);
    let nonce = svc_keys::base64url(bytes);
    let page = PageResponse {
        status: StatusCode::OK,
        html: html(*class, &nonce),
        nonce,
        form_action: Vec::new(),
        sources: &[],
    };
    Ok(page.into_response())
}

fn html(class: Class, nonce: &str) -> String {
    let (title, code, status) = (class.title(), class.code(), class.status());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style nonce=\"{nonce}\">:root {{ color-scheme: light dark }} \
         body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }}</style>\n\
         <main>\n<h1>{title}</h1>\n<p>Error <code>{code}</code>, HTTP status {status}.</p>\n<p>{}</p>\n\
         <p>The <code>detail</code> of the answer says what is wrong with the request; quote its <code>request_id</code> \
         to the operator of the service to have it found in the log.</p>\n</main>\n</html>\n",
        advice(class)
    )
}

/// Returns what the receiver of such an error does next, as HTML.
pub fn advice(class: Class) -> &'static str {
    match class {
        Class::InsufficientScope => "Ask for an access token with the scope that the answer names.",
        Class::UseDpopNonce | Class::StaleDpopNonce => {
            "Make the proof again with the nonce of the header <code>DPoP-Nonce</code>."
        }
        Class::InvalidDpopProof | Class::UnprovenKey => {
            "Make a new proof for each request: it counts once, and not for long."
        }
        Class::InvalidClient => {
            "Use the <code>client_id</code>, the secret or key, and the method that are registered for the application."
        }
        Class::InvalidGrant => {
            "Begin the flow again: a code or a refresh token counts once, and not for ever."
        }
        Class::InvalidScope => "Ask for scopes that the application may have and that the API offers.",
        Class::InvalidTarget => "Name an API of the tenant by its identifier.",
        Class::InvalidRedirectUri => {
            "Send a registered address, character for character, or register this one."
        }
        Class::UnauthorizedClient => "Allow the grant in <code>grant_types</code> of the application.",
        Class::AccessDenied => "The person or a rule refused. Ask again only when the person wants to.",
        Class::ExpiredToken => "Begin again: the code or the request has expired.",
        Class::LoginRequired
        | Class::ConsentRequired
        | Class::InteractionRequired
        | Class::AccountSelectionRequired => "Send the person again without <code>prompt=none</code>.",
        Class::UnmetAuthenticationRequirements => {
            "Ask for a level that <code>acr_values_supported</code> of the discovery document lists."
        }
        Class::MisdirectedRequest => {
            "Use a host of the service; its operator lists them in <code>server.allowed_hosts</code>."
        }
        Class::AuthorizationPending => "Poll again after the interval.",
        Class::SlowDown => "Wait five seconds longer between polls from now on.",
        Class::Conflict => {
            "The <code>detail</code> says what stands in the way. If the record has changed, read it again, and send the \
             change with its new <code>ETag</code>."
        }
        Class::PreconditionFailed => {
            "Read the record again, decide again, and send the change with its new <code>ETag</code>."
        }
        Class::MethodNotAllowed => "Use a method that the header <code>Allow</code> names.",
        Class::UnsupportedMediaType => "Send the body as the <code>detail</code> says.",
        Class::PayloadTooLarge => "Send less in one request.",
        Class::HeadersTooLarge => "Send shorter headers; in a browser, delete the cookies of this host.",
        Class::UnsupportedGrantType => {
            "Use a grant that <code>grant_types_supported</code> of the discovery document lists."
        }
        Class::UnsupportedResponseType => {
            "Use <code>response_type=code</code>: there is no implicit and no hybrid flow."
        }
        _ => match class.status() {
            401 => "Authenticate: the header <code>WWW-Authenticate</code> says with what.",
            403 => "The caller is known and may not do this; another caller or another token may.",
            404 => "Check the address and the id: a record of another tenant is answered the same way.",
            429 => "Wait as long as the header <code>Retry-After</code> says.",
            501 => "Use another call: the documentation of the service says which there are.",
            500 => "Trying again may help; the cause is in the log of the service.",
            503 => "Try again after the time that the header <code>Retry-After</code> says.",
            _ => "Correct the request; sent again as it is, it fails again.",
        },
    }
}
