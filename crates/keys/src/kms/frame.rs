//! A message on the wire: its length in four bytes, then that many bytes, of which there is a bound.

use std::io::{Error, ErrorKind, Result};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use zeroize::Zeroizing;

/// The longest message: a keyring of many versions has room in it, a mistake has none.
pub const LONGEST: usize = 256 * 1024;

/// A message as it is sent.
pub struct Frame(Zeroizing<Vec<u8>>);

impl Frame {
    /// The message with its length.
    pub fn new(message: &impl Serialize) -> Result<Self> {
        let mut bytes = Zeroizing::new(vec![0; 4]);
        serde_json::to_writer(&mut *bytes, message)?;
        let length = u32::try_from(bytes.len() - 4).ok().filter(|length| *length as usize <= LONGEST);
        let length = length.ok_or_else(too_long)?;
        bytes.splice(..4, length.to_be_bytes());
        Ok(Self(bytes))
    }
}

/// Sends a message.
pub async fn write(to: &mut (impl AsyncWrite + Unpin), frame: &Frame) -> Result<()> {
    to.write_all(&frame.0).await?;
    to.flush().await
}

/// Receives a message; nothing where the other side has ended between two messages.
pub async fn read<T: DeserializeOwned>(from: &mut (impl AsyncRead + Unpin)) -> Result<Option<T>> {
    let length = match from.read_u32().await {
        Ok(length) => usize::try_from(length).unwrap_or(usize::MAX),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    if length > LONGEST {
        return Err(too_long());
    }
    let mut bytes = Zeroizing::new(vec![0; length]);
    from.read_exact(&mut bytes).await?;
    Ok(Some(serde_json::from_slice(&bytes)?))
}

fn too_long() -> Error {
    Error::new(ErrorKind::InvalidData, format!("a message is longer than {LONGEST} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn messages_arrive_one_after_the_other_until_the_end() {
        let mut wire = Vec::new();
        for word in ["one", "two"] {
            write(&mut wire, &Frame::new(&word).unwrap()).await.unwrap();
        }
        assert_eq!(wire[..9], *b"\0\0\0\x05\"one\"");
        let mut from = &wire[..];
        assert_eq!(read::<String>(&mut from).await.unwrap().unwrap(), "one");
        assert_eq!(read::<String>(&mut from).await.unwrap().unwrap(), "two");
        assert_eq!(read::<String>(&mut from).await.unwrap(), None);
    }

    #[tokio::test]
    async fn what_is_too_long_cut_or_no_message_is_refused() {
        let mut long = &b"\x00\x04\x00\x01"[..];
        assert!(read::<String>(&mut long).await.unwrap_err().to_string().contains("longer than"));
        let mut cut = &b"\0\0\0\x05\"on"[..];
        assert!(read::<String>(&mut cut).await.is_err());
        let mut other = &b"\0\0\0\x02{}"[..];
        assert!(read::<String>(&mut other).await.is_err());
        assert!(Frame::new(&"x".repeat(LONGEST)).is_err());
    }
}
