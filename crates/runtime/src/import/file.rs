//! Files record by record: one record is in memory at a time, however large the file is.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, stdin};
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use svc_core::{Error, Result};

use crate::failure::Failure;

/// How a file holds its records.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A list, or an object whose member `users` is one.
    Json,
    /// A document a line.
    JsonLines,
    /// RFC 4180, with a head line.
    Csv,
}

/// Takes a record; false to be given no more.
pub(super) type Sink<'a> = dyn FnMut(Result<Value>) -> bool + 'a;

/// What stands for standard input where a file is named.
const STANDARD_INPUT: &str = "-";
/// Longest line of JSON Lines, in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

/// Refuses a file that is not there, or is no text, before anything is begun for it. Of what is no file, such as a pipe, nothing is
/// read: it would be gone.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    if path == Path::new(STANDARD_INPUT) {
        return Ok(());
    }
    let is_file = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?.is_file();
    if is_file {
        let mut reader = BufReader::new(File::open(path).map_err(|error| unreadable(path, &error))?);
        pass_mark(&mut reader).map_err(|error| unreadable(path, &error))?;
    }
    if path.is_dir() { Err(unreadable(path, &"it is a folder")) } else { Ok(()) }
}

/// Gives each record of a file to `sink`. `-` is standard input.
pub(super) fn each(path: &Path, form: Form, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let mut reader: Box<dyn BufRead> = if path == Path::new(STANDARD_INPUT) {
        Box::new(BufReader::new(stdin()))
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|error| unreadable(path, &error))?))
    };
    pass_mark(&mut reader).map_err(|error| unreadable(path, &error))?;
    match form {
        Form::Json => each_of_document(reader, sink),
        Form::JsonLines => each_line(reader, sink).map_err(|error| unreadable(path, &error)),
        Form::Csv => each_row(reader, sink).map_err(|error| unreadable(path, &said(&error))),
    }
}

fn unreadable(path: &Path, error: &dyn fmt::Display) -> Failure {
    Failure::new(format!("{} cannot be read: {error}", path.display()))
}

/// How files begin that are no text of UTF-8, and what to do with them.
const UNFIT: &[(&[u8], &str)] = &[
    (&[0x1f, 0x8b], "it is compressed by gzip; unpack it first"),
    (b"PK\x03\x04", "it is a ZIP file or a spreadsheet; unpack it, or save it as CSV"),
    (&[0xff, 0xfe], "it is UTF-16; save it as UTF-8"),
    (&[0xfe, 0xff], "it is UTF-16; save it as UTF-8"),
];

/// Passes over the byte order mark with which some programs begin a file of UTF-8 (RFC 8259 §8.1).
fn pass_mark(reader: &mut dyn BufRead) -> std::io::Result<()> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let beginning = reader.fill_buf()?;
    if let Some((_, advice)) = UNFIT.iter().find(|(mark, _)| beginning.starts_with(mark)) {
        return Err(std::io::Error::other(*advice));
    }
    if beginning.starts_with(MARK) {
        reader.consume(MARK.len());
    }
    Ok(())
}

fn each_line(mut reader: impl BufRead, sink: &mut Sink<'_>) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if line.len() as u64 == LONGEST_LINE {
            return Err(std::io::Error::other("a line is longer than 1 MiB"));
        }
        let text = line.trim_ascii();
        if !text.is_empty() && !sink(record(text)) {
            return Ok(());
        }
    }
}

fn record(line: &[u8]) -> Result<Value> {
    match serde_json::from_slice(line) {
        Ok(record @ Value::Object(_)) => Ok(record),
        Ok(_) => {
            Err(Error::bad_request("a line must be one JSON object; write each record on a line of its own"))
        }
        Err(_) => Err(Error::bad_request("this is not a JSON document")),
    }
}

/// Each row is an object of texts; an empty field is no member.
fn each_row(reader: impl Read, sink: &mut Sink<'_>) -> csv::Result<()> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(reader);
    let names = rows.headers()?.clone();
    for row in rows.records() {
        if !sink(of_row(&names, &row?)) {
            break;
        }
    }
    Ok(())
}

/// A field too many shifts all that come after it: a comma in a text that is not quoted.
fn of_row(names: &csv::StringRecord, row: &csv::StringRecord) -> Result<Value> {
    if row.iter().skip(names.len()).any(|field| !field.is_empty()) {
        return Err(Error::bad_request(format!(
            "this row has {} fields, and the head line {}; put what contains a comma between quotation marks",
            row.len(),
            names.len()
        )));
    }
    let fields = names.iter().zip(row.iter()).filter(|(_, field)| !field.is_empty());
    let record = fields.map(|(name, field)| (name.to_owned(), Value::from(field)));
    Ok(Value::Object(record.collect::<Map<_, _>>()))
}

/// What is wrong with a file of rows. Its own words for letters of another encoding do not say what to do.
fn said(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { pos: Some(place), .. } => {
            format!("record {} is not UTF-8; save the file as UTF-8", place.record())
        }
        _ => error.to_string(),
    }
}

fn each_of_document(reader: impl Read, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let mut stopped = false;
    let document = Document { sink, stopped: &mut stopped };
    let read = document.deserialize(&mut serde_json::Deserializer::from_reader(reader));
    match read {
        Err(error) if !stopped => Err(Failure::new(format!(
            "the file is not as expected at line {} column {}: it must be a list, or an object with the member `users`",
            error.line(),
            error.column()
        ))),
        _ => Ok(()),
    }
}

struct Document<'a, 'b> {
    sink: &'a mut Sink<'b>,
    stopped: &'a mut bool,
}

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of users")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(record) = list.next_element::<Value>()? {
            if !(self.sink)(Ok(record)) {
                *self.stopped = true;
                return Err(A::Error::custom("enough"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { sink, stopped } = self;
        let mut has_users = false;
        while let Some(name) = members.next_key::<String>()? {
            if name == "users" {
                has_users = true;
                members.next_value_seed(Document { sink: &mut *sink, stopped: &mut *stopped })?;
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        // Systems write a realm or a project without its people, too, or the people into other files.
        if has_users { Ok(()) } else { Err(A::Error::missing_field("users")) }
    }
}
