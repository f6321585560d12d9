//! How text messages leave: to an HTTP gateway, or to a sink that logs them.

pub(crate) mod gateway;
pub(crate) mod log;
