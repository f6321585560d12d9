//! How long something lasts, in words: the largest unit that fits, with the plural forms of the language.

use fluent_bundle::FluentArgs;
use svc_core::Error;

use super::catalogue::Catalogues;

/// What becomes of the part of a time that makes no whole unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest {
    /// Left out: what works so long works at least that long.
    LeftOut,
    /// Counted as a whole: after so long a wait is over.
    Counted,
}

/// So many of a unit are exact enough in the next larger one, whatever the rest.
const MANY: i64 = 3;

impl Catalogues {
    /// Minutes as days, hours or minutes.
    pub(super) fn duration(&self, language: &str, (minutes, rest): (i64, Rest)) -> Result<String, Error> {
        let (id, count) = fitting(minutes.max(1), rest);
        self.text(language, id, &FluentArgs::from_iter([("count", count)]))
    }
}

/// The unit that fits, by the id of its message, and how many of it there are.
fn fitting(minutes: i64, rest: Rest) -> (&'static str, i64) {
    let Some(hours) = larger((minutes, 60), rest) else { return ("duration-minutes", minutes) };
    larger((hours, 24), rest).map_or(("duration-hours", hours), |days| ("duration-days", days))
}

/// The same time in a unit of this size, if it is whole ones or many.
fn larger((count, size): (i64, i64), rest: Rest) -> Option<i64> {
    let whole = count / size;
    match (count % size, rest) {
        (0, _) => Some(whole),
        (_, Rest::LeftOut) => (whole >= MANY).then_some(whole),
        (_, Rest::Counted) => (whole >= MANY).then_some(whole + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_the_largest_unit_that_fits() {
        for (minutes, lasts, waits) in [
            (0, "1 minute", "1 minute"),
            (59, "59 minutes", "59 minutes"),
            (60, "1 hour", "1 hour"),
            (90, "90 minutes", "90 minutes"),
            (120, "2 hours", "2 hours"),
            (185, "3 hours", "4 hours"),
            (1439, "23 hours", "1 day"),
            (1440, "1 day", "1 day"),
            (36 * 60, "36 hours", "36 hours"),
            (4320, "3 days", "3 days"),
            (4321, "3 days", "4 days"),
        ] {
            let catalogues = Catalogues::load(None, "en", &[]).unwrap();
            let said = |rest| catalogues.duration("en", (minutes, rest)).unwrap();
            assert_eq!((said(Rest::LeftOut), said(Rest::Counted)), (lasts.to_owned(), waits.to_owned()));
        }
    }
}
