//! A browser as far as plain HTML forms need one: cookies, forms, redirects.

use std::collections::BTreeMap;

use svc_http::{Body, HeaderValue, Method, Request};
use url::form_urlencoded::Serializer;

use super::{Answer, Site};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Cookies of one site, and the pages that they open.
#[derive(Clone)]
pub struct Browser<'h> {
    pub site: Site<'h>,
    pub cookies: BTreeMap<String, String>,
}

/// A form of a page.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub hidden: Vec<(String, String)>,
}

impl<'h> Browser<'h> {
    pub(super) fn new(site: Site<'h>) -> Self {
        Self { site, cookies: BTreeMap::new() }
    }

    /// Opens a page of the site; redirects are not followed.
    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, &[("sec-fetch-site", "none")], String::new()).await
    }

    /// Opens a page, and follows redirects as long as they stay at the site.
    pub async fn follow(&mut self, path: &str) -> Answer {
        let mut answer = self.get(path).await;
        for _ in 0..10 {
            let Some(path) = self.path_here(&answer) else { return answer };
            answer = self.get(&path).await;
        }
        panic!("too many redirects at {answer:?}");
    }

    /// Posts a form of the site's own.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.site.issuer().to_owned();
        self.post_from(&origin, path, fields).await
    }

    /// Posts a form that a page of `origin` shows.
    pub async fn post_from(&mut self, origin: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let site = if origin == self.site.issuer() { "same-origin" } else { "cross-site" };
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send(Method::POST, path, &[FORM, ("origin", origin), ("sec-fetch-site", site)], body).await
    }

    /// Fills in and sends the form of a page.
    pub async fn submit(&mut self, page: &Answer, fields: &[(&str, &str)]) -> Answer {
        self.submit_with(page, &[], fields).await
    }

    /// The same with further headers, such as those of a proxy.
    pub async fn submit_with(
        &mut self,
        page: &Answer,
        headers: &[(&str, &str)],
        fields: &[(&str, &str)],
    ) -> Answer {
        let form = Form::of(page);
        let hidden = form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        // What a script of the page would fill in stands there empty.
        let hidden = hidden.filter(|(name, _)| !fields.iter().any(|(filled, _)| filled == name));
        let body = Serializer::new(String::new()).extend_pairs(hidden.chain(fields.iter().copied())).finish();
        let origin = self.site.issuer().to_owned();
        let own = [FORM, ("origin", origin.as_str()), ("sec-fetch-site", "same-origin")];
        let path = form.action.strip_prefix(&origin).unwrap_or(&form.action);
        self.send(Method::POST, path, &[&own[..], headers].concat(), body).await
    }

    /// Sends a request with the cookies, and keeps those that come back. The page after a form has an address of its own,
    /// which is opened.
    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let answer = self.exchange(method, path, headers, body).await;
        self.settled(answer).await
    }

    /// The page after a form, where the answer leads to it.
    pub async fn settled(&mut self, answer: Answer) -> Answer {
        match self.path_here(&answer) {
            Some(page) if page.starts_with("/auth/page?") => {
                let headers = [("sec-fetch-site", "none")];
                let mut page = self.exchange(Method::GET, &page, &headers, String::new()).await;
                page.headers.insert("x-request-id", answer.headers["x-request-id"].clone());
                // The cookies came with the redirect.
                let name =
                    |cookie: &HeaderValue| cookie.to_str().unwrap().split('=').next().unwrap().to_owned();
                let known: Vec<_> = page.headers.get_all("set-cookie").iter().map(name).collect();
                let others = answer.headers.get_all("set-cookie").iter();
                for cookie in others.filter(|cookie| !known.contains(&name(cookie))) {
                    page.headers.append("set-cookie", cookie.clone());
                }
                page
            }
            _ => answer,
        }
    }

    /// Sends one request.
    pub async fn exchange(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("host", &self.site.host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !self.cookies.is_empty() {
            let cookies: Vec<_> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", cookies.join("; "));
        }
        let answer = self.site.harness.send(request.body(Body::from(body)).unwrap()).await;
        self.take_cookies(&answer);
        answer
    }

    fn take_cookies(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if cookie.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    fn path_here(&self, answer: &Answer) -> Option<String> {
        let location = Some(answer.header("location")).filter(|location| !location.is_empty())?;
        let path = location.strip_prefix(self.site.issuer()).unwrap_or(location);
        path.starts_with('/').then(|| path.to_owned())
    }
}

impl Form {
    /// The first form of a page.
    #[track_caller]
    pub fn of(page: &Answer) -> Self {
        let start = page.body.find("<form").unwrap_or_else(|| panic!("no form in {page:?}"));
        let text = page.body[start..].split("</form>").next().unwrap();
        let action = attribute(text.split('>').next().unwrap(), "action").unwrap_or_default();
        let inputs = text.split("<input").skip(1).map(|input| input.split('>').next().unwrap());
        let hidden = inputs.filter(|input| input.contains("type=\"hidden\""));
        let pair =
            |input: &str| Some((attribute(input, "name")?, attribute(input, "value").unwrap_or_default()));
        Self { action, hidden: hidden.filter_map(pair).collect() }
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(unescaped(value))
}

fn unescaped(text: &str) -> String {
    let entities =
        [("&#x2f;", "/"), ("&#x27;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.into_iter().fold(text.to_owned(), |text, (entity, char)| text.replace(entity, char))
}
