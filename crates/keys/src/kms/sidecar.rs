//! `svc-kms` behind the port [`KeyManagement`]: one connection, kept, and made again when it is lost.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_core::{Cx, Error, Result, Secret};
use tokio::sync::Mutex;
use zeroize::Zeroizing;

use super::connection::{Connection, Unanswered};
use super::{Answer, Request, Trouble, kept};
use crate::jose::{Algorithm, PublicKey, SigningKey, TokenKey};
use crate::keyring::{Keyring, Versions};
use crate::management::{Created, KeyManagement, KeyUse, Pending, Wrapped};
use crate::secret_bytes::SecretBytes;

/// Where the process is, and by which keys both sides know each other.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its socket.
    pub socket: PathBuf,
    /// The file of its public key.
    pub server_public_key: PathBuf,
    /// The file of our private key.
    pub client_private_key: PathBuf,
}

/// A client of the process; clones share its connection.
#[derive(Clone)]
pub struct Sidecar {
    line: Arc<Line>,
    keyring: Keyring,
}

struct Line {
    settings: Settings,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    connection: Option<Arc<Connection>>,
    failed: Option<(Instant, Trouble)>,
}

/// After a failure no request tries again for this long: requests that wait for a process that hangs would queue up behind each other.
const PAUSE: Duration = Duration::from_millis(250);

impl Sidecar {
    /// Connects, and takes over the sealing keys that this process holds itself.
    pub async fn connect(settings: Settings) -> Result<Self, Trouble> {
        let line = Arc::new(Line { settings, state: Mutex::default() });
        let versions = line.keyring().await?;
        Ok(Self { line, keyring: Keyring::new(versions) })
    }

    /// What this process seals under; the root is not in it.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Where the process is.
    pub fn settings(&self) -> &Settings {
        &self.line.settings
    }

    /// Asks whether the process is well; returns its versions where they are others than those in use.
    pub async fn look(&self) -> Result<Option<Versions>, Trouble> {
        let Answer::Well(present) = self.line.ask(Request::Health).await? else { return Err(misplaced()) };
        if present == self.keyring.versions().fingerprints() {
            return Ok(None);
        }
        self.line.keyring().await.map(Some)
    }

    /// Asks whether the process answers.
    pub(super) async fn greet(&self) -> Result<(), Trouble> {
        self.line.ask(Request::Health).await.map(|_| ())
    }

    /// The named secret; nothing where none has this name.
    pub async fn secret(&self, name: &str) -> Result<Option<Secret>, Trouble> {
        match self.line.ask(Request::Secret { name: name.to_owned() }).await? {
            Answer::Secret(value) => Ok(value.map(|value| Secret::new(value.as_str()))),
            _ => Err(misplaced()),
        }
    }

