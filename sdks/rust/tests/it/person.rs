//! A person with a browser, as far as plain HTML forms need one.

use std::collections::HashMap;

use reqwest::{Response, Url};
use serde_json::Value;

/// Opens an address, answers pages, and gives the address on which the browser would leave for `target`.
pub async fn sign_in(address: &str, person: &Value, target: &str) -> String {
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut jar: HashMap<String, String> = HashMap::new();
    let (mut url, mut form) = (Url::parse(address).unwrap(), None);
    for _ in 0..16 {
        let cookie: Vec<String> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = match form.take() {
            None => http.get(url.clone()),
            Some(fields) => http
                .post(url.clone())
                .header("origin", url.origin().ascii_serialization())
                .header("content-type", "application/x-www-form-urlencoded")
                .body::<String>(fields),
        };
        let request = request.header("cookie", cookie.join("; ")).header("accept", "text/html");
        let response = request.send().await.unwrap();
        keep(&response, &mut jar);
        if let Some(location) = response.headers().get("location") {
            url = url.join(location.to_str().unwrap()).unwrap();
            if url.as_str().starts_with(target) {
                return url.into();
            }
            continue;
        }
        let page = response.text().await.unwrap();
        (url, form) = answered(&url, &page, person);
    }
    panic!("the sign-in did not come to an end at {url}");
}

fn keep(response: &Response, jar: &mut HashMap<String, String>) {
    for line in response.headers().get_all("set-cookie") {
        let pair = line.to_str().unwrap().split(';').next().unwrap();
        let (name, value) = pair.split_once('=').unwrap();
        jar.insert(name.to_owned(), value.to_owned());
    }
}

/// Fills in the page's form and presses its first button.
fn answered(url: &Url, page: &str, person: &Value) -> (Url, Option<String>) {
    let forms = page.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap());
    let mut posted = forms.filter(|form| form.split('>').next().unwrap().contains("method=\"post\""));
    let form = posted.next().unwrap_or_else(|| panic!("{url} has no form"));
    let action = attribute(form.split('>').next().unwrap(), "action");
    let mut fields = Url::parse("http://x/").unwrap();
    for tag in tags(form, "<input") {
        let Some(name) = attribute(tag, "name") else { continue };
        let own =
            ["username", "password"].contains(&&*name).then(|| person[&name].as_str().unwrap().to_owned());
        fields
            .query_pairs_mut()
            .append_pair(&name, &own.or_else(|| attribute(tag, "value")).unwrap_or_default());
    }
    let button = tags(form, "<button").next().unwrap();
    if let Some(name) = attribute(button, "name") {
        fields.query_pairs_mut().append_pair(&name, &attribute(button, "value").unwrap_or_default());
    }
    let next = action.map_or_else(|| url.clone(), |action| url.join(&action).unwrap());
    (next, Some(fields.query().unwrap_or_default().to_owned()))
}

fn tags<'a>(form: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    form.split(name).skip(1).map(|rest| rest.split('>').next().unwrap())
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?;
    Some(value.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&"))
}
