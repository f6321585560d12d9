//! One error for the whole service: a class of the specification's closed table, a public detail, and a private cause.

use std::fmt;
use std::panic::Location;

use crate::Seconds;

/// A result with the service's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something was refused or failed.
///
/// `Display` prints the public half only; `source` and `at` are for logs.
pub struct Error {
    class: Class,
    detail: String,
    retry_after: Option<u32>,
    flaws: Vec<Flaw>,
    word: Option<&'static str>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
    at: &'static Location<'static>,
}

/// One of the things that are wrong with a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where, as a JSON pointer (RFC 6901).
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
    /// Where in the text there, if it is a text in a language.
    pub place: Option<Place>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The byte, from 0.
    pub offset: u32,
}

macro_rules! classes {
    ($($variant:ident $make:ident $status:literal $code:literal $title:literal;)*) => {
        /// The closed table of error codes, each with its HTTP status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the table below is the documentation")]
        pub enum Class { $($variant),* }

        impl Class {
            /// Every class, for tests that enumerate.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The HTTP status of the problem document.
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status),* }
            }

            /// The `error` member: snake case.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),* }
            }

            /// The `title` member: a short sentence for people.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),* }
            }
        }

        impl Error {$(
            #[doc = concat!("`", $code, "` (", stringify!($status), "): ", $title, ".")]
            #[track_caller]
            pub fn $make(detail: impl Into<String>) -> Self {
                Self::new(Class::$variant, detail)
            }
        )*}
    };
}

classes! {
    BadRequest bad_request 400 "bad_request" "The request is not valid";
    InvalidRequest invalid_request 400 "invalid_request" "The request is not valid";
    InvalidGrant invalid_grant 400 "invalid_grant" "The grant is not valid";
    InvalidScope invalid_scope 400 "invalid_scope" "The scope is not allowed";
    InvalidTarget invalid_target 400 "invalid_target" "The resource is not allowed";
    InvalidAuthorizationDetails invalid_authorization_details 400 "invalid_authorization_details" "The authorization details are not valid";
    InvalidClient invalid_client 401 "invalid_client" "Client authentication failed";
    UnauthorizedClient unauthorized_client 400 "unauthorized_client" "The application may not do this";
    UnsupportedGrantType unsupported_grant_type 400 "unsupported_grant_type" "The grant type is not supported";
    UnsupportedResponseType unsupported_response_type 400 "unsupported_response_type" "The response type is not supported";
    AccessDenied access_denied 400 "access_denied" "Access was denied";
    LoginRequired login_required 400 "login_required" "The person has to sign in";
    ConsentRequired consent_required 400 "consent_required" "The person has to consent";
    InteractionRequired interaction_required 400 "interaction_required" "The person has to take a step";
    AccountSelectionRequired account_selection_required 400 "account_selection_required" "The person has to choose an account";
    UnmetAuthenticationRequirements unmet_authentication_requirements 400 "unmet_authentication_requirements" "The requested authentication was not reached";
    RequestNotSupported request_not_supported 400 "request_not_supported" "Request objects are not supported";
    RequestUriNotSupported request_uri_not_supported 400 "request_uri_not_supported" "This request_uri is not supported";
    InvalidRequestObject invalid_request_object 400 "invalid_request_object" "The request object is not valid";
    InvalidRequestUri invalid_request_uri 400 "invalid_request_uri" "The request_uri is not valid";
    RegistrationNotSupported registration_not_supported 400 "registration_not_supported" "Registration is not supported";
    AuthorizationPending authorization_pending 400 "authorization_pending" "The person has not decided yet";
    SlowDown slow_down 400 "slow_down" "Poll less often";
    ExpiredToken expired_token 400 "expired_token" "The request has expired";
    InvalidDpopProof invalid_dpop_proof 400 "invalid_dpop_proof" "The DPoP proof is not valid";
    UseDpopNonce use_dpop_nonce 400 "use_dpop_nonce" "The DPoP proof lacks a current nonce";
    UnprovenKey unproven_key 401 "invalid_dpop_proof" "The DPoP proof is not valid";
    StaleDpopNonce stale_dpop_nonce 401 "use_dpop_nonce" "The DPoP proof lacks a current nonce";
    InvalidBindingMessage invalid_binding_message 400 "invalid_binding_message" "The binding message is not valid";
    InvalidRedirectUri invalid_redirect_uri 400 "invalid_redirect_uri" "The redirect URI is not valid";
    InvalidClientMetadata invalid_client_metadata 400 "invalid_client_metadata" "The application's metadata is not valid";
    Unauthorized unauthorized 401 "unauthorized" "Authentication is required";
    InvalidToken invalid_token 401 "invalid_token" "The token is not valid";
    Forbidden forbidden 403 "forbidden" "This is not allowed";
    InsufficientScope insufficient_scope 403 "insufficient_scope" "The token lacks a scope";
    NotFound not_found 404 "not_found" "There is no such thing here";
    MethodNotAllowed method_not_allowed 405 "method_not_allowed" "This method is not allowed here";
    Conflict conflict 409 "conflict" "The request conflicts with the present state";
    PreconditionFailed precondition_failed 412 "precondition_failed" "The record has changed";
    PayloadTooLarge payload_too_large 413 "payload_too_large" "The request is too large";
    UnsupportedMediaType unsupported_media_type 415 "unsupported_media_type" "The content type is not supported";
    MisdirectedRequest misdirected_request 421 "misdirected_request" "This host is not served here";
    RateLimited rate_limited 429 "rate_limited" "Too many requests";
    HeadersTooLarge headers_too_large 431 "headers_too_large" "The request headers are too large";
    ServerError server_error 500 "server_error" "Something went wrong on our side";
    NotImplemented not_implemented 501 "not_implemented" "The service does not offer this";
    TemporarilyUnavailable temporarily_unavailable 503 "temporarily_unavailable" "The service is temporarily unavailable";
}

