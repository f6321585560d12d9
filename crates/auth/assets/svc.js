// Conveniences only: every page works without this file.

/** Adds a button that shows what has been typed into a password field. */
function offerToShow(box) {
  const input = box.querySelector("input");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "reveal";
  button.setAttribute("aria-controls", input.id);
  // One name and a state: "Show password, pressed". The picture is the stylesheet's.
  button.setAttribute("aria-label", box.dataset.show);
  button.title = box.dataset.show;
  const set = (shown) => {
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  };
  set(false);
  button.addEventListener("click", () => {
    set(input.type === "password");
    input.focus();
  });
  // Password managers and browsers remember fields of type "password" only.
  input.form?.addEventListener("submit", () => set(false));
  box.append(button);
}

/** About how many bits a password has: what repeats or follows the letter before counts little. The service judges by itself. */
function bits(password) {
  const kinds = [[/[a-z]/, 26], [/[A-Z]/, 26], [/[0-9]/, 10], [/[ -/:-@[-`{-~]/, 33], [/[^ -~]/, 100]];
  const letters = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const codes = Array.from(password, (letter) => letter.codePointAt(0));
  const isNew = (code, at) => at === 0 || Math.abs(code - codes[at - 1]) > 1;
  return codes.reduce((sum, code, at) => sum + (isNew(code, at) ? Math.log2(letters) : 1), 0);
}

/** Says how strong a new password is while it is typed. */
function measure(box) {
  const input = box.querySelector("input");
  const texts = box.dataset.strengths.split("|");
  const shown = document.createElement("div");
  const meter = document.createElement("meter");
  const said = document.createElement("span");
  shown.className = "strength";
  meter.setAttribute("aria-label", box.dataset.strength);
  Object.assign(meter, { min: 0, max: texts.length, low: 1.5, high: 2.5, optimum: texts.length });
  said.setAttribute("role", "status");
  shown.append(meter, said);
  input.addEventListener("input", () => {
    const isShort = input.value.length < input.minLength;
    const rank = isShort ? 0 : [45, 60, 80].filter((least) => bits(input.value) >= least).length;
    meter.value = rank + 1;
    said.textContent = texts[rank];
    if (!input.value) shown.remove();
    else if (!shown.isConnected) box.after(shown);
  });
}

/** Lets a form be sent once; a disabled button would lose its name and value. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    event.submitter?.classList.add("is-busy");
  });
}

/** The back button brings a page from memory: its forms may be sent again. */
function reopen() {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
    form.querySelector(".is-busy")?.classList.remove("is-busy");
  }
}

/** Shows a time by the clock of this browser, or a day, in the language of the page, with the digits of the rest of the page. */
function localize(time) {
  const part = time.dateTime.includes("T") ? { timeStyle: "short" } : { timeZone: "UTC" };
  const style = { dateStyle: "medium", numberingSystem: "latn", ...part };
  const format = new Intl.DateTimeFormat(document.documentElement.lang, style);
  time.textContent = format.format(new Date(time.dateTime));
}

/** Buttons that copy and print a list of codes. Where a browser lets no page copy, the codes are selected for the person to copy. */
function keepCodes(box) {
  const list = document.getElementById(box.dataset.codes);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(Array.from(list.children, (code) => code.textContent).join("\n"));
      document.getElementById(box.dataset.status).textContent = box.dataset.copied;
    } catch {
      getSelection().selectAllChildren(list);
    }
  };
  box.querySelector("[data-copies]").addEventListener("click", copy);
  box.querySelector("[data-prints]").addEventListener("click", () => window.print());
}

document.querySelectorAll("[data-password]").forEach(offerToShow);
document.querySelectorAll("[data-codes]").forEach(keepCodes);
document.querySelectorAll("[data-strengths]").forEach(measure);
document.querySelectorAll("form[data-once]").forEach(sendOnce);
document.querySelectorAll("time").forEach(localize);
window.addEventListener("pageshow", (event) => event.persisted && reopen());
document.querySelector("form[data-auto]")?.submit();
