//! Recovery by guardians: a person who cannot sign in any more asks those whom they have chosen, and sets a new password when
//! enough of them have confirmed and the time of waiting is over.
//!
//! Whether there is an account, and whether it has guardians, no page tells: until guardians have confirmed, all look the same.

mod ask;
mod cancel;
mod finish;
mod request;
mod status;

use svc_http::{Route, Routes};

use crate::hosted::paths::{ASK_GUARDIANS, CANCEL_RECOVERY, GUARDIANS};

/// Asking, looking how far it is, the new password, and the link that cancels.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(ASK_GUARDIANS).page("the form that asks guardians for recovery", ask::show),
        Route::post(ASK_GUARDIANS).form("asks guardians for recovery", ask::submit),
        Route::get(GUARDIANS).page("a recovery, in the browser that asked for it", status::show),
        Route::post(GUARDIANS).form("sets a new password after guardians have confirmed", finish::submit),
        Route::get(CANCEL_RECOVERY).page("the link of a mail about a recovery", cancel::show),
        Route::post(CANCEL_RECOVERY).form("cancels a recovery", cancel::submit),
    ])
}
