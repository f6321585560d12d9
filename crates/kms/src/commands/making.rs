//! `init` and `adopt`: a new sealed file, around a new root or the keyring of a deployment.

use std::path::Path;

use svc_core::{Clock as _, SystemClock};
use svc_keys::keyring::file;
use svc_keys::{SystemEntropy, Versions, owner_only};

use crate::cli::{Place, socket_of};
use crate::content::Content;
use crate::failure::{Failure, say};
use crate::opening::absolute;
use crate::sealed_file::SealedFile;

/// What a client needs to know the process.
pub const SERVER_PUBLIC_KEY: &str = "server.pub";
/// What the process knows its client by.
pub const CLIENT_PRIVATE_KEY: &str = "client.key";

/// Makes a new file around a new root.
pub fn init(place: &Place) -> Result<(), Failure> {
    begin(place, &Versions::first(&SystemEntropy, SystemClock.now()), "")
}

/// Makes a new file around the keyring of a deployment.
pub fn adopt(place: &Place, keyring: &Path) -> Result<(), Failure> {
    let root = file::read(keyring)?;
    let root = root.ok_or_else(|| Failure::new(format!("there is no keyring at {}", keyring.display())))?;
    let then = format!(
        "\n\nIt opens what the keyring has sealed. Restart the processes of svc-runtime one by one with [kms] in place of \
         keyring.path;\nwhen all run with it, remove {} from the machines, and keep a copy with the backups from before.",
        keyring.display()
    );
    begin(place, &root, &then)
}

fn begin(place: &Place, root: &Versions, then: &str) -> Result<(), Failure> {
    let file = SealedFile::of(&place.dir);
    file.make_folder()?;
    file.is_to_be_made()?;
    let (opener, was_made) = place.opening.new_opener()?;
    let content = Content::new(root)?;
    file.create(&content, &opener)?;
    put_keys(&place.dir, &content)?;
    let made =
        if was_made { " A passphrase was made too: keep a copy of it apart from the file." } else { "" };
    let dir = absolute(&place.dir);
    let (socket, dir) = (socket_of(&dir), dir.display());
    say(&format!(
        "Made {}.{made}\nGive each machine of the deployment a copy of {dir}, and keep one with the backups.\n\n\
         Start it before svc-runtime:\n  svc-kms serve --dir {dir}{}\n\nIn svc.toml:\n  [kms]\n  socket_path = \"{}\"\n  \
         server_public_key_path = \"{dir}/{SERVER_PUBLIC_KEY}\"\n  client_private_key_path = \"{dir}/{CLIENT_PRIVATE_KEY}\"{then}",
        file.path().display(),
        place.opening.arguments(),
        socket.display(),
    ));
    Ok(())
}

/// Writes the keys by which both sides know each other.
pub fn put_keys(dir: &Path, content: &Content) -> Result<(), Failure> {
    put(&dir.join(CLIENT_PRIVATE_KEY), &content.client()?.to_pem())?;
    put(&dir.join(SERVER_PUBLIC_KEY), &content.server()?.public().to_pem())
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    owner_only::replace(path, text)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
}
