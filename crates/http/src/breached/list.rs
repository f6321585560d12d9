//! A compact list of breached passwords: 52 bits of each SHA-1 digest, in order, found by an index in two small reads.
//!
//! The file: eight letters that name the format, the number of entries, the index, and the entries. The index has a place
//! for each value of the first 20 bits, with the number of entries before it; an entry is the 32 bits that follow. All
//! numbers are big-endian. Of 10⁹ entries a password that is in no breach matches one with a chance of 2 · 10⁻⁷.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufWriter, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use svc_core::{Error, OrInternal as _, Result};

use super::Sha1;

const FORMAT: &[u8; 8] = b"svcpwnd1";
/// Values of the first 20 bits.
const PLACES: usize = 1 << 20;
/// Bytes of a number of the index, and of an entry.
const WIDTH: usize = 4;
const INDEX_AT: u64 = 16;
const ENTRIES_AT: u64 = INDEX_AT + (WIDTH * (PLACES + 1)) as u64;
/// Lines after which an import reports how far it is.
const REPORTED: u64 = 10_000_000;

/// A list, opened.
pub struct List {
    file: File,
}

impl List {
    /// Opens a list that [`import`] made.
    pub fn open(path: &Path) -> Result<Self> {
        let unusable = |reason: &dyn std::fmt::Display| {
            Error::bad_request(format!(
                "hibp.list_path: {} cannot be used: {reason}; `svc-runtime hibp import` makes such a file",
                path.display()
            ))
        };
        let file = File::open(path).map_err(|error| unusable(&error))?;
        let mut head = [0; 16];
        file.read_exact_at(&mut head, 0).map_err(|error| unusable(&error))?;
        let (format, count) = head.split_at(FORMAT.len());
        let count: Option<[u8; 8]> = count.try_into().ok();
        let entries = count.map(u64::from_be_bytes).and_then(|count| count.checked_mul(WIDTH as u64));
        let length = file.metadata().map_err(|error| unusable(&error))?.len();
        if format != FORMAT || entries.and_then(|bytes| bytes.checked_add(ENTRIES_AT)) != Some(length) {
            return Err(unusable(&"it is no list of breached passwords, or not whole"));
        }
        Ok(Self { file })
    }

    /// Whether a password with this digest is in the list.
    pub fn has(&self, wanted: &Sha1) -> Result<bool> {
        let (place, entry) = split(wanted);
        let mut bounds = [0; 2 * WIDTH];
        self.file.read_exact_at(&mut bounds, INDEX_AT + u64::from(place) * WIDTH as u64).or_internal()?;
        let [from, to] = [0, WIDTH].map(|at| number(bounds.get(at..).unwrap_or_default()));
        let size = usize::try_from(to.saturating_sub(from)).or_internal()?;
        let mut entries = vec![0; size * WIDTH];
        self.file.read_exact_at(&mut entries, ENTRIES_AT + u64::from(from) * WIDTH as u64).or_internal()?;
        let (entries, _) = entries.as_chunks::<WIDTH>();
        Ok(entries.binary_search(&entry.to_be_bytes()).is_ok())
    }
}

/// What an import made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Lines read.
    pub lines: u64,
    /// Entries of the list.
    pub entries: u64,
}

/// Makes a list of the public one: lines `SHA1:COUNT` ordered by digest. Leaves out what was seen fewer than `least`
/// times, and replaces `path` when all is written. `progress` is called with the number of lines read so far.
pub fn import(text: impl BufRead, path: &Path, least: u64, progress: impl FnMut(u64)) -> Result<Imported> {
    let mut next = path.as_os_str().to_owned();
    next.push(".new");
    let next = Path::new(&next);
    let unwritable =
        |error: std::io::Error| Error::bad_request(format!("{} cannot be written: {error}", next.display()));
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(next).map_err(unwritable)?;
    let imported = written(text, &file, least, progress).and_then(with_entries).inspect_err(|_| {
        let _ = std::fs::remove_file(next);
    })?;
    file.sync_all().and_then(|()| std::fs::rename(next, path)).map_err(unwritable)?;
    Ok(imported)
}

