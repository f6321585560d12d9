//! Vectors without keys: PKCE, callbacks, discovery, pages.

use serde_json::{Value, json};
use svc_keys::pkce;

const ISSUER: &str = "https://id.example";
const ISS: &str = "iss=https%3A%2F%2Fid.example";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// RFC 7636 §4.
pub fn pkce() -> Value {
    let case = |name: &str, verifier: &str, challenge: &str| {
        let valid = pkce::verify_s256(challenge, verifier);
        json!({"name": name, "code_verifier": verifier, "code_challenge": challenge, "valid": valid})
    };
    let own = |name: &str, verifier: &str| case(name, verifier, &pkce::s256(verifier));
    let cases = [
        own("the example of RFC 7636 appendix B", VERIFIER),
        own("the shortest verifier", &"a".repeat(43)),
        own("the longest verifier", &"Z9-._~".repeat(22)[..128]),
        own("a verifier one character too short", &"a".repeat(42)),
        own("a verifier one character too long", &"a".repeat(129)),
        own("an empty verifier", ""),
        own("a verifier with a plus", &VERIFIER.replace('-', "+")),
        own("a verifier with padding", &format!("{VERIFIER}=")),
        own("a verifier with a letter beyond ASCII", &VERIFIER.replace('d', "é")),
        own("a verifier with a line break at its end", &format!("{VERIFIER}\n")),
        case("the challenge of another verifier", VERIFIER, &pkce::s256(&"a".repeat(43))),
        case("a challenge that is the verifier itself (plain)", VERIFIER, VERIFIER),
        case("a challenge with padding", VERIFIER, &format!("{}=", pkce::s256(VERIFIER))),
        case("an empty challenge", VERIFIER, ""),
    ];
    json!({"description": "Proof Key for Code Exchange, method S256 (RFC 7636)", "cases": cases})
}

/// RFC 6749 §4.1.2 and RFC 9207 §2.4.
pub fn callback() -> Value {
    let case = |name: &str, query: &str, outcome: Value| {
        json!({
            "name": name, "expected_state": "st-4f8", "expected_issuer": ISSUER,
            "url": format!("https://app.example/callback{query}"), "outcome": outcome,
        })
    };
    let code = |code: &str| json!({"code": code});
    let error = |error: &str| json!({"error": error});
    let refused = |why: &str| json!({"refused": why});
    let cases = [
        case("a code", &format!("?code=c-1&state=st-4f8&{ISS}"), code("c-1")),
        case(
            "a code with escapes, in another order",
            &format!("?{ISS}&state=st-4f8&code=a%2Bb%2Fc%3D"),
            code("a+b/c="),
        ),
        case(
            "a code beside parameters of the application's own",
            &format!("?tab=2&code=c-1&state=st-4f8&{ISS}"),
            code("c-1"),
        ),
        case(
            "a refused consent",
            &format!("?error=access_denied&error_description=no&state=st-4f8&{ISS}"),
            error("access_denied"),
        ),
        case(
            "an error wins over a code",
            &format!("?error=server_error&code=c-1&state=st-4f8&{ISS}"),
            error("server_error"),
        ),
        case("another state", &format!("?code=c-1&state=st-4f9&{ISS}"), refused("state_mismatch")),
        case(
            "a state in another letter case",
            &format!("?code=c-1&state=ST-4f8&{ISS}"),
            refused("state_mismatch"),
        ),
        case(
            "an error with another state",
            &format!("?error=access_denied&state=st-4f9&{ISS}"),
            refused("state_mismatch"),
        ),
        case("no state", &format!("?code=c-1&{ISS}"), refused("missing_state")),
        case("an empty state", &format!("?code=c-1&state=&{ISS}"), refused("missing_state")),
        case(
            "another issuer",
            "?code=c-1&state=st-4f8&iss=https%3A%2F%2Fother.example",
            refused("issuer_mismatch"),
        ),
        case(
            "an issuer with a slash at its end",
            "?code=c-1&state=st-4f8&iss=https%3A%2F%2Fid.example%2F",
            refused("issuer_mismatch"),
        ),
        case(
            "an error of another issuer",
            "?error=access_denied&state=st-4f8&iss=https%3A%2F%2Fother.example",
            refused("issuer_mismatch"),
        ),
        case("no issuer", "?code=c-1&state=st-4f8", refused("missing_issuer")),
        case(
            "the state twice",
            &format!("?code=c-1&state=st-4f8&state=st-4f9&{ISS}"),
            refused("duplicate_parameter"),
        ),
        case(
            "the same code twice",
            &format!("?code=c-1&code=c-1&state=st-4f8&{ISS}"),
            refused("duplicate_parameter"),
        ),
        case(
            "the issuer twice",
            &format!("?code=c-1&state=st-4f8&{ISS}&iss=https%3A%2F%2Fother.example"),
            refused("duplicate_parameter"),
        ),
        case("neither code nor error", &format!("?state=st-4f8&{ISS}"), refused("missing_code")),
        case("an empty code", &format!("?code=&state=st-4f8&{ISS}"), refused("missing_code")),
        case("no parameters at all", "", refused("missing_state")),
    ];
    json!({
        "description": "Answers to an authorization request, judged in this order: duplicate parameters, state, issuer, error, code \
            (RFC 6749 4.1.2, RFC 9207 2.4)",
        "cases": cases,
    })
}

