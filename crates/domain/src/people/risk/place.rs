//! Places on earth, and how far they are apart.

/// Where a network is, roughly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// How roughly that is known, in kilometres.
    pub radius_km: f64,
}

/// Two places at which a person signed in, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visited {
    /// That of the last sign-in.
    pub last: Place,
    /// That of this one.
    pub here: Place,
    /// The time between them.
    pub hours: f64,
}

const EARTH_RADIUS_KM: f64 = 6371.0;

impl Place {
    /// How far the places are apart at least, on the surface of a sphere (the haversine formula).
    pub fn distance_km(self, other: Self) -> f64 {
        let (from, to) = (self.latitude.to_radians(), other.latitude.to_radians());
        let half = |from: f64, to: f64| ((to - from) / 2.0).sin().powi(2);
        let east = half(self.longitude.to_radians(), other.longitude.to_radians());
        let chord = half(from, to) + from.cos() * to.cos() * east;
        let centres = 2.0 * EARTH_RADIUS_KM * chord.clamp(0.0, 1.0).sqrt().asin();
        (centres - self.radius_km - other.radius_km).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(latitude: f64, longitude: f64) -> Place {
        Place { latitude, longitude, radius_km: 0.0 }
    }

    #[test]
    fn distances_are_those_of_the_globe_across_its_date_line_too() {
        let is_about = |distance: f64, km: f64| (distance - km).abs() < 20.0;
        assert!(is_about(at(51.51, -0.13).distance_km(at(35.68, 139.69)), 9560.0));
        assert!(is_about(at(0.0, 179.5).distance_km(at(0.0, -179.5)), 111.0));
        assert!(is_about(at(90.0, 0.0).distance_km(at(-90.0, 120.0)), 20_015.0));
        assert!(at(10.0, 10.0).distance_km(at(10.0, 10.0)) < f64::EPSILON);
    }
}
