//! Which of many refusals are recorded, so that a client in a loop cannot fill the disk with them: the first of an hour, the
//! tenth, the hundredth and so on, each with the count so far.

use svc_core::{Seconds, Timestamp};

use crate::app::App;

const HOUR: Seconds = Seconds(3600);

/// Counts a refusal; returns the count of this hour, where it is one that is recorded.
pub async fn recorded_count(app: &App, key: &str, now: Timestamp) -> Option<i64> {
    let count = app.coordination.incr(key, HOUR, now).await.count;
    is_power_of_ten(count).then_some(count)
}

fn is_power_of_ten(mut count: i64) -> bool {
    while count >= 10 && count % 10 == 0 {
        count /= 10;
    }
    count == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_further_record_stands_for_ten_times_as_many_refusals() {
        let recorded: Vec<_> = (1..=1_000).filter(|count| is_power_of_ten(*count)).collect();
        assert_eq!(recorded, [1, 10, 100, 1_000]);
    }
}
