//! Events about receivers: webhooks, hooks, streams of the audit log, and applications to which people are pushed.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{AuditStreamId, HookId, HookModuleId, ScimTargetId, WebhookId};

events! {
    RECEIVERS:
    /// A subscription to events was created.
    "admin.webhook.created" WebhookCreated {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A subscription to events was changed, activated or deactivated.
    "admin.webhook.updated" WebhookUpdated {
        /// The subscription.
        webhook_id: WebhookId,
        /// Whether events are sent to it now.
        active: bool,
    }
    /// The service deactivated a subscription.
    "admin.webhook.deactivated" WebhookDeactivated {
        /// The subscription.
        webhook_id: WebhookId,
        /// `gone` where the receiver answered 410, `failing` where it took nothing for days.
        reason: &'static str,
    }
    /// The secret of a subscription was replaced.
    "admin.webhook.secret_rotated" WebhookSecretRotated {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A subscription to events was deleted.
    "admin.webhook.deleted" WebhookDeleted {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A hook was created.
    "admin.hook.created" HookCreated {
        /// The hook.
        hook_id: HookId,
        /// The point at which it is called.
        point: String,
    }
    /// A hook was changed, activated or deactivated.
    "admin.hook.updated" HookUpdated {
        /// The hook.
        hook_id: HookId,
        /// The point at which it is called.
        point: String,
        /// Whether it is called now.
        active: bool,
    }
    /// The secret of a hook was replaced.
    "admin.hook.secret_rotated" HookSecretRotated {
        /// The hook.
        hook_id: HookId,
    }
    /// A hook was deleted.
    "admin.hook.deleted" HookDeleted {
        /// The hook.
        hook_id: HookId,
    }
    /// A module for hooks was uploaded.
    "admin.hook_module.created" HookModuleCreated {
        /// The module.
        hook_module_id: HookModuleId,
        /// The SHA-256 of its bytes, in hex.
        sha256: String,
    }
    /// A module for hooks was deleted.
    "admin.hook_module.deleted" HookModuleDeleted {
        /// The module.
        hook_module_id: HookModuleId,
    }
    /// A test of a subscription, sent to that subscription alone, whichever types it chose.
    "webhook.test" WebhookTested {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// The service deactivated a stream of the audit log.
    "admin.audit_stream.deactivated" AuditStreamDeactivated {
        /// The stream.
        audit_stream_id: AuditStreamId,
        /// `gone` where the receiver answered 410, `failing` where it took nothing for days.
        reason: &'static str,
    }
    /// An application was made a target: people are pushed to it.
    "admin.scim_target.created" ScimTargetCreated {
        /// The target.
        scim_target_id: ScimTargetId,
    }
    /// A target was changed, activated or deactivated.
    "admin.scim_target.updated" ScimTargetUpdated {
        /// The target.
        scim_target_id: ScimTargetId,
        /// Whether people are pushed to it.
        active: bool,
    }
    /// The service deactivated a target: nothing is pushed to it until an administrator activates it again.
    "admin.scim_target.deactivated" ScimTargetDeactivated {
        /// The target.
        scim_target_id: ScimTargetId,
        /// `unauthorized` or `forbidden` where the application refused the credential, `failing` where it took nothing for days.
        reason: &'static str,
    }
    /// A target was deleted; the accounts at the application stay as they are.
    "admin.scim_target.deleted" ScimTargetDeleted {
        /// The target.
        scim_target_id: ScimTargetId,
    }
}