    /// The authentication code of a message by the key of a use.
    pub async fn hmac(&self, of: KeyUse, message: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        self.bytes(Request::Hmac { r#use: of.into(), message: message.into() }).await
    }

    async fn bytes(&self, request: Request) -> Result<Zeroizing<Vec<u8>>> {
        match self.line.ask(request).await? {
            Answer::Bytes(bytes) => Ok(bytes.into()),
            _ => Err(misplaced().into()),
        }
    }

    async fn created(&self, of: KeyUse, algorithm: Algorithm) -> Result<Created> {
        let request = Request::Create { r#use: of.into(), algorithm: algorithm.name().to_owned() };
        match self.line.ask(request).await? {
            Answer::Created(kid, key, wrapped) => {
                let key = SigningKey::from_pkcs8(&kid, algorithm, &key)?;
                Ok(Created { key: key.into(), wrapped: wrapped.to_vec() })
            }
            Answer::Kept(jwk, wrapped) => {
                let public = PublicKey::from_jwk(&jwk)?;
                let with = Wrapped { id: &public.thumbprint(), algorithm, key: &wrapped };
                let key = TokenKey::Kept(kept::key(self, of, with, public)?);
                Ok(Created { key, wrapped: wrapped.to_vec() })
            }
            _ => Err(misplaced().into()),
        }
    }

    /// Nothing where the key stays with the process.
    async fn unwrapped(&self, of: KeyUse, id: &str, wrapped: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>> {
        let request = Request::Unwrap { r#use: of.into(), id: id.to_owned(), wrapped: wrapped.into() };
        match self.line.ask(request).await? {
            Answer::Bytes(bytes) => Ok(Some(bytes.into())),
            Answer::Stays => Ok(None),
            _ => Err(misplaced().into()),
        }
    }
}

impl Line {
    async fn keyring(&self) -> Result<Versions, Trouble> {
        match self.ask(Request::Keyring).await? {
            Answer::Keyring(handed_out) => {
                Versions::from_handed_out(handed_out).map_err(|error| Trouble::Refused(format!("{error:?}")))
            }
            _ => Err(misplaced()),
        }
    }

    async fn ask(&self, request: Request) -> Result<Answer, Trouble> {
        let connection = self.connection(None).await?;
        let answer = match connection.ask(request.clone()).await {
            // A process that was restarted: whatever is asked may be asked twice.
            Err(Unanswered::Lost) => self.connection(Some(&connection)).await?.ask(request).await,
            answer => answer,
        };
        match answer {
            Ok(Answer::Refused(why)) | Err(Unanswered::TooLong(why)) => Err(Trouble::Refused(why)),
            Ok(answer) => Ok(answer),
            Err(Unanswered::Lost) => Err(self.unreachable("it ends the connection")),
            Err(Unanswered::Late) => Err(self.unreachable("it does not answer")),
        }
    }

    /// The connection, which is another one than `lost`.
    async fn connection(&self, lost: Option<&Arc<Connection>>) -> Result<Arc<Connection>, Trouble> {
        let mut state = self.state.lock().await;
        let is_usable = |present: &&Arc<Connection>| {
            !present.is_lost() && lost.is_none_or(|lost| !Arc::ptr_eq(lost, present))
        };
        if let Some(present) = state.connection.as_ref().filter(is_usable) {
            return Ok(Arc::clone(present));
        }
        if let Some((_, trouble)) = state.failed.as_ref().filter(|(at, _)| at.elapsed() < PAUSE) {
            return Err(trouble.clone());
        }
        let opened = Connection::open(&self.settings).await.map(Arc::new);
        state.failed = opened.as_ref().err().map(|trouble| (Instant::now(), trouble.clone()));
        state.connection = opened.as_ref().ok().map(Arc::clone);
        opened
    }

    fn unreachable(&self, why: &str) -> Trouble {
        Trouble::Unreachable(self.settings.socket.clone(), why.to_owned())
    }
}

fn misplaced() -> Trouble {
    Trouble::Refused("it answers something else than was asked".to_owned())
}

impl KeyManagement for Sidecar {
    fn create<'a>(&'a self, of: KeyUse, algorithm: Algorithm, _: &'a Cx) -> Pending<'a, Created> {
        Box::pin(self.created(of, algorithm))
    }

    fn wrap<'a>(&'a self, of: KeyUse, id: &'a str, key: &'a [u8], _: &'a Cx) -> Pending<'a, Vec<u8>> {
        let request = Request::Wrap { r#use: of.into(), id: id.to_owned(), key: key.into() };
        Box::pin(async move { self.bytes(request).await.map(|bytes| bytes.to_vec()) })
    }

    fn unwrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8]) -> Pending<'a, Zeroizing<Vec<u8>>> {
        Box::pin(async move {
            let key = self.unwrapped(of, id, wrapped).await?;
            key.ok_or_else(|| Error::internal(format!("the key {id} stays with svc-kms")))
        })
    }

    fn signing_key<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, public: PublicKey) -> Pending<'a, TokenKey> {
        Box::pin(async move {
            match self.unwrapped(of, with.id, with.key).await? {
                Some(key) => Ok(SigningKey::from_pkcs8(with.id, with.algorithm, &key)?.into()),
                None => Ok(TokenKey::Kept(kept::key(self, of, with, public)?)),
            }
        })
    }

    fn rewrap<'a>(&'a self, of: KeyUse, id: &'a str, wrapped: &'a [u8], cx: &'a Cx) -> Pending<'a, Vec<u8>> {
        Box::pin(async move {
            if let Some(key) = self.unwrapped(of, id, wrapped).await? {
                return self.wrap(of, id, &key, cx).await;
            }
            let request = Request::Rewrap { r#use: of.into(), id: id.to_owned(), wrapped: wrapped.into() };
            self.bytes(request).await.map(|bytes| bytes.to_vec())
        })
    }

    fn sign<'a>(&'a self, of: KeyUse, with: Wrapped<'a>, message: &'a [u8]) -> Pending<'a, Vec<u8>> {
        let request = Request::Sign {
            r#use: of.into(),
            id: with.id.to_owned(),
            algorithm: with.algorithm.name().to_owned(),
            wrapped: SecretBytes::from(with.key),
            message: message.into(),
        };
        Box::pin(async move { self.bytes(request).await.map(|bytes| bytes.to_vec()) })
    }

    fn is_outdated(&self, of: KeyUse, wrapped: &[u8], cx: &Cx) -> bool {
        !self.keyring.sealer(of.purpose).is_current(wrapped, cx.now)
    }
}

impl fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "svc-kms at {}", self.line.settings.socket.display())
    }
}
