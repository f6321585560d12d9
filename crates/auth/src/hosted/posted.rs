//! What another site may send here by POST.

use svc_core::{Error, Result};
use svc_http::{Form, HeaderMap, OauthError, Params, Response, Uri, header, is_foreign, see_other};

use super::address::with_query;
use super::visit::Visit;

/// Longest address that a request sent by POST is moved to.
const LONGEST_ADDRESS: usize = 16 * 1024;
/// Longest name that an error shows, in characters.
const LONGEST_SHOWN: usize = 40;

/// The parameters of a request that a form sent.
pub fn posted(uri: &Uri, form: Result<Form, OauthError>) -> Result<Params> {
    form.map_err(|OauthError(error)| error)
        .and_then(|Form(body)| merged(uri.query().unwrap_or_default(), body))
}

/// Where another site's form sent the request: a redirect to it as an address of ours. A browser sends no `SameSite=Lax`
/// cookies with another site's form, but it does with the redirect after it.
pub fn redirected(
    visit: &Visit,
    headers: &HeaderMap,
    path: &str,
    params: &Result<Params>,
) -> Option<Response> {
    let lacks_cookies = is_foreign(headers, &visit.host.tenant.issuer) || may_be_foreign(headers);
    let params = params.as_ref().ok().filter(|_| lacks_cookies)?;
    Some(see_other(&as_address(path, params)?))
}

/// Whether a browser that knows no `Sec-Fetch-Site` also hides whose form this is, as pages with the policy `no-referrer` want it
/// (Fetch standard §3.1). Without its cookies it would be taken for one without a session, and a sign-out would end none.
fn may_be_foreign(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin == "null")
        && !headers.contains_key("sec-fetch-site")
}

/// The parameters of query and body together; none may be in both.
pub fn merged(query: &str, body: Params) -> Result<Params> {
    if query.is_empty() {
        return Ok(body);
    }
    let query = Params::parse(query)?;
    if let Some((name, _)) = query.iter().find(|(name, _)| body.has(name)) {
        let shown: String = name.chars().take(LONGEST_SHOWN).collect();
        let told = format!("the parameter {shown} occurs in both the query and the body; send it once");
        return Err(Error::invalid_request(told));
    }
    Ok(query.iter().chain(body.iter()).collect())
}

/// The same request as an address of ours, where it is short enough for one.
fn as_address(path: &str, params: &Params) -> Option<String> {
    let address = with_query(path, params.iter());
    (address.len() <= LONGEST_ADDRESS).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_in_query_and_body_is_refused() {
        let body = || Params::parse("client_id=b&state=x").unwrap();
        assert_eq!(
            merged("client_id=a", body()).unwrap_err().detail(),
            "the parameter client_id occurs in both the query and the body; send it once"
        );
        assert!(merged("scope=a&scope=b", body()).is_err());
        let both = merged("scope=openid", body()).unwrap();
        assert_eq!((both.one("scope"), both.one("client_id")), (Some("openid"), Some("b")));
        assert_eq!(merged("", body()).unwrap(), body());
    }

    #[test]
    fn a_posted_request_says_the_same_as_an_address() {
        let params = Params::parse("state=a%20%26b&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fx").unwrap();
        let address = as_address("/oauth/authorize", &params).unwrap();
        assert_eq!(Params::parse(address.split_once('?').unwrap().1).unwrap(), params);
        assert!(
            as_address("/oauth/authorize", &[("state", "x".repeat(20_000))].into_iter().collect()).is_none()
        );
    }
}
