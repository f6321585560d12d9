//! Mails to members on behalf of a tenant's administrators: the same links as people ask for themselves.

use svc_http::Letters;

use super::{organization_invitation, recovery, sign_up, support};

/// What the management API has mailed.
pub const LETTERS: Letters = Letters {
    invitation: |caller, tx, person| Box::pin(sign_up::invite(caller, tx, person)),
    organization: |caller, tx, letter| Box::pin(organization_invitation::send(caller, tx, letter)),
    recovery: |caller, tx, person| Box::pin(recovery::offer(caller, tx, person)),
    impersonation: |caller, tx, person, staff| {
        Box::pin(std::future::ready(support::letters::ask(caller, tx, (person, staff))))
    },
};
