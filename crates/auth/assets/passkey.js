// Passkeys and security keys (WebAuthn): asks the server for a challenge and the browser for the answer. Where a browser
// knows none, the part of the page is hidden, or says so where the page has no other way.

const from = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const to = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const named = (keys) => keys?.map((key) => ({ ...key, id: from(key.id) }));

/** The options as the browser takes them: bytes instead of text. */
function decoded(options) {
  return {
    ...options,
    challenge: from(options.challenge),
    ...(options.user && { user: { ...options.user, id: from(options.user.id) } }),
    ...(options.allowCredentials && { allowCredentials: named(options.allowCredentials) }),
    ...(options.excludeCredentials && { excludeCredentials: named(options.excludeCredentials) }),
  };
}

/** The answer as the server takes it: text instead of bytes. */
function encoded(credential) {
  const { response } = credential;
  const bytes = (name) => (response[name] ? to(response[name]) : null);
  const made = { attestationObject: bytes("attestationObject"), transports: response.getTransports?.() ?? [] };
  const signed = {
    authenticatorData: bytes("authenticatorData"),
    signature: bytes("signature"),
    userHandle: bytes("userHandle"),
  };
  return JSON.stringify({
    id: credential.id,
    rawId: to(credential.rawId),
    type: credential.type,
    response: { clientDataJSON: bytes("clientDataJSON"), ...(response.attestationObject ? made : signed) },
    clientExtensionResults: {},
  });
}

/** A form whose button asks for a key, and whose hidden inputs take the answer. */
class KeyForm {
  constructor(form) {
    this.form = form;
    this.button = form.querySelector("button");
    this.status = form.querySelector("[role=status]");
    this.makes = form.dataset.passkey === "create";
    form.addEventListener("submit", (event) => {
      if (form.elements.answer.value) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (this.copies()) this.ask();
    }, true);
    // The back button brings a page from memory: what was answered counts no second time.
    window.addEventListener("pageshow", (event) => event.persisted && this.reset());
    if (!this.makes && form.dataset.conditional) this.offer();
  }

  /** Takes over what was typed into the other form of the page; whether it may be sent. */
  copies() {
    const typed = document.getElementById(this.form.dataset.copy);
    if (!typed) return this.form.reportValidity();
    this.form.elements[typed.name].value = typed.value;
    return typed.reportValidity();
  }

  /** A new challenge, and the state that belongs to it. */
  async challenge() {
    const body = new URLSearchParams(new FormData(this.form));
    const answer = await fetch(this.form.dataset.begin, { method: "POST", body, headers: { accept: "application/json" } });
    // Whoever has to sign in again first is led there.
    if (answer.redirected && !this.form.dataset.conditional) {
      location.assign(answer.url);
      throw new DOMException("led elsewhere", "AbortError");
    }
    if (!answer.ok || !answer.headers.get("content-type")?.startsWith("application/json")) {
      throw new DOMException("no challenge", "DataError");
    }
    return answer.json();
  }

  /** Asks the person, because they pressed the button. */
  async ask() {
    // A browser has one request at a time, and the button comes first.
    this.isAsking = true;
    this.stop?.abort();
    this.tell("");
    this.button.disabled = true;
    try {
      const { flow, shown } = await this.challenge();
      const publicKey = decoded(shown);
      this.send(flow, await (this.makes ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey })));
    } catch (error) {
      this.isAsking = false;
      this.button.disabled = false;
      // A button that is disabled loses the focus, and with it the keyboard its place on the page.
      this.button.focus();
      this.tell(this.reason(error));
      if (this.form.dataset.conditional) this.offer();
    }
  }

  /** Offers the keys in the list of the user name, as long as the page is open. */
  async offer() {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    try {
      const { flow, shown } = await this.challenge();
      if (this.isAsking) return;
      this.stop = new AbortController();
      const { signal } = this.stop;
      // A challenge that is about to end is replaced.
      const timer = setTimeout(() => this.renew(), Math.max(shown.timeout - 10_000, 5_000));
      signal.addEventListener("abort", () => clearTimeout(timer));
      const { timeout, ...options } = shown;
      const credential = await navigator.credentials.get({ publicKey: decoded(options), mediation: "conditional", signal });
      clearTimeout(timer);
      this.send(flow, credential);
    } catch {
      // The person went on in another way; the button is there.
    }
  }

  renew() {
    this.stop?.abort();
    this.offer();
  }

  send(flow, credential) {
    if (!credential) throw new DOMException("no key", "NotAllowedError");
    this.form.elements.flow.value = flow;
    this.form.elements.answer.value = encoded(credential);
    this.form.submit();
  }

  reset() {
    this.form.elements.answer.value = "";
    this.isAsking = false;
    this.button.disabled = false;
    if (this.form.dataset.conditional) this.renew();
  }

  /** What to do after a failure, in the words of the page. */
  reason({ name }) {
    const { cancelled, present, unsupported, failed } = this.form.dataset;
    if (name === "NotAllowedError" || name === "AbortError") return cancelled;
    if (name === "InvalidStateError") return present ?? cancelled;
    if (name === "NotSupportedError" || name === "ConstraintError") return unsupported ?? failed;
    return failed;
  }

  tell(text) {
    this.status.textContent = text;
    this.status.hidden = !text;
  }
}

/** Hides a part that this browser cannot serve; the only way of a page says instead that it does not work here. */
function giveUp(part) {
  part.hidden = !("alone" in part.dataset);
  part.querySelectorAll("button").forEach((button) => { button.disabled = true; });
  const { dataset } = part.querySelector("form");
  const status = part.querySelector("[role=status]");
  status.textContent = dataset.unsupported ?? dataset.failed;
  status.hidden = false;
}

if (window.PublicKeyCredential && navigator.credentials) {
  document.querySelectorAll("form[data-passkey]").forEach((form) => new KeyForm(form));
} else {
  document.querySelectorAll("[data-passkey-part]").forEach(giveUp);
}
