// Calls from the API reference: gets a token by the code flow with PKCE (RFC 7636), and sends what was filled in.
// The token stays in the memory of the page.

const credential = document.getElementById("credential");
const field = document.getElementById("token-field");
const input = document.getElementById("token");
const signIn = document.getElementById("reference-sign-in");
const state = document.getElementById("credential-state");
const { clientId, scope, resource, redirectUri } = credential.dataset;

const encode = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));

function tell(text) {
  state.textContent = text;
  state.hidden = false;
}

/** Leaves for the authorization endpoint; what the answer must match waits in this tab. */
async function leave() {
  const waiting = { state: random(), verifier: random() };
  sessionStorage.setItem("reference", JSON.stringify(waiting));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(waiting.verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    resource,
    state: waiting.state,
    code_challenge: encode(new Uint8Array(hash)),
    code_challenge_method: "S256",
  });
  location.assign(`/oauth/authorize?${query}`);
}

/** Takes the answer of the authorization endpoint out of the address, and exchanges its code. */
async function come() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("state")) return;
  const waiting = JSON.parse(sessionStorage.getItem("reference") ?? "{}");
  sessionStorage.removeItem("reference");
  history.replaceState(null, "", location.pathname + location.hash);
  if (answer.get("state") !== waiting.state) return tell("The answer belongs to another sign-in. Sign in again.");
  if (answer.has("error")) return tell(`Not signed in: ${answer.get("error_description") ?? answer.get("error")}`);
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: answer.get("code"),
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: waiting.verifier,
  });
  const reply = await fetch("/oauth/token", { method: "POST", body });
  const tokens = await reply.json();
  if (!reply.ok) return tell(`No token: ${tokens.error_description ?? tokens.error}`);
  input.value = tokens.access_token;
  tell(`Signed in. The token has these scopes: ${tokens.scope ?? scope}`);
}

/** Sends what was filled in, and shows the answer. */
async function send(box) {
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = box.dataset.path;
  for (const { dataset, value } of box.querySelectorAll("[data-name]")) {
    if (dataset.place === "path") path = path.replace(`{${dataset.name}}`, encodeURIComponent(value));
    else if (value && dataset.place === "query") query.set(dataset.name, value);
    else if (value) headers.set(dataset.name, value);
  }
  if (input.value) headers.set("authorization", `Bearer ${input.value.trim()}`);
  const body = box.querySelector("[data-body]")?.value;
  if (body) headers.set("content-type", box.dataset.type);
  const shown = box.querySelector("[data-answer]");
  const question = query.size > 0 ? `?${query}` : "";
  const started = performance.now();
  try {
    const reply = await fetch(path + question, { method: box.dataset.method, headers, body, redirect: "manual" });
    const took = Math.round(performance.now() - started);
    shown.textContent = `${reply.status} ${reply.statusText} in ${took} ms\n\n${pretty(await reply.text())}`;
  } catch (error) {
    shown.textContent = String(error);
  }
  shown.hidden = false;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

field.hidden = false;
if (signIn) {
  signIn.hidden = false;
  signIn.addEventListener("click", leave);
  await come();
}
for (const box of document.querySelectorAll("[data-try]")) {
  box.hidden = false;
  box.querySelector("[data-send]").addEventListener("click", () => send(box));
}
// A link to an operation opens it.
if (location.hash) document.getElementById(location.hash.slice(1))?.setAttribute("open", "");