/// OpenID Connect Discovery 1.0 §4.3.
pub fn discovery() -> Value {
    let fit = document(ISSUER);
    let with = |name: &str, value: Value| {
        let mut document = fit.clone();
        document[name] = value;
        document
    };
    let without = |name: &str| {
        let mut document = fit.clone();
        document.as_object_mut().unwrap().remove(name);
        document
    };
    let case = |name: &str, issuer: &str, document: Value, outcome: &str| json!({"name": name, "issuer": issuer, "document": document, "outcome": outcome});
    let local = "http://localhost:8080";
    let cases = [
        case("the document of the issuer", ISSUER, fit.clone(), "ok"),
        case("unknown members are passed over", ISSUER, with("x_other", json!({"a": [1]})), "ok"),
        case("plain http on this machine", local, document(local), "ok"),
        case(
            "an issuer that differs in a slash at its end",
            ISSUER,
            with("issuer", json!("https://id.example/")),
            "refused",
        ),
        case(
            "an issuer that differs in one byte",
            ISSUER,
            with("issuer", json!("https://id.exampl3")),
            "refused",
        ),
        case(
            "an issuer in another letter case",
            ISSUER,
            with("issuer", json!("https://ID.example")),
            "refused",
        ),
        case("the document of another tenant", "https://acme.id.example", fit.clone(), "refused"),
        case("no issuer", ISSUER, without("issuer"), "refused"),
        case("an issuer that is no text", ISSUER, with("issuer", json!(["https://id.example"])), "refused"),
        case("no authorization endpoint", ISSUER, without("authorization_endpoint"), "refused"),
        case("no token endpoint", ISSUER, without("token_endpoint"), "refused"),
        case("no key set", ISSUER, without("jwks_uri"), "refused"),
        case("a key set that is no text", ISSUER, with("jwks_uri", json!(7)), "refused"),
        case(
            "a key set on plain http of another host",
            ISSUER,
            with("jwks_uri", json!("http://keys.example/jwks")),
            "refused",
        ),
        case(
            "a token endpoint on plain http",
            ISSUER,
            with("token_endpoint", json!("http://id.example/oauth/token")),
            "refused",
        ),
        case(
            "a token endpoint that is no address",
            ISSUER,
            with("token_endpoint", json!("/oauth/token")),
            "refused",
        ),
        case("a list", ISSUER, json!([fit]), "refused"),
        case("a text", ISSUER, json!("https://id.example"), "refused"),
        case("null", ISSUER, Value::Null, "refused"),
    ];
    json!({"description": "Discovery documents for an issuer (OpenID Connect Discovery 1.0 4.3, RFC 8414 3.3)", "cases": cases})
}

fn document(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public", "pairwise"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "authorization_response_iss_parameter_supported": true,
        "code_challenge_methods_supported": ["S256"],
    })
}

/// Lists of the management API.
pub fn pagination() -> Value {
    let page = |ids: &[&str], next: Option<&str>| {
        let data: Vec<_> = ids.iter().map(|id| json!({"id": id})).collect();
        json!({"data": data, "next_cursor": next})
    };
    let case = |name: &str, pages: Vec<Value>, requests: &[&str]| {
        let items: Vec<_> = pages.iter().flat_map(|page| page["data"].as_array().unwrap().clone()).collect();
        assert_eq!(pages.len(), requests.len());
        json!({"name": name, "limit": 2, "pages": pages, "items": items, "requests": requests})
    };
    let cases = [
        case("one page", vec![page(&["a", "b"], None)], &["?limit=2"]),
        case("nothing", vec![page(&[], None)], &["?limit=2"]),
        case(
            "three pages",
            vec![page(&["a", "b"], Some("c1")), page(&["c", "d"], Some("c2")), page(&["e"], None)],
            &["?limit=2", "?limit=2&cursor=c1", "?limit=2&cursor=c2"],
        ),
        case(
            "an empty page in between does not end the list",
            vec![page(&["a"], Some("c1")), page(&[], Some("c2")), page(&["b"], None)],
            &["?limit=2", "?limit=2&cursor=c1", "?limit=2&cursor=c2"],
        ),
        case(
            "a full last page ends the list where there is no cursor",
            vec![page(&["a", "b"], Some("c1")), page(&["c", "d"], None)],
            &["?limit=2", "?limit=2&cursor=c1"],
        ),
        case(
            "a cursor is escaped",
            vec![page(&["a"], Some("x+y/z=&q")), page(&["b"], None)],
            &["?limit=2", "?limit=2&cursor=x%2By%2Fz%3D%26q"],
        ),
    ];
    json!({"description": "Lists of the management API, read to their end with limit 2", "cases": cases})
}
