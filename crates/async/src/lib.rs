//! The asynchronous plane: mail, expiry, key rotation and what keeps the memory of every process current.
//!
//! A job does one bounded piece of work and takes time from the application's clock; only the runner waits.

mod board;
mod jobs;
mod kept;
mod mailer;
mod phone;
mod queues;
mod runner;
mod streams;
mod wakes;

pub use jobs::{JOBS, Job, Progress, Reach, Workers};
pub use mailer::{Inbox, InboxMail, InboxText, Letter, Mailer, Smtp};
pub use runner::{run, run_all_once};
