//! The systems whose exports are read, and what each needs besides its file.

use std::collections::HashMap;
use std::path::Path;

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::Value;
use svc_core::Result;
use svc_domain::people::imports::PersonLine;
use svc_keys::sha256;

use super::chunks::Read;
use super::file::{self, Form};
use super::{Options, auth0, clerk, cognito, firebase, generic, keycloak};
use crate::failure::Failure;

/// A system that people come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum System {
    /// A realm, exported with its users.
    Keycloak,
    /// The users of an export job.
    Auth0,
    /// What `firebase auth:export --format=json` writes.
    Firebase,
    /// The CSV of a user pool. It has no passwords.
    Cognito,
    /// The CSV of the dashboard, or users as JSON.
    Clerk,
    /// CSV with a head line: email, username, `given_name`, `password_hash` and so on.
    Csv,
    /// JSON Lines as the API takes them.
    Jsonl,
}

/// What is needed besides the file.
#[derive(Default)]
pub(super) struct Extra {
    /// Auth0: password hashes by the id of the person.
    pub hashes: HashMap<String, String>,
    /// Firebase: what hashes of the project are made with.
    pub hash_parameters: Option<firebase::Parameters>,
    /// Whether people get the roles of the export.
    pub with_roles: bool,
    /// Keycloak: the relying party of its passkeys.
    pub rp_id: Option<String>,
}

impl Extra {
    pub fn read(options: &Options) -> Result<Self, Failure> {
        let hashes = match &options.hashes {
            Some(path) => auth0::hashes(path)?,
            None => HashMap::new(),
        };
        let hash_parameters = options.hash_parameters.as_deref().map(document).transpose()?;
        let rp_id = options.rp_id.clone();
        Ok(Self { hashes, hash_parameters, with_roles: options.with_roles, rp_id })
    }
}

impl System {
    /// The `source` of its imports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keycloak => "keycloak",
            Self::Auth0 => "auth0",
            Self::Firebase => "firebase",
            Self::Cognito => "cognito",
            Self::Clerk => "clerk",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }

    /// Reads a file record by record, until `sink` wants no more.
    pub(super) fn read(
        self,
        path: &Path,
        extra: &Extra,
        sink: &mut dyn FnMut(Read) -> bool,
    ) -> Result<(), Failure> {
        file::each(path, self.form(path), &mut |record: Result<Value>| {
            let text = record.as_ref().map(Value::to_string).unwrap_or_default();
            let line = record.and_then(|record| self.person(record, extra));
            sink(Read { digest: sha256(text.as_bytes()), line })
        })
    }

    fn form(self, path: &Path) -> Form {
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        match self {
            Self::Keycloak | Self::Firebase => Form::Json,
            Self::Auth0 | Self::Jsonl => Form::JsonLines,
            Self::Clerk if !is_csv => Form::Json,
            Self::Cognito | Self::Csv | Self::Clerk => Form::Csv,
        }
    }

    fn person(self, record: Value, extra: &Extra) -> Result<PersonLine> {
        let mut line = match self {
            Self::Keycloak => Ok(keycloak::person(&record, extra.rp_id.as_deref())),
            Self::Auth0 => Ok(auth0::person(&record, &extra.hashes)),
            Self::Firebase => firebase::person(&record, extra.hash_parameters.as_ref()),
            Self::Cognito => Ok(cognito::person(&record)),
            Self::Clerk => clerk::person(&record),
            Self::Csv => generic::of_columns(&record),
            Self::Jsonl => return generic::of_line(record),
        }?;
        if !extra.with_roles {
            line.roles.clear();
        }
        Ok(line)
    }
}

fn document<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    // The cause could quote a secret.
    serde_json::from_str(&text)
        .map_err(|_| Failure::new(format!("{} is not the document that was expected", path.display())))
}
