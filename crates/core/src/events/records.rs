//! Events about the records that administrators make, change and delete, and about what people allow.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{
    ApiId, ApiKeyId, AppId, AuditStreamId, ConnectorId, DelegationId, ImpersonationId, ImportId,
    OrganizationId, PolicyId, RegistrationTokenId, ScimSchemaId, ScimTokenId, SignUpFieldId, TenantUserId,
    TermsId, Timestamp, TrustedIssuerId,
};

events! {
    RECORDS:
    /// An application was created or registered.
    "admin.application.created" ApplicationCreated {
        /// The application.
        client_id: AppId,
        /// What people read.
        name: String,
    }
    /// An application changed, or was enabled or disabled.
    "admin.application.updated" ApplicationUpdated {
        /// The application.
        client_id: AppId,
        /// What people read now.
        name: String,
        /// Whether it gets tokens.
        enabled: bool,
    }
    /// An application was deleted; its tokens have ended.
    "admin.application.deleted" ApplicationDeleted {
        /// The application.
        client_id: AppId,
    }
    /// An API was created.
    "admin.api.created" ApiCreated {
        /// The API.
        api_id: ApiId,
        /// The `aud` of its tokens.
        identifier: String,
    }
    /// An API changed, or was enabled or disabled.
    "admin.api.updated" ApiUpdated {
        /// The API.
        api_id: ApiId,
        /// The `aud` of its tokens.
        identifier: String,
        /// Whether tokens are issued for it.
        enabled: bool,
    }
    /// An API was deleted.
    "admin.api.deleted" ApiDeleted {
        /// The API.
        api_id: ApiId,
        /// The `aud` of its tokens.
        identifier: String,
    }
    /// A policy was created.
    "admin.policy.created" PolicyCreated {
        /// The policy.
        policy_id: PolicyId,
        /// What administrators read.
        name: String,
        /// `draft`, `shadow`, `active` or `archived`.
        status: &'static str,
        /// Its version.
        version: i64,
    }
    /// A policy changed, which made a version.
    "admin.policy.updated" PolicyUpdated {
        /// The policy.
        policy_id: PolicyId,
        /// What administrators read.
        name: String,
        /// `draft`, `shadow`, `active` or `archived`.
        status: &'static str,
        /// Its version.
        version: i64,
    }
    /// A policy was deleted with its versions.
    "admin.policy.deleted" PolicyDeleted {
        /// The policy.
        policy_id: PolicyId,
        /// What administrators read.
        name: String,
    }
    /// An API key was created.
    "admin.api_key.created" ApiKeyCreated {
        /// The key.
        api_key_id: ApiKeyId,
        /// What it is for.
        name: String,
        /// The scopes that it grants.
        scope: String,
        /// The membership for which it acts, if it is of a person.
        tenant_user_id: Option<TenantUserId>,
        /// The organization for which it acts, if any.
        organization_id: Option<OrganizationId>,
    }
    /// The name or the scopes of an API key changed.
    "admin.api_key.updated" ApiKeyUpdated {
        /// The key.
        api_key_id: ApiKeyId,
        /// What it is for.
        name: String,
        /// The scopes that it grants now.
        scope: String,
        /// The membership for which it acts, if it is of a person.
        tenant_user_id: Option<TenantUserId>,
        /// The organization for which it acts, if any.
        organization_id: Option<OrganizationId>,
    }
    /// The secret of an API key was replaced.
    "admin.api_key.rotated" ApiKeyRotated {
        /// The key.
        api_key_id: ApiKeyId,
        /// Until when the former secret works; null where it has ended.
        former_expires_at: Option<Timestamp>,
        /// The membership for which it acts, if it is of a person.
        tenant_user_id: Option<TenantUserId>,
        /// The organization for which it acts, if any.
        organization_id: Option<OrganizationId>,
    }
    /// An API key was deleted; the tokens that were got for it have ended.
    "admin.api_key.deleted" ApiKeyDeleted {
        /// The key.
        api_key_id: ApiKeyId,
        /// The membership for which it acted, if it is of a person.
        tenant_user_id: Option<TenantUserId>,
        /// The organization for which it acted, if any.
        organization_id: Option<OrganizationId>,
    }
    /// A token for the directory of an organization was created.
    "admin.scim_token.created" ScimTokenCreated {
        /// The token.
        scim_token_id: ScimTokenId,
        /// The organization whose directory has it.
        organization_id: OrganizationId,
        /// What it is for.
        name: String,
    }
    /// The name of a token of a directory changed.
    "admin.scim_token.updated" ScimTokenUpdated {
        /// The token.
        scim_token_id: ScimTokenId,
        /// The organization whose directory has it.
        organization_id: OrganizationId,
        /// What it is for.
        name: String,
    }
    /// The secret of a token of a directory was replaced.
    "admin.scim_token.rotated" ScimTokenRotated {
        /// The token.
        scim_token_id: ScimTokenId,
        /// The organization whose directory has it.
        organization_id: OrganizationId,
        /// Until when the former secret works; null where it has ended.
        former_expires_at: Option<Timestamp>,
    }
    /// A token of a directory was deleted.
    "admin.scim_token.deleted" ScimTokenDeleted {
        /// The token.
        scim_token_id: ScimTokenId,
        /// The organization whose directory had it.
        organization_id: OrganizationId,
    }
    /// A version of a document that people accept was added.
    "admin.terms.created" TermsCreated {
        /// The version.
        terms_id: TermsId,
        /// Which document.
        key: String,
        /// The name of the version.
        label: String,
    }
    /// A version of a document that people accept changed.
    "admin.terms.updated" TermsUpdated {
        /// The version.
        terms_id: TermsId,
        /// Which document.
        key: String,
        /// The name of the version.
        label: String,
    }
    /// A version of a document that people accept was deleted; what they accepted stays.
    "admin.terms.deleted" TermsDeleted {
        /// The version.
        terms_id: TermsId,
        /// Which document.
        key: String,
        /// The name of the version.
        label: String,
    }
    /// A field that people are asked to fill in was added.
    "admin.sign_up_field.created" SignUpFieldCreated {
        /// The field.
        sign_up_field_id: SignUpFieldId,
        /// The member of the metadata that keeps the answers.
        name: String,
    }
    /// A field that people are asked to fill in was changed.
    "admin.sign_up_field.updated" SignUpFieldUpdated {
        /// The field.
        sign_up_field_id: SignUpFieldId,
        /// The member of the metadata that keeps the answers.
        name: String,
    }
    /// A field that people are asked to fill in was deleted; their answers stay.
    "admin.sign_up_field.deleted" SignUpFieldDeleted {
        /// The field.
        sign_up_field_id: SignUpFieldId,
        /// The member of the metadata that keeps the answers.
        name: String,
    }
    /// A tenant registered itself at a provider, so that its people can sign in there.
    "admin.connector.created" ConnectorCreated {
        /// The connector.
        connector_id: ConnectorId,
        /// What it is called.
        name: String,
    }
    /// A provider of the tenant changed.
    "admin.connector.updated" ConnectorUpdated {
        /// The connector.
        connector_id: ConnectorId,
        /// What it is called.
        name: String,
        /// Whether people can sign in with it.
        enabled: bool,
    }
    /// A provider of the tenant was deleted; people can no longer sign in with the accounts that they connected through it.
    "admin.connector.deleted" ConnectorDeleted {
        /// The connector.
        connector_id: ConnectorId,
        /// What it is called.
        name: String,
    }
    /// A schema for provisioned people was declared.
    "admin.scim_schema.created" ScimSchemaCreated {
        /// The schema.
        scim_schema_id: ScimSchemaId,
        /// The URN that SCIM documents use.
        urn: String,
    }
    /// A schema for provisioned people changed.
    "admin.scim_schema.updated" ScimSchemaUpdated {
        /// The schema.
        scim_schema_id: ScimSchemaId,
        /// The URN that SCIM documents use.
        urn: String,
    }
    /// A schema for provisioned people was withdrawn.
    "admin.scim_schema.deleted" ScimSchemaDeleted {
        /// The schema.
        scim_schema_id: ScimSchemaId,
        /// The URN that SCIM documents use.
        urn: String,
    }
    /// An issuer is trusted: its assertions are accepted.
    "admin.trusted_issuer.created" TrustedIssuerCreated {
        /// The record.
        trusted_issuer_id: TrustedIssuerId,
        /// The `iss` of its assertions.
        issuer: String,
        /// The organization that it belongs to, if any.
        organization_id: Option<OrganizationId>,
    }
    /// A trusted issuer was changed.
    "admin.trusted_issuer.updated" TrustedIssuerUpdated {
        /// The record.
        trusted_issuer_id: TrustedIssuerId,
        /// The `iss` of its assertions.
        issuer: String,
        /// The organization that it belongs to, if any.
        organization_id: Option<OrganizationId>,
        /// Whether its assertions are accepted.
        enabled: bool,
    }
    /// An issuer is no longer trusted; what was granted on its assertions has ended.
    "admin.trusted_issuer.deleted" TrustedIssuerDeleted {
        /// The record.
        trusted_issuer_id: TrustedIssuerId,
        /// The `iss` of its assertions.
        issuer: String,
        /// The organization that it belongs to, if any.
        organization_id: Option<OrganizationId>,
    }
    /// An initial access token was created, with which applications register.
    "admin.registration_token.created" RegistrationTokenCreated {
        /// The token.
        registration_token_id: RegistrationTokenId,
        /// How many applications it registers.
        quota: i64,
    }
    /// An initial access token was revoked.
    "admin.registration_token.deleted" RegistrationTokenDeleted {
        /// The token.
        registration_token_id: RegistrationTokenId,
    }
    /// A stream of the audit log was created.
    "admin.audit_stream.created" AuditStreamCreated {
        /// The stream.
        audit_stream_id: AuditStreamId,
        /// What administrators read.
        name: String,
    }
    /// A stream of the audit log changed.
    "admin.audit_stream.updated" AuditStreamUpdated {
        /// The stream.
        audit_stream_id: AuditStreamId,
        /// What administrators read.
        name: String,
        /// Whether it sends.
        active: bool,
    }
    /// A stream of the audit log was deleted.
    "admin.audit_stream.deleted" AuditStreamDeleted {
        /// The stream.
        audit_stream_id: AuditStreamId,
    }
    /// An application may act for a person at an API, by a token exchange or an assertion of a trusted issuer.
    "admin.delegation.created" DelegationCreated {
        /// The delegation.
        delegation_id: DelegationId,
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The application that acts.
        client_id: AppId,
        /// The API.
        aud: String,
        /// What it may do there.
        scope: String,
    }
    /// A person gave an application consent.
    "consent.granted" ConsentGranted {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The application.
        client_id: AppId,
        /// The API; empty for claims about the person.
        aud: String,
        /// The scopes that were allowed.
        scope: String,
    }
    /// A person's consent to an application was revoked; its tokens for that person have ended.
    "consent.revoked" ConsentRevoked {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The application.
        client_id: AppId,
    }
    /// Support staff began to act for a person.
    "security.impersonation.started" ImpersonationStarted {
        /// The record.
        impersonation_id: ImpersonationId,
        /// The membership of the person for whom the staff member acts.
        tenant_user_id: TenantUserId,
        /// The membership of the staff member.
        staff_id: TenantUserId,
    }
    /// Support staff stopped acting for a person.
    "security.impersonation.ended" ImpersonationEnded {
        /// The record.
        impersonation_id: ImpersonationId,
        /// The membership of the person for whom the staff member acts.
        tenant_user_id: TenantUserId,
        /// The membership of the staff member.
        staff_id: TenantUserId,
    }
    /// An import of people from another system began.
    "admin.import.begun" ImportBegun {
        /// The import.
        import_id: ImportId,
        /// The system that the people come from.
        source: String,
    }
}
