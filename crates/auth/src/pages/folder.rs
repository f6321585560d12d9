//! An operator's directory of templates and catalogues.

use std::path::Path;

use svc_core::Error;

/// Largest file that an operator's directory may hold.
const LARGEST: u64 = 256 * 1024;
/// The files of an operator's directory with one extension, by name.
pub(super) fn files(directory: &Path, extension: &str) -> Result<Vec<(String, String)>, Error> {
    let faulty = |path: &Path, why: &dyn std::fmt::Display| {
        Error::internal(format!("cannot read {} for the hosted pages: {why}", path.display()))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|why| faulty(directory, &why))? {
        let path = entry.map_err(|why| faulty(directory, &why))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.extension().is_none_or(|end| end != extension) {
            continue;
        }
        if path.metadata().is_ok_and(|file| file.len() > LARGEST) {
            return Err(faulty(&path, &"it is larger than 256 KiB"));
        }
        found.push((name.to_owned(), std::fs::read_to_string(&path).map_err(|why| faulty(&path, &why))?));
    }
    found.sort();
    Ok(found)
}
