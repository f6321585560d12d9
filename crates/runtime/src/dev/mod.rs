//! `svc-runtime dev`: a whole deployment on one machine, with people, applications and an inbox to try everything with.
//!
//! INVARIANT: nothing here is reachable from another command; the routes under `/dev` are merged in this mode only.

mod announce;
mod demo;
mod inbox;
mod options;
mod page;
mod party;
mod secrets;

use std::sync::Arc;

use svc_async::{Inbox, Mailer};
use svc_config::Config;
use svc_core::{Clock as _, SystemClock};
use svc_db::Db;
use svc_domain::MIGRATIONS;
use svc_domain::tenancy::tenants;
use svc_http::{Edge, Extensions, Listener};
use svc_keys::{Custody, SystemEntropy};

pub use options::{EXAMPLES, Options};

use self::party::Party;
use crate::compose::{self, Ports};
use crate::failure::Failure;
use crate::serve::Stop;
use crate::{apply, database, keyring, logging, reload, serve, terminal};

/// Starts everything, prints how to use it, and serves until the process is stopped.
pub async fn run(options: Options) -> Result<(), Failure> {
    let config = options.config()?;
    options.make_data_dir()?;
    logging::start(&config, None);
    let secrets = secrets::kept_in(&options.data_dir, &SystemEntropy)?;
    let seed = demo::seed(config.oidc.issuer_url.as_str(), &secrets)?;
    let further =
        options.seed.as_deref().map(|file| Ok::<_, Failure>((file, apply::read(file)?))).transpose()?;

    let seeded = further.iter().flat_map(|(_, further)| &further.tenant);
    options.admit_domains(&config, seeded.filter_map(|tenant| tenant.custom_domain.as_deref()))?;

    let db = database::open(&config)?;
    migrate(&db, &config).await?;
    let domains = tenants::custom_domains(&mut db.read_system().await?).await?;
    options.admit_domains(&config, domains.iter().map(String::as_str))?;
    // The data directory is the place of this mode's keyring, whatever the database is.
    let custody = keyring::open(&config, &db, true).await?;
    let listener = Listener::bind(&config, SystemClock.now()).await?;
    let (inbox, party) = (Arc::new(Inbox::default()), Arc::new(Party::new(&config, &SystemEntropy)?));
    let mailer = Mailer::with_inbox(&config, Arc::clone(&inbox))?;
    let service = Box::pin(service(config, (db, custody), (&inbox, &party))).await?;

    let seed = demo::with(seed, further.as_ref().map(|(_, further)| further));
    let outcome = apply_to(&service, &seed).await?;
    if let Some((file, _)) = &further {
        // On the other stream, because `--json` promises one line.
        terminal::complain(&format!("applied {}\n{outcome}", file.display()));
        for (name, secret) in outcome.named_secrets() {
            terminal::complain(&format!("secret of {name}: {secret}"));
        }
    }
    let (db, tenants) = (&service.app().db, &service.app().services.tenants);
    let further = further.as_ref().map(|(_, further)| further);
    let (tenant, clients) = demo::clients(db, tenants, &secrets, further).await?;
    party.open(service.clone(), &clients, demo::people(&secrets));
    service.app().readiness.open();
    let known = announce::Known { tenant, secrets: &secrets, clients: &clients };
    announce::print(&service.app().config, &known, &options);
    serve::serve(service, listener, mailer, (None, reload::hangup()?, Stop::listened()?)).await
}

async fn migrate(db: &Db, config: &Config) -> Result<(), Failure> {
    // The first use of the database also shows whether it can be reached.
    database::schema_state(db, config).await?;
    db.migrate(MIGRATIONS).await.map_err(|error| Failure::from(error).during("migration"))?;
    Ok(())
}

async fn service(
    config: Config,
    (db, custody): (Db, Custody),
    (inbox, party): (&Arc<Inbox>, &Arc<Party>),
) -> Result<Edge, Failure> {
    let mut planes = Extensions::new();
    planes.insert(Arc::clone(inbox));
    planes.insert(Arc::clone(party));
    let ports = Ports {
        maintenance: db.clone(),
        db,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        custody,
        planes,
        routes: party::routes().merge(inbox::routes()),
    };
    Ok(Box::pin(compose::compose(config, ports)).await?)
}

async fn apply_to(service: &Edge, seed: &apply::Seed) -> Result<apply::Outcome, Failure> {
    let app = service.app();
    let cx = apply::operator_cx();
    let target = apply::Target {
        config: &app.config,
        db: &app.db,
        tenants: &app.services.tenants,
        passwords: &app.services.passwords,
        breached: &app.breached,
        rules: app.part()?,
        pages: Some(app.part()?),
        outbound: &app.outbound,
        sealers: Some(&app.services.sealers),
        mode: apply::Mode {
            keeps_secrets: true,
            unlisted: apply::Unlisted::Ignored,
            ..apply::Mode::default()
        },
        cx: &cx,
        clock: &*app.clock,
    };
    apply::apply(&target, seed).await
}
