//! Lists that are narrowed and ordered by the time of creation alone.

use serde_json::json;
use svc_core::Seconds;
use svc_http::Method;

use super::{ids, send};
use crate::harness::{Harness, START};

#[tokio::test]
async fn imports_and_registration_tokens_are_listed_by_when_they_were_made_from_either_end() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (imports, tokens) = ("/api/v1/imports", "/api/v1/registration-tokens");
    let mut made = [Vec::new(), Vec::new()];
    for _ in 0..5 {
        h.advance(10);
        for (path, made) in [imports, tokens].into_iter().zip(&mut made) {
            let new = if path == imports { json!({ "source": "auth0" }) } else { json!({}) };
            let record = send(&site, Method::POST, path, Some(new), 201).await;
            made.push(record["id"].as_str().unwrap().to_owned());
        }
    }
    // That of number 0 was made ten seconds after the start.
    let at = |number: i64| START + Seconds(10 * (number + 1));
    for (path, made) in [imports, tokens].into_iter().zip(&made) {
        for (times, numbers) in [
            (String::new(), 0..5),
            (format!("since={}", at(2)), 2..5),
            (format!("until={}", at(2)), 0..2),
            (format!("since={}&until={}", at(1), at(4)), 1..4),
            (format!("since={}&until={}", at(4), at(1)), 0..0),
        ] {
            let mut expected = made[numbers].to_vec();
            assert_eq!(ids(&site, path, &times).await, expected, "{path} {times}");
            expected.reverse();
            let query = format!("{times}&sort=-created_at");
            assert_eq!(ids(&site, path, &query).await, expected, "{path} {query}");
        }
        for query in ["since=yesterday", "until=", "sort=name"] {
            let refused = send(&site, Method::GET, &format!("{path}?{query}"), None, 400).await;
            let told = format!("{}: ", query.split('=').next().unwrap());
            assert!(refused["error_description"].as_str().unwrap().starts_with(&told), "{query}: {refused}");
        }
    }
}
