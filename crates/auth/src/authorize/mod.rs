//! What an application asks for (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1): read, checked, and answered.

mod arrived;
mod assurance;
mod checked;
mod checks;
pub mod details;
mod matrix;
pub mod organization;
pub mod par;
mod parameters;
pub mod pushed;
mod reply;
mod request;
mod request_object;
pub mod resource;
mod signed_reply;
mod wrong_address;

pub use self::arrived::{Arrived, Endpoint, PARAMETERS};
pub use self::assurance::Assurance;
pub use self::checked::checked;
pub use self::checks::id_token_hint::{former_key, ours as own_id_token};
pub use self::checks::scope::narrowed;
pub use self::parameters::Reads;
pub use self::reply::{Redirectable, Reply, ResponseMode};
pub use self::request::{AuthorizationRequest, Prompt, PromptValue};
pub use self::request_object::{parameters as object_parameters, unfolded, verified as verified_object};
pub use self::wrong_address::WrongAddress;
