use super::*;
use crate::authorize::{Assurance, Prompt};
use crate::fixtures::{NOW, authorization_request, session};

fn flow(prompt: &str) -> Flow {
    let mut request = authorization_request();
    request.prompt = Prompt::parse(prompt).unwrap();
    Flow::new(request, NOW)
}

fn scope(text: &str) -> Scope {
    text.parse().unwrap()
}

/// First-party terms where everything is allowed and passwords are all there is.
fn terms(scope: &Scope) -> Terms<'_> {
    Terms {
        best: Some(Level::Aal1),
        strongest: Some(Level::Aal1),
        floor: None,
        takes_guests: false,
        is_named: true,
        owes_address: false,
        whereabouts: &Whereabouts::Everywhere,
        is_taken: true,
        fit: Fit::Fits,
        was_held: false,
        owed: Owed::Nothing,
        scope,
        is_stranger: false,
        remembered: scope,
        details: None,
        has_details: false,
        allowed: None,
        is_first_party: true,
    }
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
    let allowed = allowed.map(|(allowed, details)| offer(allowed, details));
    let allowed = allowed.as_ref();
    let terms = Terms { remembered: &remembered, details, allowed, is_first_party, ..terms(&asked) };
    next_step(flow, Some(&session), &terms, NOW)
}

/// What the person of [`session`] has just allowed.
fn offer(allowed: &str, details: Option<&str>) -> Offer {
    let person = session(NOW).person.id;
    Offer { person, scope: scope(allowed), details: details.map(str::to_owned), application: None }
}

/// The same flow after the person signed in within it.
fn proven(flow: Flow) -> Flow {
    let session = session(NOW - Seconds(60));
    flow.signed_in((session.id, session.person.id), NOW)
}

fn told(flow: &Flow, step: &Step) -> Option<&'static str> {
    refusal(step, &flow.request).map(|error| error.class().code())
}

