//! The actions of the audit log: every entry has one of these, and `docs/reference/events.md` lists them.

use super::declaration::actions;

actions! {
    /// A call of the management API was refused because it lacked a scope, which is the target; that is `privileges:grant` where it would
    /// have given what the caller does not hold, and the details say what.
    AccessRefused = "access.refused",
    /// An account was created for a person.
    AccountCreated = "account.created",
    /// A credential was added to an account; the target is the membership, the details have its kind.
    CredentialAdded = "account.credential_added",
    /// A credential got another name; the target is the membership.
    CredentialRenamed = "account.credential_renamed",
    /// A passkey was used whose counter went back, as a copy of it would; the target is the membership, if there is one.
    CredentialSuspected = "credential.suspected",
    /// A credential was removed from an account; the target is the membership, the details have its kind.
    CredentialRemoved = "account.credential_removed",
    /// An operator disabled the account of a member; the target is the membership.
    AccountDisabled = "account.disabled",
    /// An operator enabled the account of a member again; the target is the membership.
    AccountEnabled = "account.enabled",
    /// A person asked for their account to be deleted; the target is the membership.
    AccountDeletionBegun = "account.deletion_begun",
    /// A person cancelled the deletion of their account; the target is the membership.
    AccountKept = "account.kept",
    /// A person went on as a guest; the target is the membership, the details have the application.
    GuestCreated = "account.guest_created",
    /// A guest became a person who is known; the target is the membership.
    GuestKept = "account.guest_kept",
    /// The owner of an account proved to own its address; the target is the membership, if there is one.
    AddressVerified = "account.email_verified",
    /// A person gave their account another address, and proved to own it; the target is the membership.
    AddressChanged = "account.email_changed",
    /// The owner of the address that an account had took the change of it back, and everything under way ended; the target is the membership.
    AddressChangeUndone = "account.email_change_undone",
    /// A person asked for a link to give their account another address; the target is the membership.
    AddressChangeRequested = "account.email_change_requested",
    /// A person asked for a text message to give their account another phone number; the target is the membership.
    PhoneChangeRequested = "account.phone_change_requested",
    /// A person invited a guardian; the target is the membership of the person, as for all of these.
    GuardianInvited = "guardian.invited",
    /// A guardian accepted.
    GuardianAccepted = "guardian.accepted",
    /// A guardian was removed by the person, declined, or left; the details say which.
    GuardianRemoved = "guardian.removed",
    /// A person chose how many guardians are needed, and how long the account waits then.
    GuardianRulesChanged = "guardian.rules_changed",
    /// Support staff asked to act for a person; the target is the membership of the person, as for all of these, and the details
    /// have both people and the reason.
    ImpersonationRequested = "impersonation.requested",
    /// The person approved.
    ImpersonationApproved = "impersonation.approved",
    /// The person refused.
    ImpersonationRefused = "impersonation.refused",
    /// Support staff got a link to begin; the one before no longer works.
    ImpersonationLinked = "impersonation.link_created",
    /// Support staff began to act for a person.
    ImpersonationStarted = "impersonation.started",
    /// Support staff stopped acting for a person, or were stopped; nothing is written where the time ran out.
    ImpersonationEnded = "impersonation.ended",
    /// A browser asked the guardians of a person for recovery.
    RecoveryOpened = "recovery.opened",
    /// Another browser asked while a case was open.
    RecoveryJoined = "recovery.joined",
    /// A guardian confirmed a browser by its code; a code that was wrong is denied.
    RecoveryConfirmed = "recovery.confirmed",
    /// A guardian refused.
    RecoveryRefused = "recovery.refused",
    /// The owner cancelled a case.
    RecoveryCancelled = "recovery.cancelled",
    /// A case ended because its time was over, or because the owner changed how they sign in.
    RecoveryLapsed = "recovery.lapsed",
    /// The browser that was confirmed set a new password.
    RecoveryFinished = "recovery.finished",
    /// The standard claims of an account changed; the target is the membership.
    ProfileChanged = "account.profile_changed",
    /// An API was created.
    ApiCreated = "api.created",
    /// An API was changed, enabled or disabled.
    ApiUpdated = "api.updated",
    /// An API was deleted, with the consents for it.
    ApiDeleted = "api.deleted",
    /// An API key was made; the details have its scopes and its owner.
    ApiKeyCreated = "api_key.created",
    /// An API key was changed; the details have its scopes.
    ApiKeyUpdated = "api_key.updated",
    /// The secret of an API key was replaced.
    ApiKeyRotated = "api_key.rotated",
    /// An API key was deleted.
    ApiKeyDeleted = "api_key.deleted",
    /// An application was created.
    ApplicationCreated = "application.created",
    /// An application was changed, enabled or disabled.
    ApplicationUpdated = "application.updated",
    /// An application was deleted, or removed because it registered itself and was never used.
    ApplicationDeleted = "application.deleted",
    /// An application registered itself.
    ApplicationRegistered = "application.registered",
    /// The secret of an application was replaced or removed.
    SecretRotated = "application.secret_rotated",
    /// The secret of an application before the present one was ended before its time.
    FormerSecretEnded = "application.former_secret_ended",
    /// An application got an authorization code; the target is the application.
    AuthorizationGranted = "authorization.granted",
    /// A backchannel authentication request came in; the target is the application.
    CibaRequested = "ciba_request.created",
    /// A backup was restored, which ended all sessions and tokens; the target is a signing key that ended with them.
    BackupRestored = "backup.restored",
    /// A person decided a backchannel authentication request.
    CibaDecided = "ciba_request.approved",
    /// A client did not authenticate: the first, tenth, hundredth time of an hour; the target is the application, or `unknown`.
    ClientRefused = "client.authentication_failed",
    /// A person decided what an application may do; the target is the application.
    ConsentGranted = "consent.granted",
    /// A person revoked their consent to an application; the target is the application.
    ConsentRevoked = "consent.revoked",
    /// An application began to act for a person.
    DelegationCreated = "delegation.created",
    /// A delegation was ended, with the tokens and delegations that followed from it.
    DelegationRevoked = "delegation.revoked",
    /// A device asked for a code; the target is the application.
    DeviceRequested = "device_code.created",
    /// A person decided the request of a device.
    DeviceDecided = "device_code.approved",
    /// A group was created.
    GroupCreated = "group.created",
    /// The name, the description or the roles of a group changed.
    GroupUpdated = "group.updated",
    /// A group was deleted; its people stay.
    GroupDeleted = "group.deleted",
    /// A member was put into a group.
    GroupMemberAdded = "group.member_added",
    /// A member was taken out of a group.
    GroupMemberRemoved = "group.member_removed",
    /// A group was put into a group.
    GroupNested = "group.nested",
    /// A group was taken out of a group.
    GroupUnnested = "group.unnested",
    /// An import of people from another system was begun; the details have the system, and what happens to people who are
    /// members already.
    ImportBegun = "import.begun",
    /// The keyring of the deployment got another version; the target is the version.
    KeyringChanged = "keyring.changed",
    /// A member became an operator of the deployment; the target is the membership.
    OperatorGranted = "operator.granted",
    /// A member is no longer an operator; sessions and tokens have ended. The target is the membership.
    OperatorRevoked = "operator.revoked",
    /// An organization was created.
    OrganizationCreated = "organization.created",
    /// How members of an organization must sign in changed.
    OrganizationSignInRulesChanged = "organization.sign_in_rules_changed",
    /// The name, the status or anything else of an organization changed.
    OrganizationUpdated = "organization.updated",
    /// Texts of an organization for hosted pages and mails changed; the details have how many it has in each language.
    OrganizationTextsChanged = "organization.texts_changed",
    /// An organization was deleted.
    OrganizationDeleted = "organization.deleted",
    /// An organization got another owner.
    OrganizationOwnerChanged = "organization.owner_changed",
    /// A person became a member of an organization.
    OrganizationMemberAdded = "organization.member_added",
    /// The roles of a member of an organization changed.
    OrganizationMemberRoleChanged = "organization.member_role_changed",
    /// A person was taken out of an organization.
    OrganizationMemberRemoved = "organization.member_removed",
    /// A person was invited to an organization by mail.
    OrganizationInvitationCreated = "organization.invitation_created",
    /// An invitation to an organization was mailed again, with another link.
    OrganizationInvitationResent = "organization.invitation_resent",
    /// An invitation to an organization was revoked.
    OrganizationInvitationRevoked = "organization.invitation_revoked",
    /// A person accepted an invitation to an organization.
    OrganizationInvitationAccepted = "organization.invitation_accepted",
    /// An organization claimed a domain; the details have it.
    OrganizationDomainCreated = "organization.domain_created",
    /// An organization proved a domain; the details have it.
    OrganizationDomainVerified = "organization.domain_verified",
    /// The proof of a domain was missing for too long.
    OrganizationDomainLapsed = "organization.domain_lapsed",
    /// A domain was taken from an organization; the details have it.
    OrganizationDomainDeleted = "organization.domain_deleted",
    /// The password of a member was set; the target is the membership, if there is one.
    PasswordChanged = "password.changed",
    /// A password was set by a mailed link; the target is the membership, if there is one.
    PasswordReset = "password.reset",
    /// The owner of an address took over an account, which removed the password that another person had set; the target is the
    /// membership, if there is one.
    PasswordRemoved = "password.removed",
    /// A link for a new password was asked for; the target is the membership, if the name belongs to one.
    PasswordResetRequested = "password.reset_requested",
    /// A person who has lost the password has proven the account by other factors of it; the details have them.
    RecoveryProven = "password.recovery_proven",
    /// A code or a link to sign in with was asked for; the target is the membership, if the address or the number belongs to one.
    SignInCodeRequested = "sign_in.code_requested",
    /// An operator exported people into a file; the details say whether hashes of passwords and secrets of apps are in it.
    PeopleExported = "people.exported",
    /// A policy was created; the details have its status.
    PolicyCreated = "policy.created",
    /// A policy was changed; the details have the number of its version and its status.
    PolicyUpdated = "policy.updated",
    /// A policy was deleted, with its versions.
    PolicyDeleted = "policy.deleted",
    /// A refresh token was used twice; the target is its family, which is revoked.
    RefreshTokenReused = "refresh_token.reused",
    /// An initial access token for registrations was created.
    RegistrationTokenCreated = "registration_token.created",
    /// An initial access token was deleted.
    RegistrationTokenDeleted = "registration_token.deleted",
    /// A role was created.
    RoleCreated = "role.created",
    /// The description or the permissions of a role changed.
    RoleUpdated = "role.updated",
    /// A role was deleted.
    RoleDeleted = "role.deleted",
    /// A SCIM token was made; the details have its organization.
    ScimTokenCreated = "scim_token.created",
    /// A SCIM token got another name.
    ScimTokenUpdated = "scim_token.updated",
    /// The secret of a SCIM token was replaced.
    ScimTokenRotated = "scim_token.rotated",
    /// A SCIM token was deleted.
    ScimTokenDeleted = "scim_token.deleted",
    /// A SCIM schema was declared; the details have its URN.
    ScimSchemaCreated = "scim_schema.created",
    /// A SCIM schema was changed.
    ScimSchemaUpdated = "scim_schema.updated",
    /// A SCIM schema was withdrawn; the details have its URN.
    ScimSchemaDeleted = "scim_schema.deleted",
    /// The directory of an organization provisioned a person; the target is the membership.
    ScimUserCreated = "scim_user.created",
    /// The directory of an organization changed what it says of a person; the target is the membership.
    ScimUserUpdated = "scim_user.updated",
    /// The directory of an organization provisioned a group; the details have its people.
    ScimGroupCreated = "scim_group.created",
    /// The directory of an organization changed a group; the details have the people who were added and removed.
    ScimGroupUpdated = "scim_group.updated",
    /// The directory of an organization deleted a group.
    ScimGroupDeleted = "scim_group.deleted",
    /// The people of a directory's group got other roles in the organization.
    ScimGroupRolesChanged = "scim_group.roles_changed",
    /// A person signed in; where it was refused, the target is the membership that was named, if any.
    SessionCreated = "session.created",
    /// A person signed out.
    SessionEnded = "session.ended",
    /// A session was ended from outside: by an administrator, or by the person in another browser.
    SessionRevoked = "session.revoked",
    /// A sign-in asks for a second factor; the target is the membership, if there is one.
    SecondFactorAsked = "second_factor.asked",
    /// A second factor was judged in a sign-in; the target is the membership, if there is one.
    SecondFactorJudged = "second_factor.judged",
    /// Guesses locked an account or a name; the target is the membership, if there is one.
    SignInLocked = "sign_in.locked",
    /// A sign-in was unusual, and was refused, needed a second factor, or was reported to the person; the target is the
    /// membership, the details say which and why.
    SignInUnusual = "sign_in.unusual",
    /// A person said that a sign-in was not theirs, and everything under way ended; the target is the membership, if there is one.
    SignInDisowned = "sign_in.disowned",
    /// A receiver took or refused events of its stream.
    SignalEventsAcknowledged = "signal_events.acknowledged",
    /// A stream of security events was created.
    SignalStreamCreated = "signal_stream.created",
    /// A stream was changed.
    SignalStreamUpdated = "signal_stream.updated",
    /// A stream was deleted.
    SignalStreamDeleted = "signal_stream.deleted",
    /// A stream was enabled, paused or disabled.
    SignalStreamStatusChanged = "signal_stream.status_changed",
    /// A receiver asked for a verification event.
    SignalStreamVerified = "signal_stream.verification_requested",
    /// A tenant registered itself at a provider.
    ConnectorCreated = "connector.created",
    /// A provider of the tenant changed; the details say whether the secret did.
    ConnectorUpdated = "connector.updated",
    /// A provider of the tenant was deleted; people can no longer sign in with the accounts that they connected through it.
    ConnectorDeleted = "connector.deleted",
    /// A connection of an organization to its provider was created.
    SsoConnectionCreated = "sso_connection.created",
    /// A connection was changed, enabled, disabled or enforced; the entry never has the secret.
    SsoConnectionUpdated = "sso_connection.updated",
    /// A connection was tested: its provider was asked for its metadata and its keys.
    SsoConnectionTested = "sso_connection.tested",
    /// A connection was deleted, with its links to people.
    SsoConnectionDeleted = "sso_connection.deleted",
    /// A subject of a provider was bound to a member; the target is the membership.
    SsoIdentityBound = "sso_connection.identity_bound",
    /// A person became a member by a sign-in at a provider; the target is the membership.
    SsoUserProvisioned = "sso_connection.user_provisioned",
    /// A session began with a sign-in at a provider; the target is the membership.
    SsoSignedIn = "sso_connection.signed_in",
    /// A sign-in through a connection failed; the target is the connection.
    SsoSignInFailed = "sso_connection.sign_in_failed",
    /// A signing key was made and published; the target is its `kid`. In the log of every tenant.
    SigningKeyCreated = "signing_key.created",
    /// A published key was set to sign earlier. In the log of every tenant.
    SigningKeyBroughtForward = "signing_key.brought_forward",
    /// A key began to sign in place of its predecessor. In the log of every tenant.
    SigningKeyRotated = "signing_key.rotated",
    /// A key no longer signs. In the log of every tenant.
    SigningKeyRetired = "signing_key.retired",
    /// An operator withdrew a key: it left the key set at once, and what it signed ended. In the log of every tenant.
    SigningKeyWithdrawn = "signing_key.withdrawn",
    /// A stored key was sealed under the present version of the keyring. In the log of every tenant.
    SigningKeyRewrapped = "signing_key.rewrapped",
    /// An operator destroyed a key of the tenant; the target is the key. What it sealed cannot be opened any more.
    TenantKeyDestroyed = "tenant_key.destroyed",
    /// The tenant was created.
    TenantCreated = "tenant.created",
    /// The name, the domain or the settings of the tenant changed.
    TenantUpdated = "tenant.updated",
    /// Texts of the tenant for hosted pages and mails changed; the details have how many it has in each language.
    TenantTextsChanged = "tenant.texts_changed",
    /// An operator gave the tenant another plan, or none.
    TenantPlanSet = "tenant.plan_set",
    /// An administrator asked for a domain of the tenant's own; the details have it.
    CustomDomainCreated = "custom_domain.created",
    /// The proof of a custom domain was found.
    CustomDomainVerified = "custom_domain.verified",
    /// The tenant answers at a custom domain, which is its issuer.
    CustomDomainActivated = "custom_domain.activated",
    /// The tenant no longer answers at a custom domain.
    CustomDomainDeactivated = "custom_domain.deactivated",
    /// The proof of a custom domain was missing for too long.
    CustomDomainLapsed = "custom_domain.lapsed",
    /// A custom domain was deleted.
    CustomDomainDeleted = "custom_domain.deleted",
    /// A tenant was deleted; it can be restored until everything in it is removed.
    TenantDeletionBegun = "tenant.deletion_begun",
    /// A tenant that was deleted was restored; the details say whether it answers again or is suspended, as it was before.
    TenantRestored = "tenant.restored",
    /// An operator wrote everything of the tenant into an archive; the details name it.
    TenantExported = "tenant.exported",
    /// The tenant came from an archive; the details name it, its digest, and the end of the audit log of where it was before.
    TenantImported = "tenant.imported",
    /// Everything in a tenant that was deleted is gone.
    TenantDeleted = "tenant.deleted",
    /// An operator switched a capability off for the whole deployment, or on again.
    FeatureSwitched = "feature.switched",
    /// A plan was made.
    PlanCreated = "plan.created",
    /// A plan was changed.
    PlanUpdated = "plan.updated",
    /// A plan was deleted.
    PlanDeleted = "plan.deleted",
    /// An operator suspended the tenant; sessions and tokens have ended.
    TenantSuspended = "tenant.suspended",
    /// An operator reactivated the tenant.
    TenantReactivated = "tenant.reactivated",
    /// An invited person was mailed the invitation; the target is the membership.
    TenantUserInvited = "tenant_user.invited",
    /// A person became a member, or was invited to.
    TenantUserCreated = "tenant_user.created",
    /// An invited or provisioned member became active.
    TenantUserActivated = "tenant_user.activated",
    /// A suspended member may sign in again.
    TenantUserReactivated = "tenant_user.reactivated",
    /// A member was suspended; sessions and tokens have ended.
    TenantUserSuspended = "tenant_user.suspended",
    /// A membership was ended for good.
    TenantUserRemoved = "tenant_user.removed",
    /// An administrator ended every session of a member, with every token.
    AccessEnded = "tenant_user.access_ended",
    /// The tenant's metadata about a member changed.
    TenantUserMetadataChanged = "tenant_user.metadata_changed",
    /// A version of a document that people accept was added.
    TermsCreated = "terms.created",
    /// A version of a document that people accept was changed.
    TermsUpdated = "terms.updated",
    /// A version of a document that people accept was deleted; what people accepted stays.
    TermsDeleted = "terms.deleted",
    /// A person accepted a version of a document; the target is the membership, the details have the version and the language.
    TermsAccepted = "terms.accepted",
    /// A field that people are asked to fill in was added.
    SignUpFieldCreated = "sign_up_field.created",
    /// A field that people are asked to fill in was changed.
    SignUpFieldUpdated = "sign_up_field.updated",
    /// A field that people are asked to fill in was deleted; the answers stay in people's metadata.
    SignUpFieldDeleted = "sign_up_field.deleted",
    /// The sign-in name of a member changed.
    UsernameChanged = "tenant_user.username_changed",
    /// The roles of a member changed.
    RolesChanged = "tenant_user.roles_changed",
    /// Tokens were issued; the target is the application.
    TokenIssued = "token.issued",
    /// An application gave a token back; the target is its `jti`, or its family.
    TokenRevoked = "token.revoked",
    /// A token request was refused; the target is the application. Those that changed nothing are counted by the hour.
    TokenRefused = "token.refused",
    /// An issuer was trusted.
    TrustedIssuerCreated = "trusted_issuer.created",
    /// A trusted issuer was changed, enabled or disabled.
    TrustedIssuerUpdated = "trusted_issuer.updated",
    /// A trusted issuer was deleted, with its links.
    TrustedIssuerDeleted = "trusted_issuer.deleted",
    /// A subject of a trusted issuer was linked to a member.
    TrustedIssuerLinked = "trusted_issuer.linked",
    /// Such a link was removed.
    TrustedIssuerUnlinked = "trusted_issuer.unlinked",
    /// Codes of devices were guessed; the target is the membership that guessed.
    UserCodesGuessed = "user_codes.guessed",
    /// A stream of the audit log was created.
    AuditStreamCreated = "audit_stream.created",
    /// A stream of the audit log was changed, activated or deactivated.
    AuditStreamUpdated = "audit_stream.updated",
    /// The service deactivated a stream of the audit log, because its receiver is gone or took nothing for days.
    AuditStreamDeactivated = "audit_stream.deactivated",
    /// A stream of the audit log was asked for a test, which is this entry.
    AuditStreamTested = "audit_stream.tested",
    /// A stream of the audit log was deleted.
    AuditStreamDeleted = "audit_stream.deleted",
    /// An application was made a target of provisioning.
    ScimTargetCreated = "scim_target.created",
    /// A target of provisioning was changed, activated or deactivated.
    ScimTargetUpdated = "scim_target.updated",
    /// The service deactivated a target of provisioning, because it refused the credential or took nothing for days.
    ScimTargetDeactivated = "scim_target.deactivated",
    /// A target of provisioning was asked what it can do.
    ScimTargetTested = "scim_target.tested",
    /// Everyone is pushed to a target of provisioning again.
    ScimTargetSynced = "scim_target.synced",
    /// A target of provisioning was deleted, with its links.
    ScimTargetDeleted = "scim_target.deleted",
    /// A subscription to events was created.
    WebhookCreated = "webhook.created",
    /// A subscription to events was changed, activated or deactivated.
    WebhookUpdated = "webhook.updated",
    /// The service deactivated a subscription, because its receiver is gone or took nothing for days.
    WebhookDeactivated = "webhook.deactivated",
    /// The secret of a subscription was replaced.
    WebhookSecretRotated = "webhook.secret_rotated",
    /// A test was sent to a subscription.
    WebhookTested = "webhook.tested",
    /// A delivery was sent again; the target is the delivery.
    WebhookDeliveryReplayed = "webhook.delivery_replayed",
    /// The events of a range of time are sent to a subscription again.
    WebhookRangeReplayed = "webhook.range_replayed",
    /// A subscription to events was deleted.
    WebhookDeleted = "webhook.deleted",
    /// A hook was created.
    HookCreated = "hook.created",
    /// A hook was changed, activated or deactivated.
    HookUpdated = "hook.updated",
    /// The secret of a hook was replaced.
    HookSecretRotated = "hook.secret_rotated",
    /// A hook was tested by a call with sample data.
    HookTested = "hook.tested",
    /// A hook refused, or gave no valid answer and is set to refuse then; of many in a row only some are recorded, each with
    /// the count of the hour.
    HookDenied = "hook.denied",
    /// A hook was deleted.
    HookDeleted = "hook.deleted",
    /// A module for hooks was uploaded.
    HookModuleCreated = "hook_module.created",
    /// A module for hooks was deleted.
    HookModuleDeleted = "hook_module.deleted",
    /// An authorization code was used in a way that its owner would not use it; the target is the application.
    CodeMisused = "authorization_code.misused",
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_distinct() {
        let names: BTreeSet<_> = Action::ALL.iter().map(|(action, _)| action.name()).collect();
        assert_eq!(names.len(), Action::ALL.len());
    }
}
