//! The isolation boundary: tenants, their hosts and their settings.

pub mod branding;
pub mod custom_domains;
pub mod plans;
pub mod quotas;
pub mod switches;
pub mod tenants;
pub mod texts;
