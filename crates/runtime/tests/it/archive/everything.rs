//! A tenant that has a row in every table that travels.

use svc_db::{SystemSql, args};
use svc_keys::Purpose;

use crate::harness::Site;
use crate::isolation::records;

/// Rows of the tables in which the records of operations have none.
const OTHERS: &[&str] = &[
    "INSERT INTO sign_up_field_asks (tenant_id, tenant_user_id, sign_ins, put_off_at) \
     SELECT tenant_id, id, 3, 1 FROM tenant_users WHERE tenant_id = $1 ORDER BY id LIMIT 1",
    "INSERT INTO app_origins (tenant_id, app_id, origin) \
     SELECT tenant_id, id, 'https://shop.example' FROM apps WHERE tenant_id = $1 ORDER BY id LIMIT 1",
    "INSERT INTO registrations (tenant_id, app_id, kind, remarks, fresh_until, fetched_at, created_at) \
     SELECT tenant_id, id, 'dynamic', '{}', 1, 2, 3 FROM apps WHERE tenant_id = $1 ORDER BY id LIMIT 1",
    "INSERT INTO consented_details (tenant_id, tenant_user_id, app_id, audience, digest, created_at) \
     SELECT a.tenant_id, u.id, a.id, 'https://notes.example', 'digest', 1 FROM apps a JOIN tenant_users u ON u.tenant_id = a.tenant_id \
     WHERE a.tenant_id = $1 ORDER BY a.id, u.id LIMIT 1",
    "INSERT INTO pairwise_subjects (tenant_id, tenant_user_id, sector, subject) \
     SELECT tenant_id, id, 'shop.example', 'pairwise' FROM tenant_users WHERE tenant_id = $1 ORDER BY id LIMIT 1",
    "INSERT INTO group_roles (tenant_id, group_id, role) \
     SELECT g.tenant_id, g.id, r.name FROM user_groups g JOIN roles r ON r.tenant_id = g.tenant_id \
     WHERE g.tenant_id = $1 ORDER BY g.id, r.id LIMIT 1",
    "INSERT INTO organization_roles (tenant_id, organization_id, tenant_user_id, role) \
     SELECT m.tenant_id, m.organization_id, m.tenant_user_id, r.name FROM organization_members m \
     JOIN roles r ON r.tenant_id = m.tenant_id WHERE m.tenant_id = $1 ORDER BY m.tenant_user_id, r.id LIMIT 1",
    "INSERT INTO import_chunks (tenant_id, import_id, number, digest, outcome) \
     SELECT i.tenant_id, i.id, 1, k.digest, '{}' FROM imports i JOIN api_keys k ON k.tenant_id = i.tenant_id \
     WHERE i.tenant_id = $1 ORDER BY k.id LIMIT 1",
    "INSERT INTO policy_shadows (tenant_id, policy_id, number, evaluated, differed) \
     SELECT tenant_id, id, 1, 20, 3 FROM policies WHERE tenant_id = $1 ORDER BY id LIMIT 1",
    "INSERT INTO sso_identities (tenant_id, connection_id, issuer, subject, tenant_user_id, created_at) \
     SELECT c.tenant_id, c.id, 'https://idp.example', '4711', u.id, 1 FROM sso_connections c \
     JOIN tenant_users u ON u.tenant_id = c.tenant_id WHERE c.tenant_id = $1 ORDER BY u.id LIMIT 1",
    "INSERT INTO scim_users (tenant_id, organization_id, id, user_name_key, document, created_at, updated_at, version) \
     SELECT m.tenant_id, m.organization_id, m.tenant_user_id, 'ada', '{}', 1, 2, 3 FROM organization_members m \
     JOIN scim_groups g ON g.tenant_id = m.tenant_id AND g.organization_id = m.organization_id \
     WHERE m.tenant_id = $1 ORDER BY m.tenant_user_id LIMIT 1",
    "INSERT INTO scim_user_emails (tenant_id, organization_id, value_key, user_id) \
     SELECT tenant_id, organization_id, 'ada@old.example', id FROM scim_users WHERE tenant_id = $1",
    "INSERT INTO scim_user_values (tenant_id, schema_id, attribute_key, value_digest, organization_id, user_id) \
     SELECT u.tenant_id, s.id, 'floor', k.digest, u.organization_id, u.id FROM scim_users u \
     JOIN scim_schemas s ON s.tenant_id = u.tenant_id JOIN api_keys k ON k.tenant_id = u.tenant_id \
     WHERE u.tenant_id = $1 ORDER BY k.id LIMIT 1",
    "INSERT INTO scim_group_members (tenant_id, organization_id, group_id, user_id) \
     SELECT u.tenant_id, u.organization_id, g.id, u.id FROM scim_users u \
     JOIN scim_groups g ON g.tenant_id = u.tenant_id AND g.organization_id = u.organization_id \
     WHERE u.tenant_id = $1 ORDER BY g.id LIMIT 1",
    "INSERT INTO scim_group_roles (tenant_id, organization_id, group_id, role) \
     SELECT g.tenant_id, g.organization_id, g.id, r.name FROM scim_groups g JOIN roles r ON r.tenant_id = g.tenant_id \
     WHERE g.tenant_id = $1 ORDER BY g.id, r.id LIMIT 1",
];

/// Makes one of everything.
pub async fn everything(site: &Site<'_>) {
    let made = records(site).await;
    // Before the rows that no job would have made.
    site.harness.run_jobs().await;
    let (app, cx) = (site.harness.app(), site.harness.operator());
    let (tenant, person) = (site.tenant.id.to_string(), made.of("tenant-users").to_owned());
    let sealer = app.services.sealers.of(site.tenant.id, Purpose::Credentials, &cx).await.unwrap();
    let cell = ["imported_people", "sealed_factors", &tenant, &person];
    let factors = sealer.seal(&cell, b"{\"factors\":[]}", &cx).unwrap();
    let mut tx = app.db.begin_system().await.unwrap();
    for text in OTHERS {
        let written = tx.execute(SystemSql::new(text), args![site.tenant.id]).await.unwrap();
        assert_eq!(written, 1, "{text}");
    }
    let known = SystemSql::new(
        "INSERT INTO imported_people (tenant_id, tenant_user_id, source, external_id, document, sealed_factors, updated_at) \
         VALUES ($1, $2, 'elsewhere', '4711', '{}', $3, 1)",
    );
    tx.execute(known, args![site.tenant.id, person, factors]).await.unwrap();
    tx.commit().await.unwrap();
}
