//! How many files the process may have open: each connection is one, and the usual limit is that of programs with a handful.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// As many as the unit of systemd gives; an idle connection takes up to 34 KiB.
const WANTED: u64 = 16_384;

/// Raises the limit, as far as a process without privileges may.
pub fn raise() {
    let Some(limit) = raised(getrlimit(Resource::Nofile)) else { return };
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(error = %error, "the limit of open files stays as it is");
    }
}

/// What it becomes; nothing where it is high enough already, or may not be higher.
fn raised(present: Rlimit) -> Option<Rlimit> {
    let wanted = present.maximum.map_or(WANTED, |most| most.min(WANTED));
    (present.current? < wanted).then_some(Rlimit { current: Some(wanted), ..present })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_as_far_as_is_allowed_and_never_lowered() {
        for (current, maximum, raised_to) in [
            (Some(1_024), Some(524_288), Some(WANTED)),
            (Some(1_024), None, Some(WANTED)),
            (Some(256), Some(4_096), Some(4_096)),
            (Some(1_024), Some(1_024), None),
            (Some(65_536), Some(524_288), None),
            (None, None, None),
        ] {
            let raised = raised(Rlimit { current, maximum });
            assert_eq!(raised.and_then(|limit| limit.current), raised_to, "{current:?} of {maximum:?}");
            assert!(raised.is_none_or(|limit| limit.maximum == maximum));
        }
    }
}
