//! The socket: mode 0600 in a directory of mode 0700, so that no other user can open it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};

use crate::failure::Failure;
use crate::sealed_file::private_folder;

/// Listens; what a process that was killed has left behind is replaced.
pub async fn listen(path: &Path) -> Result<UnixListener, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("the socket {} cannot be used: {error}", path.display()))
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    private_folder(folder.unwrap_or_else(|| Path::new(".")))?;
    if UnixStream::connect(path).await.is_ok() {
        return Err(Failure::new(format!("another svc-kms listens at {}", path.display())));
    }
    if fs::symlink_metadata(path).is_ok_and(|left| left.file_type().is_socket()) {
        fs::remove_file(path).map_err(failed)?;
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(listener)
}

/// Whether the process on the other side runs as this user, or as root, which could take what it wants anyway.
pub fn is_ours(stream: &UnixStream) -> bool {
    stream.peer_cred().is_ok_and(|peer| may_connect(peer.uid(), geteuid().as_raw()))
}

fn may_connect(peer: u32, own: u32) -> bool {
    peer == own || peer == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_user_and_root_may_connect() {
        assert!(may_connect(1000, 1000) && may_connect(0, 1000));
        assert!(!may_connect(1001, 1000) && !may_connect(1001, 0));
    }

    #[tokio::test]
    async fn the_socket_is_for_its_user_alone_and_a_dead_one_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("kms");
        let path = place.join("kms.sock");
        let first = listen(&path).await.unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&path)), (0o700, 0o600));
        let refused = listen(&path).await.unwrap_err().to_string();
        assert!(refused.starts_with("another svc-kms listens at"), "{refused}");
        drop(first);
        let second = listen(&path).await.unwrap();
        let (connected, accepted) = tokio::join!(UnixStream::connect(&path), second.accept());
        connected.unwrap();
        assert!(is_ours(&accepted.unwrap().0));
        fs::set_permissions(&place, Permissions::from_mode(0o755)).unwrap();
        let refused = listen(&path).await.unwrap_err().to_string();
        assert!(refused.ends_with("other users may enter it (mode 755); run `chmod 700` on it"), "{refused}");
    }
}
