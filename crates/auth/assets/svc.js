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

/** Shows a time by the clock of this browser, in the language of the page, with the digits of the rest of the page. */
function localize(time) {
  const style = { dateStyle: "medium", timeStyle: "short", numberingSystem: "latn" };
  const format = new Intl.DateTimeFormat(document.documentElement.lang, style);
  time.textContent = format.format(new Date(time.dateTime));
}

document.querySelectorAll("[data-password]").forEach(offerToShow);
document.querySelectorAll("form[data-once]").forEach(sendOnce);
document.querySelectorAll("time").forEach(localize);
window.addEventListener("pageshow", (event) => event.persisted && reopen());
document.querySelector("form[data-auto]")?.submit();