/// Refuses a list without entries, which would find nothing: the download has failed, or `least` is too high.
fn with_entries(imported: Imported) -> Result<Imported> {
    if imported.entries > 0 {
        return Ok(imported);
    }
    let Imported { lines, .. } = imported;
    Err(Error::bad_request(format!(
        "none of {lines} lines is a password for the list; take the whole public list"
    )))
}

fn written(text: impl BufRead, file: &File, least: u64, mut progress: impl FnMut(u64)) -> Result<Imported> {
    let mut draft = Draft::new(file)?;
    let mut lines = 0;
    for line in text.lines() {
        lines += 1;
        let (digest, count) =
            line.map_err(|error| unreadable(lines, &error)).and_then(|line| read(&line, lines))?;
        if !draft.add(&digest, count >= least)? {
            let reason = "the digests are not in order; take the list that is ordered by hash";
            return Err(unreadable(lines, &reason));
        }
        if lines.is_multiple_of(REPORTED) {
            progress(lines);
        }
    }
    Ok(Imported { lines, entries: draft.finish()? })
}

/// A list that is being written: entries first, then the index before them.
struct Draft<'a> {
    out: BufWriter<&'a File>,
    /// Entries of each place, behind that of the place before it.
    sizes: Vec<u32>,
    entries: u64,
    previous: Option<(u32, u32)>,
    last: Option<(u32, u32)>,
}

impl<'a> Draft<'a> {
    fn new(file: &'a File) -> Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        out.seek(SeekFrom::Start(ENTRIES_AT)).map_err(|error| full(&error))?;
        Ok(Self { out, sizes: vec![0; PLACES + 1], entries: 0, previous: None, last: None })
    }

    /// Takes the next digest, and keeps it if it is wanted and new. Returns whether it is in its order.
    fn add(&mut self, digest: &Sha1, is_wanted: bool) -> Result<bool> {
        let key = split(digest);
        if self.previous > Some(key) {
            return Ok(false);
        }
        self.previous = Some(key);
        if is_wanted && self.last != Some(key) {
            self.last = Some(key);
            self.entries += 1;
            self.out.write_all(&key.1.to_be_bytes()).map_err(|error| full(&error))?;
            let place = usize::try_from(key.0).or_internal()? + 1;
            *self.sizes.get_mut(place).ok_or_else(|| Error::internal("a digest has no place"))? += 1;
        }
        Ok(true)
    }

    /// Writes the head and the index; returns the number of entries.
    fn finish(mut self) -> Result<u64> {
        let mut sum = 0_u32;
        let index = self.sizes.iter().map(|entries| {
            sum = sum.saturating_add(*entries);
            sum.to_be_bytes()
        });
        let head = FORMAT.iter().copied().chain(self.entries.to_be_bytes());
        let head: Vec<u8> = head.chain(index.flatten()).collect();
        let placed = self.out.seek(SeekFrom::Start(0)).and_then(|_| self.out.write_all(&head));
        placed.and_then(|()| self.out.flush()).map_err(|error| full(&error))?;
        Ok(self.entries)
    }
}

#[track_caller]
fn full(error: &std::io::Error) -> Error {
    Error::bad_request(format!("the list cannot be written: {error}"))
}

