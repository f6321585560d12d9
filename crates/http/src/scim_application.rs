//! An application that speaks SCIM (RFC 7644): requests to it with its token, within limits, by the client for addresses that others
//! chose.

use axum::http::{HeaderMap, HeaderValue, Method, header};
use bytes::Bytes;
use serde_json::Value;
use svc_core::{Error, OrInternal as _, Result, Seconds, Secret};
use svc_domain::delivery::scim_targets::Access;

use crate::app::App;
use crate::outbound::{Fetched, Limits, Outbound};

/// The type of every document (RFC 7644 §3.1).
const TYPE: &str = "application/scim+json";
/// Most bytes of an answer that are read.
const MOST_ANSWER: usize = 256 * 1024;
/// Longest time for one answer: a look may need several.
const LONGEST: Seconds = Seconds(10);
/// Most characters of a fault that an administrator reads.
const MOST_SHOWN: usize = 300;

/// An application, as it is reached at this moment.
pub struct ScimApplication {
    outbound: Outbound,
    access: Access,
    token: Secret,
    limits: Limits,
}

impl ScimApplication {
    /// The application that is reached so, with a token that it has given.
    pub fn new(app: &App, access: Access, token: Secret) -> Self {
        Self { outbound: app.outbound.to_receivers(&app.config), access, token, limits: limits(app) }
    }

    /// What the tenant decides of it.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Sends a request to what is at `path` below its address.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Fetched> {
        let url = self.access.configuration.address(path);
        let body = body.map(|body| Bytes::from(body.to_string()));
        self.outbound
            .send_reading_beginning(method, &url, (self.headers(body.is_some())?, body), self.limits)
            .await
    }

    fn headers(&self, has_body: bool) -> Result<HeaderMap> {
        let mut token = HeaderValue::try_from(format!("Bearer {}", self.token.expose())).or_internal()?;
        token.set_sensitive(true);
        let kind = HeaderValue::from_static(TYPE);
        let mut headers =
            HeaderMap::from_iter([(header::AUTHORIZATION, token), (header::ACCEPT, kind.clone())]);
        if has_body {
            headers.insert(header::CONTENT_TYPE, kind);
        }
        Ok(headers)
    }

    /// Where a resource is below the address; an error where its id is none that an address could name.
    pub fn resource(endpoint: &str, id: &str) -> Result<String> {
        if id.is_empty() || id.len() > 512 || id.chars().any(char::is_control) || matches!(id, "." | "..") {
            return Err(Error::invalid_request("the application gave an id that no address can name"));
        }
        let encoded: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        Ok(format!("{endpoint}/{}", encoded.replace('+', "%20")))
    }

    /// A query for resources with a value.
    pub fn query(endpoint: &str, attribute: &str, value: &str) -> String {
        let filter = format!("{attribute} eq {}", Value::from(value));
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("filter", &filter)
            .append_pair("count", "10")
            .finish();
        format!("{endpoint}?{query}")
    }

    /// What an administrator reads of an answer that is no success: its status, and what it says of the fault (RFC 7644 §3.12).
    pub fn fault(&self, answer: &Fetched) -> String {
        let status = answer.status.as_u16();
        let document: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let said = ["scimType", "detail"].into_iter().filter_map(|name| document.get(name)?.as_str());
        let said = said.collect::<Vec<_>>().join(": ");
        let said = [&self.token, &self.access.secret]
            .into_iter()
            .fold(said, |said, secret| said.replace(secret.expose(), "***"));
        let said: String =
            said.chars().filter(|character| !character.is_control()).take(MOST_SHOWN).collect();
        if said.is_empty() { format!("answered {status}") } else { format!("answered {status}: {said}") }
    }
}

/// What one exchange may cost.
pub(crate) fn limits(app: &App) -> Limits {
    Limits { time: app.config.webhooks.timeout_secs.min(LONGEST), bytes: MOST_ANSWER }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_one_resource_whatever_it_is() {
        let path = |id: &str| ScimApplication::resource("Users", id).unwrap();
        assert_eq!(path("2819c223"), "Users/2819c223");
        assert_eq!(path("../Groups/1?x=#y z%2f"), "Users/..%2FGroups%2F1%3Fx%3D%23y%20z%252f");
        for bad in ["", ".", "..", "a\nb", &"x".repeat(513)] {
            assert!(ScimApplication::resource("Users", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_stays_within_the_quotes_of_its_filter() {
        let query = ScimApplication::query("Users", "userName", "a\" or userName pr \\");
        let (_, query) = query.split_once('?').unwrap();
        let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
        assert_eq!(pairs[0].1, r#"userName eq "a\" or userName pr \\""#);
    }
}
