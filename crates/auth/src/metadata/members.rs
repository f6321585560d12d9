//! What the published documents about the tenant's authorization server consist of (OpenID Connect Discovery §3, RFC 8414
//! §2, RFC 7517 §5), for the OpenAPI document; the tests hold every published document to it.

use std::borrow::Cow;

use svc_core::capability::Capability;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use self::Kind::{Address, Addresses, Flag, Texts};

/// The metadata of the authorization server.
pub(super) struct ServerMetadata;

/// The key set.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes to the OpenAPI document what the key ring writes")]
pub(super) struct JsonWebKeySet {
    /// The public keys, the ones to come among them.
    keys: Vec<JsonWebKey>,
}

/// A public key (RFC 7517 §4).
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes to the OpenAPI document what the key ring writes")]
pub(super) struct JsonWebKey {
    /// Its family: `EC`, `RSA` or `OKP`.
    #[schema(example = "EC")]
    kty: String,
    /// The name by which tokens refer to it.
    kid: String,
    /// The algorithm that it signs with.
    #[schema(example = "ES256")]
    alg: String,
    /// `sig`: it signs.
    #[schema(example = "sig")]
    r#use: String,
    /// The curve.
    #[schema(nullable = false)]
    crv: Option<String>,
    /// A coordinate of the point.
    #[schema(nullable = false)]
    x: Option<String>,
    /// The other coordinate.
    #[schema(nullable = false)]
    y: Option<String>,
    /// The modulus.
    #[schema(nullable = false)]
    n: Option<String>,
    /// The exponent.
    #[schema(nullable = false)]
    e: Option<String>,
}

#[derive(Clone, Copy)]
enum Kind {
    Address,
    /// Addresses by the member whose other address they are.
    Addresses,
    Texts,
    Flag,
}

