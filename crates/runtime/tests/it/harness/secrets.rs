//! Every secret that passes through a service under test: what requests prove themselves with, what answers and mails hand out. None
//! of them may be in a log, whatever the test is about.

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;

use serde_json::Value;
use url::{Url, form_urlencoded};

use super::Answer;

/// Parameters and members that hold one.
const NAMES: [&str; 21] = [
    "access_token",
    "actor_token",
    "assertion",
    "auth_req_id",
    "client_assertion",
    "client_secret",
    "code",
    "code_verifier",
    "device_code",
    "id_token",
    "id_token_hint",
    "initial_access_token",
    "logout_token",
    "password",
    "refresh_token",
    "registration_access_token",
    "secret",
    "signature",
    "subject_token",
    "token",
    "verifier",
];
/// Shorter texts are guesses and placeholders, which occur in other words.
const SHORTEST: usize = 16;

/// The secrets seen so far.
#[derive(Default)]
pub struct Secrets(Mutex<BTreeSet<String>>);

impl Secrets {
    /// Notes what a request proves itself with, unless it says the same in the open: in its path, or in another header.
    pub fn sent(&self, target: &str, headers: &[(&str, &str)], body: &str) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let values = |name: &'static str| {
            headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
        };
        let proofs = values("authorization").filter_map(|value| value.split_once(' ')).flat_map(of_proof);
        let cookies = values("cookie").flat_map(|value| value.split("; "));
        let cookies = cookies.filter_map(|cookie| cookie.split_once('=')).map(|(_, value)| value.to_owned());
        let dpop = values("dpop").map(str::to_owned);
        let given = [of_form(query), of_form(body), of_json(body)].concat();
        let found = proofs.chain(cookies).chain(dpop).chain(given);
        let is_open = |name: &str| {
            !["authorization", "cookie", "dpop"].iter().any(|secret| name.eq_ignore_ascii_case(secret))
        };
        let open = headers.iter().filter(|(name, _)| is_open(name)).map(|(_, value)| *value);
        let open: Vec<_> = open.chain([path]).collect();
        self.keep(found.filter(|secret| !open.iter().any(|text| text.contains(secret.as_str()))));
    }

    /// Notes what an answer hands out.
    pub fn received(&self, answer: &Answer) {
        let cookies =
            answer.headers.get_all("set-cookie").into_iter().filter_map(|value| value.to_str().ok());
        let cookies = cookies.filter_map(|cookie| cookie.split(';').next()?.split_once('='));
        let cookies = cookies.map(|(_, value)| value.to_owned());
        let location =
            answer.headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
        self.keep(cookies.chain(of_link(location)).chain(of_json(&answer.body)));
    }

    /// Notes what a mail's link is worth.
    pub fn mailed(&self, link: &str) {
        self.keep(of_link(link));
    }

    /// The lines of a log that hold one. There are many secrets, and logs are long: only where the beginning of one stands is the
    /// whole of it looked for.
    pub fn told_in(&self, log: &str) -> Vec<String> {
        let secrets = self.0.lock().unwrap();
        let beginnings: HashSet<_> = secrets.iter().map(|secret| &secret.as_bytes()[..SHORTEST]).collect();
        let may_tell = |line: &str| line.as_bytes().windows(SHORTEST).any(|part| beginnings.contains(part));
        let tells = |line: &str| secrets.iter().any(|secret| line.contains(secret.as_str()));
        log.lines().filter(|line| may_tell(line) && tells(line)).map(str::to_owned).collect()
    }

    fn keep(&self, found: impl IntoIterator<Item = String>) {
        // People try their address as a password, and mails are logged with it.
        let is_address = |text: &String| text.contains('@') && text.ends_with(".example");
        let found = found.into_iter().filter(|secret| secret.len() >= SHORTEST && !is_address(secret));
        self.0.lock().unwrap().extend(found);
    }
}

/// A token, or the password of a pair.
fn of_proof((scheme, value): (&str, &str)) -> Vec<String> {
    let pair = Some(value).filter(|_| scheme.eq_ignore_ascii_case("basic")).and_then(svc_keys::from_base64);
    let pair = pair.and_then(|pair| String::from_utf8(pair).ok());
    let password = pair.and_then(|pair| pair.split_once(':').map(|(_, password)| password.to_owned()));
    [Some(value.to_owned()), password].into_iter().flatten().collect()
}

fn of_form(text: &str) -> Vec<String> {
    let pairs = form_urlencoded::parse(text.as_bytes());
    pairs.filter(|(name, _)| NAMES.contains(&&**name)).map(|(_, value)| value.into_owned()).collect()
}

/// The parameters of an address, in its query or its fragment.
fn of_link(link: &str) -> Vec<String> {
    let Ok(url) = Url::parse("https://id.test").and_then(|base| base.join(link)) else { return Vec::new() };
    [url.query(), url.fragment()].into_iter().flatten().flat_map(of_form).collect()
}

fn of_json(text: &str) -> Vec<String> {
    fn walk(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    // In a document `code` is the name of an error.
                    let holds_one = name != "code" && NAMES.contains(&name.as_str());
                    if let (true, Some(secret)) = (holds_one, value.as_str()) {
                        found.push(secret.to_owned());
                    }
                    walk(value, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Ok(document) = serde_json::from_str(text) {
        walk(&document, &mut found);
    }
    found
}

#[test]
fn whatever_is_worth_something_is_noted_wherever_it_stands() {
    let secrets = Secrets::default();
    let basic = "Basic YXBwXzE6c2VjcmV0LW9mLWFuLWFwcGxpY2F0aW9u";
    let headers = [("Authorization", basic), ("cookie", "svc_lang=de; svc_session=cookie-of-a-session")];
    let body = "grant_type=refresh_token&refresh_token=a-refresh%2Dtoken-of-ours";
    secrets.sent("/oauth/token?token=token-of-a-mailed-link", &headers, body);
    secrets.sent("/x", &[("Cookie", "a=said-in-the-open-too"), ("Origin", "said-in-the-open-too")], "");
    secrets.sent("/x", &[("DPoP", "proof-of-possession")], r#"{"keys":[{"secret":"secret-of-a-webhook"}]}"#);
    let mut headers = svc_http::HeaderMap::new();
    headers.insert("set-cookie", "svc_flow=cookie-of-a-flow-that-runs; Path=/".parse().unwrap());
    headers.insert("location", "https://app.example/cb#code=code-in-a-fragment".parse().unwrap());
    let body = r#"{"access_token":"an-access-token-of-ours","code":"name-of-an-error-class"}"#.to_owned();
    secrets.received(&Answer { status: 200, headers, body });
    secrets.mailed("https://id.test/auth/reset?token=token-of-a-mail-to-ada");
    let kept: Vec<_> = secrets.0.lock().unwrap().iter().cloned().collect();
    assert_eq!(
        kept,
        [
            "YXBwXzE6c2VjcmV0LW9mLWFuLWFwcGxpY2F0aW9u",
            "a-refresh-token-of-ours",
            "an-access-token-of-ours",
            "code-in-a-fragment",
            "cookie-of-a-flow-that-runs",
            "cookie-of-a-session",
            "proof-of-possession",
            "secret-of-a-webhook",
            "secret-of-an-application",
            "token-of-a-mail-to-ada",
            "token-of-a-mailed-link",
        ]
    );
    let log = "one line\nanother with an-access-token-of-ours, and more\na-refresh-token-of";
    assert_eq!(secrets.told_in(log), ["another with an-access-token-of-ours, and more"]);
}
