//! What people do with their accounts themselves: register, set a forgotten password, sign out.

mod access;
mod letters;
mod mailed;
mod organization_invitation;
mod purpose;
mod recovery;
mod sign_out;
mod sign_up;
mod start;
mod written;

use svc_http::Routes;

pub use self::letters::LETTERS;
pub use self::start::landing;

/// The pages of an account.
pub fn routes() -> Routes {
    sign_up::routes()
        .merge(access::routes())
        .merge(organization_invitation::routes())
        .merge(recovery::routes())
        .merge(sign_out::routes())
        .merge(start::routes())
}
