//! The checks of an authorization request, one file each; the matrix says where each holds.

pub mod acr_values;
pub mod authorization_details;
pub mod claims;
pub mod dpop_jkt;
pub mod id_token_hint;
pub mod max_age;
pub mod nonce;
pub mod organization;
pub mod pkce;
pub mod presence;
pub mod prompt;
pub mod pushed;
pub mod request_object;
pub mod response_mode;
pub mod response_type;
pub mod scope;
pub mod target;
pub mod tolerated;
pub mod total;
