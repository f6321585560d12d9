//! What people do with their accounts themselves: register, set a forgotten password, sign out.

mod access;
mod api;
mod at_sign_up;
mod centre;
mod claim;
mod code_sign_up;
mod denied;
mod ends;
mod first_passkey;
mod former_address;
mod letters;
mod mailed;
mod new_address;
mod new_password;
mod notices;
mod organization_invitation;
mod own;
mod preview;
mod purpose;
mod recovery;
mod recovery_letters;
mod sign_out;
mod sign_up;
mod social_recovery;
mod start;
mod support;
mod taken_back;
mod undo_address;
mod was_this_you;
mod written;

use svc_http::Routes;

#[cfg(test)]
pub use self::centre::{SECTIONS, Whose};
pub use self::letters::LETTERS;
pub use self::notices::NOTICES;
pub use self::start::landing;

/// The pages of an account.
pub fn routes() -> Routes {
    sign_up::routes()
        .merge(api::routes())
        .merge(access::routes())
        .merge(centre::routes())
        .merge(code_sign_up::routes())
        .merge(new_address::routes())
        .merge(new_password::routes())
        .merge(organization_invitation::routes())
        .merge(preview::routes())
        .merge(recovery::routes())
        .merge(sign_out::routes())
        .merge(social_recovery::routes())
        .merge(start::routes())
        .merge(support::routes())
        .merge(undo_address::routes())
        .merge(was_this_you::routes())
}
