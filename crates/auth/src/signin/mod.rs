//! Signing in: from an authorization request over the pages of a flow to the application's answer (OpenID Connect Core
//! §3.1.2).

pub mod accepted;
mod accounts;
mod acting;
mod acting_session;
mod advance;
mod after_first_factor;
mod asked_in;
mod attempt;
mod beginnings;
mod called;
mod carried;
mod ceremony;
mod choices;
pub mod code_guess;
pub mod complete;
mod consent;
pub mod demand;
mod demanded;
mod demanding;
mod engine;
mod enter;
mod entry;
mod errand;
mod errand_page;
mod floors;
mod flow;
mod form;
mod guess;
mod held;
mod history;
mod holder;
pub mod intake;
mod join;
mod journey;
mod leaving;
mod led;
pub mod linked;
pub mod methods;
mod missing;
mod newcomer;
pub mod notice;
pub mod offers;
mod onward;
pub mod owed_address;
pub mod pre_registration;
mod progress;
mod proven;
mod provider;
mod rated;
mod recovering;
mod second_factor;
mod select_account;
mod select_organization;
pub mod sent_code;
mod session;
mod sign_in_link;
pub mod sign_up_letter;
pub mod siwe;
pub mod social;
mod sso;
mod steps;
mod turned_away;
mod unproven;
mod unusual;
mod used_passkey;
mod waiting;
mod who;
mod whose;

use svc_http::Routes;

pub use self::accounts::Accounts;
pub use self::acting_session::may_act;
pub use self::attempt::Attempt;
pub use self::beginnings::Beginnings;
pub use self::called::{account_of, called};
pub use self::ceremony::{SignIn, Way, parts};
pub use self::choices::account as shown_account;
pub use self::demanded::Demanded;
pub use self::enter::renewed;
pub use self::errand::Errand;
pub use self::floors::floor_of_person;
pub use self::flow::Flow;
pub use self::guess::policy;
pub use self::journey::Journey;
pub use self::onward::Onward;
#[cfg(test)]
pub use self::progress::Factor;
pub use self::progress::Progress;
pub use self::provider::Providers;
pub use self::recovering::{begin as begin_recovery, not_recovered, ways as recovery_ways};
pub use self::session::{
    current, current_or_acting, guest, guest_in, is_of_others, must_not_be_locked, not_while_acting,
    person_of_token,
};
pub use self::sso::demanded_of;
pub use self::steps::{Draft, to_guest};

/// Sign-in and what belongs to it.
pub fn routes() -> Routes {
    entry::routes()
        .merge(form::routes())
        .merge(sso::routes())
        .merge(join::routes())
        .merge(select_account::routes())
        .merge(select_organization::routes())
        .merge(complete::routes())
        .merge(consent::routes())
        .merge(errand_page::routes())
        .merge(sign_in_link::routes())
}
