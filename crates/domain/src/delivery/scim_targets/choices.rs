//! The choices of a target: what is pushed of a person, under which name, and how accounts are changed and ended.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What happens to an account whose person is no longer pushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetOnRemoval)]
pub enum OnRemoval {
    /// `active` becomes false.
    #[default]
    Deactivate,
    /// It is deleted.
    Delete,
}

/// How an account is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetUpdateWith)]
pub enum UpdateWith {
    /// What is pushed is replaced, and the rest stays (RFC 7644 §3.5.2).
    #[default]
    Patch,
    /// The whole account is replaced (RFC 7644 §3.5.1).
    Put,
}

/// The source of `userName`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetUserName)]
pub enum UserName {
    /// The e-mail address.
    #[default]
    Email,
    /// The sign-in name within the tenant.
    Username,
    /// The `sub` of the person's tokens.
    Sub,
}

/// An attribute that may be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetAttribute)]
pub enum Pushed {
    /// `name`: given name, family name, and both.
    Name,
    /// `displayName`.
    DisplayName,
    /// `nickName`.
    NickName,
    /// `emails`, with the address.
    Emails,
    /// `phoneNumbers`, with a number that the person has proven.
    PhoneNumbers,
    /// `locale`.
    Locale,
    /// `timezone`.
    Timezone,
    /// `profileUrl`.
    ProfileUrl,
    /// `roles`: what the person has in the tenant, also by groups.
    Roles,
}