/// The members of the metadata.
#[rustfmt::skip]
const MEMBERS: &[(&str, Kind, &str)] = &[
    ("issuer", Address, "The tenant's issuer."),
    ("authorization_endpoint", Address, "Where browsers are sent to sign in."),
    ("token_endpoint", Address, "Where grants are exchanged for tokens."),
    ("jwks_uri", Address, "The keys that verify our tokens."),
    ("userinfo_endpoint", Address, "Claims about the signed-in person."),
    ("revocation_endpoint", Address, "Where tokens are given back (RFC 7009)."),
    ("introspection_endpoint", Address, "Where tokens are looked into (RFC 7662)."),
    ("end_session_endpoint", Address, "Where browsers are sent to sign out."),
    ("registration_endpoint", Address, "Where applications register themselves (RFC 7591)."),
    ("pushed_authorization_request_endpoint", Address, "Where requests are pushed (RFC 9126)."),
    ("device_authorization_endpoint", Address, "Where devices begin (RFC 8628)."),
    ("backchannel_authentication_endpoint", Address, "Where backchannel authentication begins (OpenID CIBA)."),
    ("backchannel_logout_supported", Flag, "Whether applications are notified of sign-outs."),
    ("backchannel_logout_session_supported", Flag, "Whether logout tokens name the session."),
    ("backchannel_token_delivery_modes_supported", Texts, "How tokens of backchannel authentication are delivered."),
    ("backchannel_user_code_parameter_supported", Flag, "Whether a user code may be sent."),
    ("backchannel_authentication_request_signing_alg_values_supported", Texts, "The algorithms of signed backchannel requests."),
    ("response_types_supported", Texts, "What an authorization response carries."),
    ("response_modes_supported", Texts, "How it travels."),
    ("grant_types_supported", Texts, "The grants of the token endpoint."),
    ("subject_types_supported", Texts, "How subjects are made."),
    ("id_token_signing_alg_values_supported", Texts, "The algorithms of ID tokens."),
    ("userinfo_signing_alg_values_supported", Texts, "The algorithms of signed UserInfo answers."),
    ("authorization_signing_alg_values_supported", Texts, "The algorithms of signed authorization responses (JARM)."),
    ("introspection_signing_alg_values_supported", Texts, "The algorithms of signed introspection (RFC 9701)."),
    ("require_pushed_authorization_requests", Flag, "Whether every request has to be pushed."),
    ("request_object_signing_alg_values_supported", Texts, "The algorithms of signed requests (RFC 9101)."),
    ("require_signed_request_object", Flag, "Whether every request has to be signed."),
    ("token_endpoint_auth_methods_supported", Texts, "How applications authenticate."),
    ("token_endpoint_auth_signing_alg_values_supported", Texts, "The algorithms of client assertions."),
    ("revocation_endpoint_auth_signing_alg_values_supported", Texts, "The same at the revocation endpoint."),
    ("introspection_endpoint_auth_signing_alg_values_supported", Texts, "The same at the introspection endpoint."),
    ("revocation_endpoint_auth_methods_supported", Texts, "How applications authenticate at the revocation endpoint."),
    ("introspection_endpoint_auth_methods_supported", Texts, "How applications authenticate at the introspection endpoint."),
    ("code_challenge_methods_supported", Texts, "How a code challenge is made (RFC 7636)."),
    ("dpop_signing_alg_values_supported", Texts, "The algorithms of DPoP proofs (RFC 9449)."),
    ("tls_client_certificate_bound_access_tokens", Flag, "Whether tokens can be bound to client certificates (RFC 8705)."),
    ("mtls_endpoint_aliases", Addresses, "The endpoints where clients are asked for certificates (RFC 8705 §5)."),
    ("scopes_supported", Texts, "The standard scopes."),
    ("claims_supported", Texts, "The claims that there are."),
    ("claim_types_supported", Texts, "Their types."),
    ("prompt_values_supported", Texts, "The values of `prompt`."),
    ("acr_values_supported", Texts, "The strengths of sign-in."),
    ("ui_locales_supported", Texts, "The languages of the pages."),
    ("authorization_response_iss_parameter_supported", Flag, "Whether answers name the issuer (RFC 9207)."),
    ("claims_parameter_supported", Flag, "Whether claims can be asked for by name."),
    ("request_parameter_supported", Flag, "Whether requests may be signed."),
    ("request_uri_parameter_supported", Flag, "Whether a request may be fetched from an address of the application."),
    ("client_id_metadata_document_supported", Flag, "Whether an application may be known by the address of its document."),
    ("authorization_details_types_supported", Texts, "The types of authorization details (RFC 9396)."),
    ("authorization_grant_profiles_supported", Texts, "The profiles of assertions as grants."),
    ("identity_chaining_requested_token_types_supported", Texts, "What a token may be exchanged for, to be used elsewhere."),
];

impl PartialSchema for ServerMetadata {
    fn schema() -> RefOr<Schema> {
        let whole = ObjectBuilder::new().description(Some("What the tenant's authorization server offers."));
        let whole = MEMBERS.iter().fold(whole, |whole, (name, kind, description)| {
            let whole = match kind {
                Address => whole.property(*name, text().format(Some(uri())).description(Some(*description))),
                Texts => {
                    whole.property(*name, ArrayBuilder::new().items(text()).description(Some(*description)))
                }
                Addresses => {
                    let addresses = of(Type::Object).additional_properties(Some(text().format(Some(uri()))));
                    whole.property(*name, addresses.description(Some(*description)))
                }
                Flag => whole.property(*name, of(Type::Boolean).description(Some(*description))),
            };
            if is_always_there(name) { whole.required(*name) } else { whole }
        });
        whole.into()
    }
}

impl ToSchema for ServerMetadata {
    fn name() -> Cow<'static, str> {
        "ServerMetadata".into()
    }
}

fn is_always_there(name: &str) -> bool {
    !Capability::ALL.iter().any(|capability| capability.metadata.contains(&name))
}

fn of(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(kind))
}

fn text() -> ObjectBuilder {
    of(Type::String)
}

fn uri() -> SchemaFormat {
    SchemaFormat::Custom("uri".to_owned())
}
