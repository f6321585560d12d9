//! The isolation boundary: tenants, their hosts and their settings.

pub mod tenants;
