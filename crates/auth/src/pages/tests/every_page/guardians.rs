//! The pages about guardians, and the overview that tells of a recovery.

use super::super::super::*;
use super::{Printer, form, local};

pub fn print(printer: &mut Printer<'_>, text: &str) {
    printer.print(&AccountOverview {
        frame: frame(text),
        name: Some(text.into()),
        email: Some(text.into()),
        email_verified: true,
        has_password: Some(true),
        apps: 1,
        backup_codes: 0,
        due_on: Some("2027-01-15".into()),
        recovery_url: Some(local()),
        guarding_url: Some(local()),
        guardians_url: Some(local()),
    });
    let asking = |ready_at| AskingBrowser {
        at: "2027-01-15T08:00:00Z".into(),
        browser: text.into(),
        os: text.into(),
        network: text.into(),
        confirmed: 1,
        ready_at,
    };
    let guardian = |is_accepted| AccountGuardian {
        value: text.into(),
        email: text.into(),
        is_accepted,
        is_active: false,
        since: "2027-01-15".into(),
    };
    for (is_ready, active) in [(true, 1), (true, 3), (false, 0), (false, 1), (false, 2)] {
        let browsers = vec![asking(None), asking(Some("2027-01-15T08:00:00Z".into()))];
        printer.print(&AccountGuardians {
            frame: frame(text),
            guardians: vec![guardian(true), guardian(false)],
            typed: text.into(),
            active,
            threshold: 2,
            is_ready,
            wait_hours: 48,
            least_hours: 24,
            most_hours: 720,
            asked: is_ready.then_some(RecoveryAsked { browsers, threshold: 2 }),
        });
    }
    let person = |is_accepted| GuardedPerson {
        value: text.into(),
        name: text.into(),
        is_accepted,
        is_refused: is_accepted,
        asked_at: is_accepted.then(|| "2027-01-15T08:00:00Z".into()),
        is_answered: is_accepted,
    };
    for people in [vec![person(true), person(false)], Vec::new()] {
        printer.print(&AccountGuarding { frame: frame(text), people });
    }
    printer.print(&RecoveryAsk { form: form(text), username: text.into(), forgot_url: Some(local()) });
    for (confirmed, ready_at, is_ready, is_over) in [
        (1, None, false, false),
        (0, Some("2027-01-15T08:00:00Z"), false, false),
        (0, None, true, false),
        (0, None, false, true),
    ] {
        printer.print(&RecoveryStatus {
            form: form(text),
            code: "1234 5678".into(),
            username: text.into(),
            confirmed,
            ready_at: ready_at.map(Into::into),
            is_ready,
            is_over,
            min_length: 8,
        });
    }
    printer.print(&RecoveryCancel { form: form(text) });
}

fn frame(text: &str) -> AccountFrame {
    AccountFrame {
        form: form(text),
        title: "account-guardians",
        account: text.into(),
        ..AccountFrame::default()
    }
}
