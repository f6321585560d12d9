//! An answer read to its end, and the questions that tests ask of it.

use serde_json::Value;
use svc_http::HeaderMap;
use url::Url;

/// Status, headers and body.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    /// A header that occurs once, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The document of a refusal but for what differs between equal calls.
    pub fn without_request_id(&self) -> Value {
        let mut document = self.json();
        document
            .as_object_mut()
            .unwrap()
            .remove("request_id")
            .unwrap_or_else(|| panic!("no request_id: {self:?}"));
        document
    }

    /// The same answer, which has this status.
    #[track_caller]
    #[must_use]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The same answer, which is an error document of this status and code.
    #[track_caller]
    #[must_use]
    pub fn expect_problem(self, status: u16, code: &str) -> Self {
        let answer = self.expect(status);
        let document = answer.json();
        assert_eq!(document["error"], code, "{document}");
        if document.get("error_uri").is_some() {
            // OpenID CIBA §13 knows these members and no others.
            assert_eq!(document.as_object().unwrap().len(), 3, "{document}");
            return answer;
        }
        assert_eq!(document["status"], status, "{document}");
        assert!(document["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{document}");
        assert!(!answer.header("x-request-id").is_empty(), "{answer:?}");
        answer
    }

    /// Where the answer redirects to.
    #[track_caller]
    pub fn location(&self) -> &str {
        assert!((300..400).contains(&self.status), "not a redirect: {self:?}");
        self.header("location")
    }

    /// A parameter of the redirect's query.
    #[track_caller]
    pub fn redirect_param(&self, name: &str) -> Option<String> {
        let url = Url::parse(self.location()).unwrap();
        url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// The path of a link of the page.
    #[track_caller]
    pub fn link(&self, id: &str) -> String {
        let names = |tag: &&str| tag.split('>').next().unwrap().contains(&format!("id=\"{id}\""));
        let tag = self.body.split("<a ").find(names).unwrap_or_else(|| panic!("no link {id} in {self:?}"));
        let href = tag.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
        href.replace("&#x2f;", "/").replace("&amp;", "&")
    }

    /// Whether a session begins in the browser.
    pub fn begins_session(&self) -> bool {
        let mut cookies = self.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
        cookies.any(|cookie| cookie.starts_with("__Host-svc_session=") && !cookie.contains("Max-Age=0"))
    }

    /// Whether the sign-in leads back to its application with a code.
    pub fn is_signed_in(&self) -> bool {
        self.status == 303 && self.redirect_param("code").is_some()
    }

    /// What the page shows, without what is fresh in every page or was typed by the person.
    pub fn shown(&self, typed: &str) -> String {
        let mut text = String::new();
        for (index, part) in self.body.replace(typed, "TYPED").split('"').enumerate() {
            let is_fresh = index % 2 == 1 && part.len() >= 43 && !part.contains(' ');
            text.push_str(if is_fresh { "FRESH" } else { part });
            text.push('"');
        }
        text
    }
}
