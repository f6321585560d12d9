//! Support staff who act for a person in their own browser: how that begins, how the staff member ends it, and the mails about it.

mod begin;
mod end;
pub mod letters;

use svc_http::{Route, Routes};

use crate::hosted::paths::{END_IMPERSONATION, IMPERSONATION};

pub use self::end::stop;

/// The pages and their forms.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(IMPERSONATION).page("works only with the session that it was made for", begin::show),
        Route::post(IMPERSONATION).form("spends the link with that session", begin::submit),
        Route::post(END_IMPERSONATION).form("ends what the cookie of the browser names", end::submit),
    ])
}