#[test]
fn without_a_session_the_person_signs_in() {
    assert_eq!(next_step(&flow(""), None, &terms(&Scope::default()), NOW), Step::SignIn);
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
    assert_eq!(next_step(&flow("login"), Some(&session(now)), &terms(&asked), now), Step::SignIn);
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
fn max_age_counts_parts_of_a_second() {
    let asked = scope("openid");
    let mut flow = flow("");
    flow.request.max_age = Some(1);
    let step = |signed_in| next_step(&flow, Some(&session(signed_in)), &terms(&asked), NOW);
    assert_eq!(step(NOW - Seconds(1)), Step::Done);
    assert_eq!(step(Timestamp::from_micros(NOW.as_micros() - 1_000_001)), Step::SignIn);
}

#[test]
fn a_hint_for_another_person_wants_their_sign_in_and_no_other() {
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
fn an_application_that_asks_for_nothing_is_allowed_to_know_the_person_first() {
    let nothing = Scope::default();
    let step = |is_stranger: bool, allowed: Option<&Offer>, is_first_party: bool| {
        let terms = Terms { is_stranger, allowed, is_first_party, ..terms(&nothing) };
        next_step(&flow(""), Some(&session(NOW)), &terms, NOW)
    };
    assert_eq!(step(true, None, false), Step::Consent(Scope::default()));
    assert_eq!(step(true, Some(&offer("", None)), false), Step::Done);
    assert_eq!(step(false, None, false), Step::Done);
    assert_eq!(step(true, None, true), Step::Done, "first-party applications do not ask");
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
fn details_are_asked_unless_exactly_they_are_remembered_and_only_what_was_shown_is_allowed() {
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
    let remembered = |flow: &Flow| {
        let asked = scope("openid");
        let known =
            Terms { details: Some("pay 5"), has_details: true, is_first_party: false, ..terms(&asked) };
        next_step(flow, Some(&session(NOW)), &known, NOW)
    };
    assert_eq!(remembered(&flow("")), Step::Done);
    assert_eq!(remembered(&flow("consent")), Step::Consent(scope("openid")));
    let again = |allowed| step_in_detail(&flow("consent"), known, Some(allowed), true);
    assert_eq!(again(("openid profile", None)), Step::Consent(scope("openid profile")));
    assert_eq!(again(("openid profile", Some("pay 5"))), Step::Done);
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

#[test]
fn a_person_whom_the_claim_sub_does_not_name_has_to_make_way_for_another() {
    let asked = scope("openid");
    let other = Terms { is_named: false, ..terms(&asked) };
    let step = |flow: &Flow| next_step(flow, Some(&session(NOW - Seconds(60))), &other, NOW);
    assert_eq!(step(&flow("")), Step::SignIn);
    assert_eq!(step(&proven(flow(""))), Step::WrongPerson);
}

#[test]
fn a_claim_is_consented_to_by_itself_or_with_its_scope() {
    let asked = scope("openid claim:birthdate claim:email");
    let step = |remembered: &str, allowed: &str| {
        let (remembered, allowed) = (scope(remembered), offer(allowed, None));
        let terms = Terms {
            remembered: &remembered,
            allowed: Some(&allowed),
            is_first_party: false,
            ..terms(&asked)
        };
        next_step(&flow(""), Some(&session(NOW)), &terms, NOW)
    };
    assert_eq!(step("", ""), Step::Consent(asked.clone()));
    assert_eq!(step("openid profile", ""), Step::Consent(scope("claim:email")));
    assert_eq!(step("openid profile", "claim:email"), Step::Done);
    assert_eq!(step("openid email claim:birthdate", ""), Step::Done);
}

/// The next step of a session that reached `acr`, where `best` is the strongest sign-in on offer.
fn step_of(flow: &Flow, acr: &str, best: Level) -> Step {
    let asked = scope("openid");
    let mut session = session(NOW - Seconds(60));
    acr.clone_into(&mut session.authentication.acr);
    next_step(flow, Some(&session), &Terms { best: Some(best), ..terms(&asked) }, NOW)
}

fn wishing(prompt: &str, acr: &str, is_essential: bool) -> Flow {
    let mut flow = flow(prompt);
    flow.request.assurance = Assurance::new(acr.split(' '), is_essential);
    flow
}

const AAL1: &str = "urn:svc:aal1";
const AAL2: &str = "urn:svc:aal2";

#[test]
fn a_stronger_session_passes_and_a_weaker_one_is_asked_to_become_stronger() {
    for is_essential in [false, true] {
        let flow = wishing("", AAL2, is_essential);
        assert_eq!(step_of(&flow, AAL2, Level::Aal2), Step::Done);
        assert_eq!(step_of(&flow, "urn:svc:aal3", Level::Aal2), Step::Done);
        assert_eq!(step_of(&flow, AAL1, Level::Aal2), Step::ProveMore);
        assert_eq!(step_of(&flow, "", Level::Aal2), Step::ProveMore);
        assert_eq!(step_of(&proven(flow), AAL2, Level::Aal2), Step::Done);
    }
}

#[test]
fn a_wish_that_nothing_here_fulfils_is_passed_over() {
    let flow = wishing("", AAL2, false);
    assert_eq!(first_step(&flow.request, Some(Level::Aal1)), Step::SignIn);
    assert_eq!(step_of(&flow, AAL1, Level::Aal1), Step::Done);
    assert_eq!(step_of(&wishing("", "phr urn:x", false), AAL1, Level::Aal1), Step::Done);
    let preferring = wishing("", "urn:svc:aal1 urn:svc:aal2", false);
    assert_eq!(step_of(&preferring, AAL1, Level::Aal2), Step::Done, "the first is enough");
}

#[test]
fn what_is_essential_and_out_of_reach_is_refused_at_once_and_never_asked_for_again() {
    for acr in [AAL2, "phr"] {
        let flow = wishing("", acr, true);
        assert_eq!(first_step(&flow.request, Some(Level::Aal1)), Step::TooWeak);
        assert_eq!(step_of(&flow, AAL1, Level::Aal1), Step::TooWeak);
        assert_eq!(told(&flow, &Step::TooWeak), Some("unmet_authentication_requirements"));
    }
    // Within reach, and yet the sign-in that followed did not get there.
    assert_eq!(step_of(&proven(wishing("", AAL2, true)), AAL1, Level::Aal2), Step::TooWeak);
}

#[test]
fn nothing_is_added_to_a_sign_in_of_a_kind_that_the_application_does_not_accept() {
    let flow = wishing("", AAL2, true);
    let mut session = session(NOW - Seconds(60));
    session.authentication.acr = AAL1.to_owned();
    let asked = scope("openid profile");
    let of = |is_taken| {
        let fit = if is_taken { Fit::Fits } else { Fit::Other };
        let terms = Terms { best: Some(Level::Aal2), is_taken, fit, ..terms(&asked) };
        next_step(&flow, Some(&session), &terms, NOW)
    };
    assert_eq!((of(true), of(false)), (Step::ProveMore, Step::SignIn));
}

#[test]
fn what_an_organization_demands_is_set_up_though_the_application_could_do_without() {
    let mut session = session(NOW - Seconds(60));
    session.authentication.acr = AAL1.to_owned();
    let asked = scope("openid profile");
    let of = |flow: &Flow, strongest| {
        let terms = Terms { strongest: Some(strongest), fit: Fit::LacksSecondFactor, ..terms(&asked) };
        next_step(flow, Some(&session), &terms, NOW)
    };
    for acr_values in [AAL1, AAL2] {
        let flow = wishing("", acr_values, false);
        assert_eq!(of(&flow, Level::Aal2), Step::SecondFactor, "{acr_values}");
        assert_eq!(of(&flow, Level::Aal1), Step::TooWeak, "{acr_values}");
    }
}

#[test]
fn who_has_an_address_to_prove_signs_in_again_and_silently_not_at_all() {
    let asked = scope("openid profile");
    let session = session(NOW - Seconds(60));
    let of =
        |flow: &Flow| next_step(flow, Some(&session), &Terms { owes_address: true, ..terms(&asked) }, NOW);
    assert_eq!(of(&flow("")), Step::SignIn);
    assert_eq!(told(&flow("none"), &of(&flow("none"))), Some("login_required"));
}

#[test]
fn silently_only_what_is_essential_needs_a_sign_in() {
    assert_eq!(step_of(&wishing("none", AAL2, false), AAL1, Level::Aal2), Step::Done);
    let essential = wishing("none", AAL2, true);
    assert_eq!(step_of(&essential, AAL1, Level::Aal2), Step::ProveMore);
    assert_eq!(told(&essential, &Step::ProveMore), Some("login_required"));
    assert_eq!(step_of(&essential, AAL1, Level::Aal1), Step::TooWeak);
    assert_eq!(told(&essential, &Step::TooWeak), Some("unmet_authentication_requirements"));
}

#[test]
fn an_organization_is_chosen_before_consent_and_silently_refused() {
    let (asked, session) = (scope("openid"), session(NOW - Seconds(60)));
    let none = Scope::default();
    for (whereabouts, wanted, code) in [
        (Whereabouts::Open(Vec::new()), Step::SelectOrganization, "interaction_required"),
        (Whereabouts::Nowhere, Step::NoOrganization, "access_denied"),
    ] {
        let terms =
            Terms { whereabouts: &whereabouts, remembered: &none, is_first_party: false, ..terms(&asked) };
        assert_eq!(next_step(&flow(""), Some(&session), &terms, NOW), wanted);
        assert_eq!(next_step(&flow("login"), Some(&session), &terms, NOW), Step::SignIn);
        assert_eq!((told(&flow(""), &wanted), told(&flow("none"), &wanted)), (None, Some(code)));
    }
}

#[test]
fn a_guest_gets_to_applications_that_take_guests_and_never_proves_more() {
    let asked = scope("openid");
    let guest = |at| {
        let mut session = session(at);
        session.person.guest_used_at = Some(NOW);
        session.authentication.acr = String::new();
        session
    };
    let session = guest(NOW - Seconds(60));
    let step = |flow: &Flow, terms: &Terms<'_>| next_step(flow, Some(&session), terms, NOW);
    let taken = Terms { takes_guests: true, ..terms(&asked) };
    assert_eq!(step(&flow("none"), &taken), Step::Done);
    assert_eq!(step(&flow(""), &terms(&asked)), Step::SignIn);
    assert_eq!(told(&flow("none"), &Step::SignIn), Some("login_required"));
    let fresh = flow("").signed_in((session.id, session.person.id), NOW);
    assert_eq!(step(&fresh, &terms(&asked)), Step::SignIn, "guests are not taken any more");
    let floored = Terms { floor: Some(Level::Aal2), best: Some(Level::Aal2), ..taken };
    assert_eq!(step(&flow(""), &floored), Step::SignIn);
}
