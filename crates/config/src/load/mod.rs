//! How configuration is read: layers of given values, typed settings, declared sections, faults and reports.

pub(super) mod choice;
pub(super) mod database_url;
pub(super) mod dns;
pub(super) mod env;
pub(super) mod fault;
pub(super) mod file;
pub(super) mod known;
pub(super) mod network;
pub(super) mod reader;
pub(super) mod report;
pub(super) mod section;
pub(super) mod setting;
pub(super) mod web;