impl Error {
    /// An error of `class`; `detail` is public and says what to do next.
    #[track_caller]
    pub fn new(class: Class, detail: impl Into<String>) -> Self {
        Self {
            class,
            detail: detail.into(),
            retry_after: None,
            flaws: Vec::new(),
            word: None,
            source: None,
            at: Location::caller(),
        }
    }

    /// `not_found`: no record has the given id, or the caller may not know of it. Both give the same answer.
    #[track_caller]
    pub fn unknown_id() -> Self {
        Self::not_found("no record has this id")
    }

    /// A request body with these flaws, all named in the detail.
    #[track_caller]
    pub fn flawed(flaws: Vec<Flaw>) -> Self {
        let details: Vec<_> = flaws.iter().map(|flaw| flaw.detail.as_str()).collect();
        let detail = details.join("; ");
        Self { flaws, ..Self::new(Class::BadRequest, detail) }
    }

    /// Makes all checks of an input, also after one has failed. The error has the class of the first fault and names every one.
    pub fn every(checks: impl IntoIterator<Item = Result<()>>) -> Result<()> {
        let faults: Vec<_> = checks.into_iter().filter_map(Result::err).collect();
        let flaws: Vec<_> = faults.iter().flat_map(Self::as_flaws).collect();
        let Some(first) = faults.into_iter().next() else { return Ok(()) };
        let details: Vec<_> = flaws.iter().map(|flaw| flaw.detail.as_str()).collect();
        Err(Self { detail: details.join("; "), flaws, ..first })
    }

    /// The faults one by one. The JSON pointer of a fault is made of the member that its detail begins with, as in `redirect_uris[0]: …`.
    fn as_flaws(&self) -> Vec<Flaw> {
        if !self.flaws.is_empty() {
            return self.flaws.clone();
        }
        let member = self.detail.split_once(": ").map(|(member, _)| member);
        let member = member.filter(|member| !member.contains(' ')).unwrap_or_default();
        let path = member.replace(['.', '['], "/").replace(']', "");
        let pointer = if path.is_empty() { path } else { format!("/{path}") };
        vec![Flaw { pointer, detail: self.detail.clone(), place: None }]
    }

