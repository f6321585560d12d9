//! `claims` (OpenID Connect Core §5.5): which claims are requested by name, about whom, and how strong the sign-in has to be.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use svc_core::{Error, Result, json};
use svc_domain::claims::claims_request::ClaimsRequest;

use crate::authorize::arrived::CheckInput;
use crate::authorize::assurance::Assurance;
use crate::authorize::request::AuthorizationRequest;

/// Longest value in bytes.
const LONGEST: usize = 8 * 1024;
/// Longest subject in bytes (OpenID Connect Core §2).
const LONGEST_SUBJECT: usize = 255;
/// Most people that a request may name.
const MOST_SUBJECTS: usize = 10;

type Members = Map<String, Value>;

/// Keeps what can ever be given or required. What is not known is ignored; without `openid` everything is.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(text) = input.params.one("claims") else { return Ok(()) };
    let all = json::object(text.as_bytes(), json::DEEPEST).ok().filter(|_| text.len() <= LONGEST);
    let all = all.ok_or_else(|| {
        Error::invalid_request(
            "claims: give a JSON object of at most 8192 bytes in which no member occurs twice",
        )
    })?;
    let (userinfo, id_token) = (part(&all, "userinfo")?, part(&all, "id_token")?);
    let (acr, subjects) = (claim_request(&id_token, "acr")?, subjects(&userinfo, &id_token)?);
    let claims = ClaimsRequest { userinfo: names(&userinfo)?, id_token: names(&id_token)? };
    if request.scope.has("openid") {
        request.claims = claims.within(&input.app.configuration.scope);
        request.subjects = subjects;
        request.assurance = acr.map(|acr| acr.assurance()).transpose()?.unwrap_or_default();
    }
    Ok(())
}

/// What is asked for in one place.
fn part(all: &Members, place: &str) -> Result<Members> {
    match all.get(place) {
        None => Ok(Members::new()),
        Some(Value::Object(part)) => Ok(part.clone()),
        Some(_) => Err(Error::invalid_request(format!("claims: {place} is an object"))),
    }
}

/// The names that are claims about a person; `value` does not change what is given, as applications compare.
fn names(part: &Members) -> Result<BTreeSet<String>> {
    let everything = svc_domain::claims::profile::CLAIMS_OF_SCOPES.iter().flat_map(|(_, names)| names.iter());
    let mut found = BTreeSet::new();
    for name in everything {
        if claim_request(part, name)?.is_some() {
            found.insert((*name).to_owned());
        }
    }
    Ok(found)
}

/// Whom the request is about, where `sub` names a person (OpenID Connect Core §3.1.2.1); empty for any person.
fn subjects(userinfo: &Members, id_token: &Members) -> Result<Vec<String>> {
    let named = |part| {
        claim_request(part, "sub")?.map_or_else(|| Ok(Vec::new()), |claim_request| claim_request.texts("sub"))
    };
    let (here, there) = (named(userinfo)?, named(id_token)?);
    let subjects = match (here.is_empty(), there.is_empty()) {
        (false, false) if here.iter().all(|subject| !there.contains(subject)) => {
            return Err(Error::invalid_request("claims: sub names different people"));
        }
        (false, false) => here.into_iter().filter(|subject| there.contains(subject)).collect(),
        (true, _) => there,
        (false, true) => here,
    };
    let is_subject =
        |subject: &&str| subject.len() <= LONGEST_SUBJECT && !subject.chars().any(char::is_control);
    if subjects.len() > MOST_SUBJECTS || !subjects.iter().all(is_subject) {
        return Err(Error::invalid_request("claims: sub has up to 10 values of up to 255 characters"));
    }
    Ok(subjects.into_iter().map(str::to_owned).collect())
}

/// How one claim is asked for (OpenID Connect Core §5.5.1).
struct ClaimRequest<'a> {
    is_essential: bool,
    values: Vec<&'a Value>,
}

fn claim_request<'a>(part: &'a Members, name: &str) -> Result<Option<ClaimRequest<'a>>> {
    let wrong = |what| Error::invalid_request(format!("claims: {name} {what}"));
    let Some(value) = part.get(name) else { return Ok(None) };
    let members = match value {
        Value::Null => return Ok(Some(ClaimRequest { is_essential: false, values: Vec::new() })),
        Value::Object(members) => members,
        _ => return Err(wrong("is null or an object")),
    };
    let is_essential = match members.get("essential") {
        None => false,
        Some(Value::Bool(flag)) => *flag,
        Some(_) => return Err(wrong("has an essential that is neither true nor false")),
    };
    let values = match members.get("values") {
        None => [].iter(),
        Some(Value::Array(values)) => values.iter(),
        Some(_) => return Err(wrong("has values that are no list")),
    };
    Ok(Some(ClaimRequest { is_essential, values: members.get("value").into_iter().chain(values).collect() }))
}

impl<'a> ClaimRequest<'a> {
    fn texts(&self, name: &str) -> Result<Vec<&'a str>> {
        let texts: Option<_> = self.values.iter().map(|value| value.as_str()).collect();
        texts.ok_or_else(|| Error::invalid_request(format!("claims: {name} has a value that is no text")))
    }

    /// Without a value any `acr` will do, and the tokens always have one.
    fn assurance(&self) -> Result<Assurance> {
        let values = self.texts("acr")?;
        Ok(Assurance::new(values.iter().copied(), self.is_essential && !values.is_empty()))
    }
}
