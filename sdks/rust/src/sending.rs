//! How requests are sent: by which client, for how long, and how often.

use std::fmt;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Response, Url};

use crate::Error;

/// How requests are sent; `Http::default()` where nothing else is given. What is made with the same client shares its connections.
#[derive(Clone)]
pub struct Http {
    /// Sends the requests; one of this package's own unless given. Build it with `redirect(Policy::none())`: what comes by a redirect
    /// is refused, but by then the request has gone there.
    pub client: Option<reqwest::Client>,
    /// How long a request may take, its answer included: 30 seconds. It takes the place of the client's own limit.
    pub timeout: Duration,
    /// How long fetching the keys of an issuer may take, for which callers wait: 5 seconds.
    pub keys_timeout: Duration,
    /// How often a call of the management API is sent at most, where it may be repeated: 4 times. With 1, none is repeated.
    pub attempts: u32,
    /// The longest `Retry-After` of the management API that is waited for: 30 seconds.
    pub longest_wait: Duration,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            client: None,
            timeout: Duration::from_secs(30),
            keys_timeout: Duration::from_secs(5),
            attempts: 4,
            longest_wait: Duration::from_secs(30),
        }
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The client is left out: it may have headers of its own that are secret.
        f.debug_struct("Http")
            .field("timeout", &self.timeout)
            .field("keys_timeout", &self.keys_timeout)
            .field("attempts", &self.attempts)
            .field("longest_wait", &self.longest_wait)
            .finish_non_exhaustive()
    }
}

impl Http {
    pub(crate) fn sender(&self) -> Result<Sender, Error> {
        let own = || {
            let builder = reqwest::Client::builder().redirect(Policy::none());
            builder.build().map_err(Error::unanswered)
        };
        let client = self.client.clone().map_or_else(own, Ok)?;
        Ok(Sender { client, timeout: self.timeout })
    }
}

/// Sends requests, each for a bounded time and to its own address alone.
pub(crate) struct Sender {
    client: reqwest::Client,
    timeout: Duration,
}

impl Sender {
    pub(crate) fn request(&self, method: Method, address: &str) -> RequestBuilder {
        self.client.request(method, address)
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let malformed = |_| Error::local("the address or a header of the request is malformed");
        let request = request.timeout(self.timeout).build().map_err(malformed)?;
        let asked = request.url().clone();
        let answer = self.client.execute(request).await.map_err(Error::unanswered)?;
        if !is_same(&asked, answer.url()) {
            let elsewhere = "the answer came by a redirect, which the HTTP client must not follow";
            return Err(Error::invalid_answer(elsewhere));
        }
        Ok(answer)
    }
}

fn is_same(asked: &Url, answered: &Url) -> bool {
    asked.origin() == answered.origin() && asked.path() == answered.path()
}
