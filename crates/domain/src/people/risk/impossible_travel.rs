//! A place that the person cannot have reached since they last signed in, by the database of addresses of the deployment.

use super::place::Visited;
use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "impossible_travel",
    points: 30,
    about: "The person had signed in shortly before at a place too far away to travel from.",
    is_seen,
};

/// The highest plausible speed in kilometres per hour; aeroplanes are slower.
const FASTEST: f64 = 1000.0;
/// Distances below this, in kilometres, are ignored, because the places of networks are only roughly known.
const NEAR_KM: f64 = 300.0;

/// A browser in which the person has signed in before is wherever its network ends: that of an office, or of a private network.
fn is_seen(seen: &Seen<'_>) -> bool {
    let Some(Visited { last, here, hours }) = seen.visited else { return false };
    let distance = last.distance_km(here);
    !seen.is_known_device && distance > NEAR_KM && distance > hours.max(0.0) * FASTEST
}

#[cfg(test)]
mod tests {
    use super::super::place::Place;
    use super::*;

    const LONDON: Place = Place { latitude: 51.51, longitude: -0.13, radius_km: 20.0 };
    const BRUSSELS: Place = Place { latitude: 50.85, longitude: 4.35, radius_km: 20.0 };
    const TOKYO: Place = Place { latitude: 35.68, longitude: 139.69, radius_km: 50.0 };

    fn is_seen_after(last: Place, here: Place, hours: f64) -> bool {
        is_seen(&Seen { visited: Some(Visited { last, here, hours }), ..Seen::nothing() })
    }

    #[test]
    fn a_place_out_of_reach_is_seen_and_one_within_a_flight_is_not() {
        assert!(is_seen_after(LONDON, TOKYO, 1.0));
        assert!(!is_seen_after(LONDON, TOKYO, 12.0));
        assert!(!is_seen_after(LONDON, BRUSSELS, 0.0), "near");
        assert!(is_seen_after(LONDON, TOKYO, -1.0), "a clock that went back gives no time to travel");
        assert!(!is_seen(&Seen::nothing()), "nothing is known of places");
    }

    #[test]
    fn a_place_that_is_roughly_known_is_as_near_as_it_may_be() {
        let country = Place { radius_km: 9_500.0, ..TOKYO };
        assert!(!is_seen_after(LONDON, country, 0.1));
    }

    #[test]
    fn a_known_browser_may_be_behind_another_network() {
        let visited = Some(Visited { last: LONDON, here: TOKYO, hours: 1.0 });
        assert!(!is_seen(&Seen { visited, is_known_device: true, ..Seen::nothing() }));
    }
}
