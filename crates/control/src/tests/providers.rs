//! Members of providers, which give nothing one by one: the whole document is refused to who may not give every privilege.

/// Those of the provider of an organization.
pub(super) const SSO_CONNECTION: (&str, &[&str]) = (
    "SsoConnection",
    &[
        "claims",
        "client_auth",
        "client_id",
        "client_secret",
        "display_name",
        "enabled",
        "enforced",
        "group_roles",
        "issuer",
        "jit",
        "kind",
        "scopes",
        "second_factor_acr_values",
        "trusted_assurance",
    ],
);

/// Those of a tenant's own provider.
pub(super) const CONNECTOR: (&str, &[&str]) = (
    "Connector",
    &[
        "authorization_endpoint",
        "base_url",
        "client_auth",
        "client_id",
        "client_secret",
        "display_name",
        "email_claim",
        "enabled",
        "issuer",
        "key_id",
        "name",
        "name_claim",
        "pkce",
        "preset",
        "scopes",
        "subject_claim",
        "team_id",
        "token_endpoint",
        "userinfo_endpoint",
    ],
);
