//! Where networks are, by a database of addresses that the operator keeps (`MaxMind` DB file format 2.0).

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use maxminddb::{Reader, geoip2};
use svc_config::Config;
use svc_core::{Error, Result};
use svc_domain::people::risk::Place;

type Database = Reader<Vec<u8>>;

/// The database of `adaptive_mfa.ip_database_path`.
#[derive(Default)]
pub struct Places {
    path: Option<PathBuf>,
    database: RwLock<Option<Arc<Database>>>,
}

/// How roughly a place is known where the database does not say.
const USUAL_RADIUS_KM: f64 = 100.0;

impl Places {
    /// Reads the database, where one is named; a file that is none, or that has no places, is refused.
    pub fn from_config(config: &Config) -> Result<Self> {
        let Some(path) = config.adaptive_mfa.ip_database_path.clone() else { return Ok(Self::default()) };
        let database = RwLock::new(Some(Arc::new(open(&path)?)));
        Ok(Self { path: Some(path), database })
    }

    /// Reads the file again; one that cannot be used leaves the database as it was.
    pub fn reload(&self) {
        let Some(path) = &self.path else { return };
        match open(path) {
            Ok(read) => {
                *self.database.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(read));
                tracing::info!("adaptive_mfa.ip_database_path was read again");
            }
            Err(error) => {
                tracing::warn!(error = error.detail(), "the database of addresses stays as it was");
            }
        }
    }

    /// Where a network is, such as `203.0.113.0/24`; nothing where that is not known.
    pub fn of(&self, network: &str) -> Option<Place> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        let address: IpAddr = network.split('/').next()?.parse().ok()?;
        let city: geoip2::City<'_> = database.lookup(address).ok()?.decode().ok()??;
        let location = city.location;
        let (latitude, longitude) = (location.latitude?, location.longitude?);
        let is_on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        let radius_km = location.accuracy_radius.map_or(USUAL_RADIUS_KM, f64::from);
        is_on_earth.then_some(Place { latitude, longitude, radius_km })
    }
}

fn open(path: &Path) -> Result<Database> {
    let fault = |what: String| {
        Error::bad_request(format!("adaptive_mfa.ip_database_path: {} {what}", path.display()))
    };
    // Into memory: a file that is replaced while it is mapped would end the process.
    let database = Reader::open_readfile(path).map_err(|error| fault(format!("cannot be read: {error}")))?;
    let kind = database.metadata().database_type.clone();
    if !["City", "Enterprise", "Insights"].iter().any(|known| kind.contains(known)) {
        return Err(fault(format!("is of the type {kind:?}, which has no places; use a city database")));
    }
    Ok(database)
}
