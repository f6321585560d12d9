//! What the server's verifier says of each case: its signatures, times and proofs, and the rest of the ten rules as it reads them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_core::{Seconds, Timestamp};
use svc_keys::dpop::{self, Expected};
use svc_keys::jose::Jws;
use svc_keys::{Claims, KeySet, Typ};

/// Holds every case of the file against its outcome.
pub fn check(file: &Value) {
    let keys = KeySet::from_json(&file["jwks"]).unwrap();
    let mut seen = BTreeSet::new();
    for case in file["cases"].as_array().unwrap() {
        let (rule, outcome) = match judged(file, &keys, case, &mut seen) {
            Ok(claims) => (0, json!({"claims": claims.into_map()})),
            Err((rule, status, error)) => (rule, json!({"error": error, "status": status})),
        };
        assert_eq!((&json!(rule), &outcome), (&case["rule"], &case["outcome"]), "{}", case["name"]);
    }
}

type Refusal = (u8, u16, &'static str);

fn judged(file: &Value, keys: &KeySet, case: &Value, seen: &mut BTreeSet<String>) -> Result<Claims, Refusal> {
    let invalid = |rule| move |_| (rule, 401, "invalid_token");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let now = Timestamp::from_secs(file["now"].as_i64().unwrap());
    let ahead = Seconds(file["leeway_secs"].as_i64().unwrap());
    let (is_dpop, token) = credential(&case["headers"]).ok_or((1, 401, "missing_token"))?;
    let jws = Jws::parse(token, Typ::AccessToken.algorithms()).map_err(invalid(2))?;
    let claims = keys.verify(&jws).map_err(invalid(2))?;
    let holds = |holds: bool, rule, status, error| holds.then_some(()).ok_or((rule, status, error));
    holds(jws.is_typ(Typ::AccessToken.name()), 2, 401, "invalid_token")?;
    let has = |name| claims.text(name).is_some_and(|text| !text.is_empty());
    holds(has("sub") && has("client_id"), 2, 401, "invalid_token")?;
    holds(claims.text("iss") == file["issuer"].as_str(), 3, 401, "invalid_token")?;
    holds(claims.has_audience(file["audience"].as_str().unwrap()), 4, 401, "invalid_token")?;
    claims.check_time(now, ahead).map_err(invalid(5))?;
    holds(claims.text("tenant_id") == file["tenant_id"].as_str(), 6, 403, "forbidden")?;
    let required = &case["required"];
    let wanted = text(&required["scope"]);
    let has_scope = claims.text("scope").is_some_and(|scope| scope.split(' ').any(|one| one == wanted));
    holds(has_scope, 7, 403, "insufficient_scope")?;
    let kind = claims.member("subject_type").unwrap_or(&Value::Null);
    holds(required["subject_types"].as_array().unwrap().contains(kind), 8, 403, "forbidden")?;
    holds(may_act(&claims, required), 9, 403, "forbidden")?;
    let jkt = claims.member("cnf").and_then(|cnf| cnf["jkt"].as_str());
    holds(jkt.is_some() == is_dpop, 10, 401, "invalid_token")?;
    holds(is_dpop || required["dpop"] != "required", 10, 401, "invalid_token")?;
    let Some(jkt) = jkt else { return Ok(claims) };
    let unproven = (10, 401, "invalid_dpop_proof");
    let expected = Expected {
        method: case["method"].as_str().unwrap(),
        url: case["url"].as_str().unwrap(),
        access_token: Some(token),
        now,
        max_age: Seconds(60),
        ahead,
    };
    let proof =
        dpop::verify(case["headers"]["dpop"].as_str().ok_or(unproven)?, &expected).map_err(|_| unproven)?;
    let is_new = proof.jkt == jkt && seen.insert(format!("{jkt} {}", proof.jti));
    if is_new { Ok(claims) } else { Err(unproven) }
}

/// Whether the token is bound to its sender, and the token.
fn credential(headers: &Value) -> Option<(bool, &str)> {
    let (scheme, token) = headers["authorization"].as_str()?.split_once(' ')?;
    let is_dpop = scheme.eq_ignore_ascii_case("DPoP");
    let is_known = is_dpop || scheme.eq_ignore_ascii_case("Bearer");
    let token = token.trim_matches(' ');
    (is_known && !token.is_empty()).then_some((is_dpop, token))
}

fn may_act(claims: &Claims, required: &Value) -> bool {
    let Some(act) = claims.member("act") else { return true };
    let Some(actor) = act["sub"].as_str().filter(|sub| !sub.is_empty()) else { return false };
    let is_named =
        |actors: &Value| actors.as_array().is_none_or(|actors| actors.iter().any(|one| one == actor));
    required["allow_delegation"] == true && is_named(&required["actors"])
}
