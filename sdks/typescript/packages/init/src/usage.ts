// What the command says of itself, and the options that it takes.

export const OPTIONS = {
  issuer: { type: 'string' },
  tenant: { type: 'string' },
  'registration-token': { type: 'string' },
  origin: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const USAGE = `Usage: svc-init --issuer <address> [--tenant <slug>] [--registration-token <token>] [--origin <origin>] [--yes]

  --issuer <address>             the service, or SVC_ISSUER: https://id.example
  --tenant <slug>                becomes the first label of its host: https://acme.id.example
  --registration-token <token>   the initial access token of the administrator, or SVC_DCR_INITIAL_ACCESS_TOKEN
  --origin <origin>              where people reach the application; else the development server of its framework
  -y, --yes                      writes and registers without asking
  -h, --help                     says this

Run it in the folder of the application's package.json. It shows what it will write, and asks.
It does nothing where SVC_CLIENT_ID is set, in the environment or in the project's .env files.

Examples:
  svc-init --issuer http://localhost:8080
  svc-init --issuer https://id.example --tenant acme --origin https://shop.example
  SVC_DCR_INITIAL_ACCESS_TOKEN=svc_rt_… svc-init --issuer https://acme.id.example --yes
  svc-init --issuer https://id.example --origin com.shop.app:`;