/// A line's digest and count; a line without a count was seen once.
fn read(line: &str, number: u64) -> Result<(Sha1, u64)> {
    let (digest, count) = line.trim_end().split_once(':').unwrap_or((line.trim_end(), "1"));
    let wrong = || unreadable(number, &"expected a SHA-1 digest in hexadecimal, a colon and a count");
    let mut bytes = Sha1::default();
    if digest.len() != 2 * bytes.len() || !digest.is_ascii() {
        return Err(wrong());
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        let pair = digest.get(at..at + 2).unwrap_or_default();
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok((bytes, count.trim().parse().map_err(|_| wrong())?))
}

#[track_caller]
fn unreadable(number: u64, reason: &dyn std::fmt::Display) -> Error {
    Error::bad_request(format!("line {number}: {reason}"))
}

/// The first 20 bits, and the 32 that follow.
fn split(digest: &Sha1) -> (u32, u32) {
    let mut head = [0; 8];
    head.copy_from_slice(digest.first_chunk::<8>().unwrap_or(&[0; 8]));
    let head = u64::from_be_bytes(head);
    let low = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    (low(head >> 44), low(head >> 12))
}

fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use svc_keys::digest::sha1;
    use svc_keys::hex;

    use super::*;

    fn public_list(passwords: &[(&str, u64)]) -> String {
        let line = |(password, count): &(&str, u64)| {
            format!("{}:{count}", hex(sha1(password.as_bytes())).to_uppercase())
        };
        let mut lines: Vec<_> = passwords.iter().map(line).collect();
        lines.sort();
        lines.join("\r\n")
    }

    fn imported(text: &str, least: u64) -> (tempfile::TempDir, Result<Imported>) {
        let folder = tempfile::tempdir().unwrap();
        let imported = import(text.as_bytes(), &folder.path().join("list"), least, |_| ());
        (folder, imported)
    }

    #[test]
    fn a_list_has_what_was_imported_and_nothing_else() {
        let many: Vec<String> = (0..2_000).map(|n| format!("password {n}")).collect();
        let many: Vec<_> = many.iter().map(|password| (password.as_str(), 3)).collect();
        let (folder, made) = imported(&public_list(&many), 1);
        assert_eq!(made.unwrap(), Imported { lines: 2_000, entries: 2_000 });
        let list = List::open(&folder.path().join("list")).unwrap();
        assert!(many.iter().all(|(password, _)| list.has(&sha1(password.as_bytes())).unwrap()));
        assert!((0..2_000).all(|n| !list.has(&sha1(format!("another {n}").as_bytes())).unwrap()));
        let [lowest, highest] = [[0; 20], [255; 20]];
        assert!(!list.has(&lowest).unwrap() && !list.has(&highest).unwrap());
    }

    #[test]
    fn the_first_and_the_last_possible_digest_are_found() {
        let (folder, made) = imported(&format!("{}:1\n{}:1\n", "0".repeat(40), "F".repeat(40)), 1);
        assert_eq!(made.unwrap().entries, 2);
        let list = List::open(&folder.path().join("list")).unwrap();
        assert!(list.has(&[0; 20]).unwrap() && list.has(&[255; 20]).unwrap());
    }

    #[test]
    fn what_was_seen_seldom_can_be_left_out() {
        let (folder, made) = imported(&public_list(&[("often", 100), ("once", 1)]), 2);
        assert_eq!(made.unwrap(), Imported { lines: 2, entries: 1 });
        let list = List::open(&folder.path().join("list")).unwrap();
        assert!(list.has(&sha1(b"often")).unwrap() && !list.has(&sha1(b"once")).unwrap());
    }

    #[test]
    fn a_wrong_line_is_told_by_its_number_and_no_list_is_replaced_by_a_wrong_or_an_empty_one() {
        let good = public_list(&[("a", 1), ("b", 1)]);
        let (folder, _) = imported(&good, 1);
        let path = folder.path().join("list");
        for (text, says) in [
            ("password:1", "line 1: expected a SHA-1 digest"),
            (&format!("{}:many", "0".repeat(40)), "line 1: expected"),
            (&format!("{}:1\n{}:1", "F".repeat(40), "0".repeat(40)), "line 2: the digests are not in order"),
            (&format!("{}:1", "0".repeat(32)), "line 1: expected"),
            (&"é".repeat(20), "line 1: expected"),
            ("", "none of 0 lines"),
        ] {
            let error = import(text.as_bytes(), &path, 1, |_| ()).unwrap_err();
            assert!(error.detail().starts_with(says), "{error:?}");
        }
        let too_high = import(good.as_bytes(), &path, 2, |_| ()).unwrap_err();
        assert!(too_high.detail().starts_with("none of 2 lines"), "{too_high:?}");
        assert!(List::open(&path).unwrap().has(&sha1(b"a")).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_file_that_is_no_list_or_was_cut_is_refused() {
        let (folder, _) = imported(&public_list(&[("a", 1)]), 1);
        let path = folder.path().join("list");
        let whole = std::fs::read(&path).unwrap();
        for bytes in [&whole[..whole.len() - 1], &whole[..10], b"", &vec![0; 5_000_000]] {
            std::fs::write(&path, bytes).unwrap();
            let error = List::open(&path).err().unwrap();
            assert!(error.detail().contains("hibp.list_path"), "{error:?}");
        }
        assert!(List::open(&folder.path().join("none")).is_err());
    }
}
