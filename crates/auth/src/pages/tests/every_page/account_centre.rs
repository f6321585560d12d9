//! The pages of the account centre.

use super::super::super::*;
use super::{Printer, form, local};

pub fn print(printer: &mut Printer<'_>, text: &str) {
    let frame = || frame(text);
    let kept = || Kept {
        value: text.into(),
        name: text.into(),
        added: text.into(),
        used: Some(text.into()),
        ends: Some(text.into()),
    };
    let [name, given_name, family_name, nickname] = [text; 4].map(Into::into);
    printer.print(&AccountProfile { frame: frame(), name, given_name, family_name, nickname });
    let provider = || IdentityProvider { id: "google".into(), name: text.into(), url: local() };
    printer.print(&AccountKeep { frame: frame(), email: text.into(), providers: vec![provider()] });
    printer.print(&AccountEmail {
        frame: frame(),
        email: Some(text.into()),
        email_verified: true,
        typed: text.into(),
    });
    for sent_to in [Some(text.into()), None] {
        printer.print(&AccountPhone {
            frame: frame(),
            number: Some(text.into()),
            sent_to,
            typed: text.into(),
        });
    }
    printer.print(&AccountPassword { frame: frame(), username: text.into(), is_first: false, min_length: 8 });
    let key = |is_security_key| AccountPasskey {
        kept: kept(),
        is_security_key,
        is_backed_up: true,
        works_at: Some(text.into()),
    };
    printer.print(&AccountPasskeys { frame: frame(), keys: vec![key(true), key(false)] });
    let identity = AccountIdentity { kept: kept(), provider: text.into() };
    let add = vec![IdentityProvider { id: "x".into(), name: text.into(), url: "/auth/begin".into() }];
    printer.print(&AccountIdentities { frame: frame(), identities: vec![identity], add });
    printer.print(&AccountSecondFactors {
        frame: frame(),
        apps: vec![kept()],
        browsers: vec![kept()],
        key: Some(AppKey { secret: text.into(), url: "otpauth://totp/a".into() }),
    });
    for codes in [vec![text.into()], Vec::new()] {
        printer.print(&AccountBackupCodes { frame: frame(), left: 3, has_factor: true, codes });
    }
    let session = |is_here| AccountSession {
        value: text.into(),
        browser: text.into(),
        os: text.into(),
        client_ip: text.into(),
        signed_in: text.into(),
        last_seen: text.into(),
        is_here,
    };
    printer.print(&AccountSessions { frame: frame(), sessions: vec![session(true), session(false)] });
    for has_room in [true, false] {
        let account = |name: &str| Account {
            value: text.into(),
            name: name.into(),
            detail: text.into(),
            is_signed_in: true,
        };
        let accounts = vec![account(text), account("")];
        printer.print(&AccountAccounts { frame: frame(), accounts, has_room });
    }
    let login = |outcome: &str| AccountLogin {
        at: text.into(),
        outcome: outcome.into(),
        browser: text.into(),
        os: text.into(),
        network: text.into(),
        ways: LOGIN_WAYS.iter().map(|(_, id)| *id).collect(),
        reasons: LOGIN_REASONS.iter().map(|(_, id)| *id).collect(),
    };
    let logins = ["success", "failure", "refused"].map(login).into();
    printer.print(&AccountLoginHistory { frame: frame(), logins, has_passwords: true });
    print_ties(printer, text);
    for due_on in [Some(text.into()), None] {
        printer.print(&AccountDeletion { frame: frame(), due_on, days: 14 });
    }
    printer.print(&AccountData { frame: frame() });
    let visit = |can_end| SupportVisit {
        value: text.into(),
        staff: text.into(),
        reason: text.into(),
        state: "support-active",
        at: text.into(),
        can_end,
    };
    let approvals_url = Some("/auth/approvals".into());
    printer.print(&AccountSupport { frame: frame(), approvals_url, visits: vec![visit(true), visit(false)] });
    printer.print(&AccountSupport { frame: frame(), ..AccountSupport::default() });
}

/// Organizations, and what acts for the person.
fn print_ties(printer: &mut Printer<'_>, text: &str) {
    let frame = || frame(text);
    let organization = AccountOrganization {
        value: text.into(),
        name: text.into(),
        roles: text.into(),
        sso_url: Some("/account/organizations/sso".into()),
    };
    let invitation =
        AccountInvitation { value: text.into(), name: text.into(), roles: text.into(), ends: text.into() };
    let (organizations, invitations) = (vec![organization], vec![invitation]);
    printer.print(&AccountOrganizations { frame: frame(), organizations, invitations });
    print_sso(printer, text);
    let delegation = AccountDelegation {
        value: text.into(),
        app: super::allowing::app(text, false),
        asked: RequestedAccess::default(),
        purpose: text.into(),
        began: text.into(),
        ends: text.into(),
    };
    printer.print(&AccountDelegations { frame: frame(), delegations: vec![delegation] });
}

/// Everything that a test of a provider can find.
fn print_sso(printer: &mut Printer<'_>, text: &str) {
    let trial = |is_usable| SsoTrial {
        is_usable,
        is_cut: !is_usable,
        redirect_uri: text.into(),
        backchannel_logout_uri: text.into(),
        steps: sso_step::every_step(text).iter().map(SsoStep::of).collect(),
    };
    let connection = |is_enabled, trial| SsoConnection {
        value: text.into(),
        name: text.into(),
        organization: text.into(),
        issuer: text.into(),
        is_enabled,
        trial,
    };
    for trial in [trial(true), trial(false)] {
        let connections = vec![connection(trial.is_usable, Some(trial)), connection(false, None)];
        printer.print(&AccountSso { frame: frame(text), connections });
    }
    printer.print(&AccountSso { frame: frame(text), connections: Vec::new() });
}

fn frame(text: &str) -> AccountFrame {
    AccountFrame {
        form: form(text),
        title: "account-overview",
        notice: Some(MessageKey::ProfileSaved),
        account: text.into(),
        switch_url: Some(local()),
        sections: vec![Tab { id: "profile", title: "account-profile", url: local(), is_current: true }],
    }
}
