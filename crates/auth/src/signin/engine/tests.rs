use svc_core::Seconds;

use super::*;
use crate::authorize::Prompt;
use crate::signin::fixtures::{NOW, authorization_request, session};

fn flow(prompt: &str) -> Flow {
    let mut request = authorization_request();
    request.prompt = Prompt::parse(prompt).unwrap();
    Flow::new(request, NOW)
}

fn scope(text: &str) -> Scope {
    text.parse().unwrap()
}

/// The next step for a session of a minute ago, where consent was given before.
fn step(flow: &Flow) -> Step {
    step_with(flow, "openid profile", None, false)
}

fn step_with(flow: &Flow, remembered: &str, allowed: Option<&str>, is_first_party: bool) -> Step {
    step_in_detail(flow, (remembered, None), allowed.map(|allowed| (allowed, None)), is_first_party)
}

/// The same for a request with details: what is remembered and asked, and what was just allowed.
fn step_in_detail(
    flow: &Flow,
    (remembered, details): (&str, Option<&str>),
    allowed: Option<(&str, Option<&str>)>,
    is_first_party: bool,
) -> Step {
    let (asked, remembered, session) =
        (scope("openid profile"), scope(remembered), session(NOW - Seconds(60)));
    let allowed = allowed.map(|(allowed, details)| Offer {
        person: session.person.id,
        scope: scope(allowed),
        details: details.map(str::to_owned),
    });
    let terms =
        Terms { scope: &asked, remembered: &remembered, details, allowed: allowed.as_ref(), is_first_party };
    next_step(flow, Some(&session), &terms, NOW)
}

/// The same flow after the person signed in within it.
fn proven(flow: Flow) -> Flow {
    flow.signed_in(session(NOW - Seconds(60)).id, NOW)
}

fn told(flow: &Flow, step: &Step) -> Option<&'static str> {
    refusal(step, &flow.request).map(|error| error.class().code())
}

#[test]
fn nobody_signed_in_means_sign_in() {
    let nothing = Scope::default();
    let terms =
        Terms { scope: &nothing, remembered: &nothing, details: None, allowed: None, is_first_party: true };
    assert_eq!(next_step(&flow(""), None, &terms, NOW), Step::SignIn);
}

#[test]
fn a_session_and_remembered_consent_go_straight_on() {
    assert_eq!(step(&flow("")), Step::Done);
    assert_eq!(step(&flow("none")), Step::Done);
}

#[test]
fn prompt_login_and_create_want_a_sign_in_within_this_flow() {
    for prompt in ["login", "create"] {
        assert_eq!(step(&flow(prompt)), Step::SignIn);
        assert_eq!(step(&proven(flow(prompt))), Step::Done);
    }
}

#[test]
fn a_sign_in_of_another_tab_at_the_very_same_instant_does_not_count() {
    let (asked, now) = (scope("openid"), NOW);
    let terms =
        Terms { scope: &asked, remembered: &asked, details: None, allowed: None, is_first_party: true };
    assert_eq!(next_step(&flow("login"), Some(&session(now)), &terms, now), Step::SignIn);
}

#[test]
fn max_age_holds_against_the_last_active_sign_in() {
    let with_age = |age| {
        let mut flow = flow("");
        flow.request.max_age = Some(age);
        flow
    };
    assert_eq!(step(&with_age(10_000)), Step::Done);
    assert_eq!(step(&with_age(60)), Step::Done);
    assert_eq!(step(&with_age(59)), Step::SignIn);
    assert_eq!(step(&with_age(0)), Step::SignIn);
    assert_eq!(step(&proven(with_age(0))), Step::Done);
}

#[test]
fn a_hint_for_somebody_else_wants_their_sign_in_and_no_other() {
    let hinting = |subject: &str| {
        let mut flow = flow("");
        flow.request.hinted_subject = Some(subject.to_owned());
        flow
    };
    assert_eq!(step(&hinting("ada-subject")), Step::Done);
    assert_eq!(step(&hinting("bob-subject")), Step::SignIn);
    let wrong = proven(hinting("bob-subject"));
    assert_eq!(step(&wrong), Step::WrongPerson);
    assert_eq!(told(&wrong, &Step::WrongPerson), Some("login_required"));
}

#[test]
fn the_account_is_chosen_once() {
    assert_eq!(step(&flow("select_account")), Step::SelectAccount);
    assert_eq!(step(&Flow { selected: true, ..flow("select_account") }), Step::Done);
    assert_eq!(step(&proven(flow("select_account"))), Step::Done);
}

#[test]
fn consent_is_asked_for_what_was_not_allowed_before() {
    assert_eq!(step_with(&flow(""), "", None, false), Step::Consent(scope("openid profile")));
    assert_eq!(step_with(&flow(""), "openid", None, false), Step::Consent(scope("profile")));
    assert_eq!(step_with(&flow(""), "openid", Some("profile"), false), Step::Done);
    assert_eq!(step_with(&flow(""), "", Some("openid"), false), Step::Consent(scope("profile")));
    assert_eq!(step_with(&flow(""), "", None, true), Step::Done, "first-party applications do not ask");
}

#[test]
fn prompt_consent_asks_everybody_again_and_for_everything() {
    for is_first_party in [false, true] {
        let asked = step_with(&flow("consent"), "openid profile", None, is_first_party);
        assert_eq!(asked, Step::Consent(scope("openid profile")));
        assert_eq!(step_with(&flow("consent"), "", Some("openid profile"), is_first_party), Step::Done);
    }
    // More became possible between page and answer: what was shown does not cover it.
    assert_eq!(
        step_with(&flow("consent"), "", Some("openid"), false),
        Step::Consent(scope("openid profile"))
    );
}

#[test]
fn details_are_asked_each_time_and_only_what_was_shown_is_allowed() {
    let known = ("openid profile", Some("pay 5"));
    let ask = |allowed| step_in_detail(&flow(""), known, allowed, false);
    assert_eq!(ask(None), Step::Consent(Scope::default()));
    assert_eq!(ask(Some(("", None))), Step::Consent(Scope::default()));
    assert_eq!(ask(Some(("", Some("pay 3")))), Step::Consent(Scope::default()));
    assert_eq!(ask(Some(("", Some("pay 5")))), Step::Done);
    assert_eq!(
        step_in_detail(&flow(""), known, None, true),
        Step::Done,
        "first-party applications do not ask"
    );
    let anew = |allowed| step_in_detail(&flow("consent"), known, Some(allowed), true);
    assert_eq!(anew(("openid profile", None)), Step::Consent(scope("openid profile")));
    assert_eq!(anew(("openid profile", Some("pay 5"))), Step::Done);
}

#[test]
fn without_pages_the_application_is_told_what_is_missing() {
    let none = flow("none");
    assert_eq!(told(&none, &Step::SignIn), Some("login_required"));
    assert_eq!(told(&none, &Step::Consent(scope("email"))), Some("consent_required"));
    assert_eq!(told(&none, &Step::SelectAccount), Some("account_selection_required"));
    assert_eq!(told(&none, &Step::Done), None);
    assert_eq!(told(&flow(""), &Step::SignIn), None);
}
