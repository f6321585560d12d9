//! Requests to storage that speaks the protocol of Amazon S3, signed by AWS Signature Version 4.

use std::time::Duration;

use rusty_s3::{Bucket, Credentials, S3Action as _, UrlStyle};
use svc_core::{Error, OrInternal as _, Result, Secret, Timestamp};
use url::Url;

use crate::sha256;

/// How long a signature counts: longer than a request takes.
const LIFETIME: Duration = Duration::from_mins(5);

/// Where an object goes.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The address of the storage.
    pub endpoint: &'a str,
    /// The region that is signed.
    pub region: &'a str,
    /// The bucket.
    pub bucket: &'a str,
    /// Whether the bucket stands in the path.
    pub path_style: bool,
    /// The name of the object.
    pub object: &'a str,
}

/// Who signs.
#[derive(Clone, Copy, Debug)]
pub struct Signer<'a> {
    /// The public half of the key.
    pub access_key_id: &'a str,
    /// The other half.
    pub secret: &'a Secret,
}

/// A request as it is to be sent.
#[derive(Debug)]
pub struct SignedPut {
    /// The address, with the signature.
    pub url: String,
    /// The headers, which are signed.
    pub headers: Vec<(&'static str, String)>,
}

impl Place<'_> {
    /// The address of the object; an error where there is none.
    pub fn url(&self) -> Result<Url> {
        Ok(self.bucket()?.object_url(self.object))
    }

    /// The request that stores `body`, where there is no such object if `is_new`.
    pub fn put(
        &self,
        signer: Signer<'_>,
        body: &[u8],
        (now, is_new): (Timestamp, bool),
    ) -> Result<SignedPut> {
        let bucket = self.bucket()?;
        let credentials = Credentials::new(signer.access_key_id, signer.secret.expose());
        let checksum = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, sha256(body));
        let mut headers = vec![("x-amz-checksum-sha256", checksum)];
        if is_new {
            headers.push(("if-none-match", "*".to_owned()));
        }
        let mut request = bucket.put_object(Some(&credentials), self.object);
        for (name, value) in &headers {
            request.headers_mut().insert(*name, value.as_str());
        }
        let time = jiff::Timestamp::from_microsecond(now.as_micros()).or_internal()?;
        let url = request.sign_with_time(LIFETIME, &time).into();
        Ok(SignedPut { url, headers })
    }

    fn bucket(&self) -> Result<Bucket> {
        let style = if self.path_style { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let endpoint = Url::parse(self.endpoint).ok().filter(|url| url.query().is_none());
        let bucket = endpoint.and_then(|endpoint| {
            Bucket::new(endpoint, style, self.bucket.to_owned(), self.region.to_owned()).ok()
        });
        bucket.ok_or_else(|| Error::bad_request("the endpoint is no https address of storage"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place<'_> = Place {
        endpoint: "https://s3.eu-central-1.amazonaws.com",
        region: "eu-central-1",
        bucket: "audit",
        path_style: false,
        object: "a/b c.jsonl",
    };

    #[test]
    fn the_bucket_stands_before_the_host_or_in_the_path() {
        assert_eq!(
            PLACE.url().unwrap().as_str(),
            "https://audit.s3.eu-central-1.amazonaws.com/a/b%20c.jsonl"
        );
        let path = Place { path_style: true, ..PLACE };
        assert_eq!(path.url().unwrap().as_str(), "https://s3.eu-central-1.amazonaws.com/audit/a/b%20c.jsonl");
        for endpoint in ["", "ftp://storage.example", "storage.example", "https://storage.example/?x=1"] {
            assert!(Place { endpoint, ..PLACE }.url().is_err(), "{endpoint}");
        }
    }

    /// The signature is computed again, step by step after the specification, from what is sent.
    #[test]
    fn what_is_sent_is_signed_with_its_condition_and_its_checksum() {
        let secret = Secret::new("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned());
        let signer = Signer { access_key_id: "AKIAIOSFODNN7EXAMPLE", secret: &secret };
        let put = PLACE.put(signer, b"entries", (Timestamp::from_secs(1_800_000_000), true)).unwrap();
        let url = Url::parse(&put.url).unwrap();
        let (query, signature) = url.query().unwrap().rsplit_once("&X-Amz-Signature=").unwrap();
        let canonical = format!(
            "PUT\n{}\n{query}\nhost:{}\nif-none-match:*\nx-amz-checksum-sha256:{}\n\n\
             host;if-none-match;x-amz-checksum-sha256\nUNSIGNED-PAYLOAD",
            url.path(),
            url.host_str().unwrap(),
            put.headers[0].1
        );
        let scope = "20270115/eu-central-1/s3/aws4_request";
        let digest = crate::hex(sha256(canonical.as_bytes()));
        let text = format!("AWS4-HMAC-SHA256\n20270115T080000Z\n{scope}\n{digest}");
        let first = format!("AWS4{}", secret.expose()).into_bytes();
        let key =
            scope.split('/').fold(first, |key, part| crate::hmac_sha256(&key, part.as_bytes()).to_vec());
        assert_eq!(signature, crate::hex(crate::hmac_sha256(&key, text.as_bytes())));
        assert_eq!(put.headers[1], ("if-none-match", "*".to_owned()));
    }
}