    /// An unexpected failure: the cause is logged, the public detail says nothing of it.
    #[track_caller]
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::new(Class::ServerError, "an unexpected error; quote the request id")
        }
    }

    /// A dependency is out of reach; trying again later may help.
    #[track_caller]
    pub fn unavailable(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            source: Some(source.into()),
            retry_after: Some(1),
            ..Self::new(Class::TemporarilyUnavailable, "a dependency is out of reach; try again later")
        }
    }

    /// Adds the private cause.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Tells the caller when to try again, in seconds (`Retry-After`).
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The same with a span of time; less than one second becomes one.
    #[must_use]
    pub fn retry_in(self, wait: Seconds) -> Self {
        self.retry_after(u32::try_from(wait.0.max(1)).unwrap_or(u32::MAX))
    }

    /// Adds the name that a protocol has for the error, for example `invalidFilter` of SCIM (RFC 7644 §3.12).
    #[must_use]
    pub fn called(mut self, word: &'static str) -> Self {
        self.word = Some(word);
        self
    }

    /// The name that a protocol has for the error, if it has one.
    pub fn word(&self) -> Option<&'static str> {
        self.word
    }

    /// The class: status, code and title.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The public explanation.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// What is wrong with the request body, piece by piece.
    pub fn flaws(&self) -> &[Flaw] {
        &self.flaws
    }

    /// Seconds for `Retry-After`, if a later attempt may succeed.
    pub fn wait(&self) -> Option<u32> {
        self.retry_after
    }

    /// Where the error was made, for logs.
    pub fn at(&self) -> &'static Location<'static> {
        self.at
    }

    /// Replaces the detail of a `conflict` by one that names what is taken. Any other error stays as it is.
    #[must_use]
    pub fn if_taken(mut self, detail: &str) -> Self {
        if self.class == Class::Conflict {
            detail.clone_into(&mut self.detail);
        }
        self
    }

    /// The same error with another class, for endpoints whose protocol has its own error codes.
    #[must_use]
    pub fn reclass(mut self, class: Class) -> Self {
        self.class = class;
        self
    }
}

/// Turns an error of a library into a `server_error`, located at the caller. A constructor that is given to `map_err` by name is located in
/// the standard library.
pub trait OrInternal<T> {
    /// The value, or [`Error::internal`] with the location of the caller.
    #[track_caller]
    fn or_internal(self) -> Result<T>;
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> OrInternal<T> for Result<T, E> {
    #[track_caller]
    fn or_internal(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(Error::internal(error)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.code(), self.detail)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} at {}", self.at)?;
        self.source.as_ref().map_or(Ok(()), |source| write!(f, " ({source:?})"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_the_specification_has_its_status_and_code() {
        let table = [
            (400, "bad_request"),
            (400, "invalid_grant"),
            (400, "invalid_scope"),
            (401, "unauthorized"),
            (401, "invalid_client"),
            (403, "forbidden"),
            (403, "insufficient_scope"),
            (404, "not_found"),
            (409, "conflict"),
            (429, "rate_limited"),
            (500, "server_error"),
            (400, "unauthorized_client"),
            (400, "unsupported_grant_type"),
            (400, "authorization_pending"),
            (400, "slow_down"),
            (400, "access_denied"),
            (400, "expired_token"),
        ];
        for (status, code) in table {
            assert!(
                Class::ALL.iter().any(|class| (class.status(), class.code()) == (status, code)),
                "{code}"
            );
        }
    }

    #[test]
    fn display_keeps_the_cause_private() {
        let error = Error::internal("password=hunter2");
        assert!(!error.to_string().contains("hunter2"));
    }

    #[test]
    fn all_checks_are_made_and_each_fault_is_named_at_its_member() {
        let one = || Err(Error::invalid_redirect_uri("redirect_uris[1]: use https"));
        let other = || Err(Error::bad_request("the profile needs keys"));
        assert!(Error::every([Ok(()), Ok(())]).is_ok());
        let single = Error::every([Ok(()), one()]).unwrap_err();
        assert_eq!((single.detail(), single.flaws().len()), ("redirect_uris[1]: use https", 1));
        let nested = Error::every([Error::every([one(), other()]), Ok(()), other()]).unwrap_err();
        assert_eq!(nested.class(), Class::InvalidRedirectUri);
        let details = "redirect_uris[1]: use https; the profile needs keys; the profile needs keys";
        assert_eq!(nested.detail(), details);
        let pointers: Vec<_> = nested.flaws().iter().map(|flaw| flaw.pointer.as_str()).collect();
        assert_eq!(pointers, ["/redirect_uris/1", "", ""]);
    }

    #[test]
    fn an_error_of_a_library_is_located_where_the_call_stands() {
        let failed: std::result::Result<(), _> = Err("out of order");
        assert_eq!(failed.or_internal().unwrap_err().at().file(), file!());
    }
}
