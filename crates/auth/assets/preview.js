// Shows the draft while it is typed: the same form, sent by the script. Without this file the button shows it.

const form = document.getElementById("preview-form");
let pause;
let latest = 0;

/** Sends the form, and puts what the answer shows in place of what is there; an answer that another overtook is dropped. */
async function refresh() {
  const number = ++latest;
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok || number !== latest) return;
  const page = new DOMParser().parseFromString(withOwnNonce(await answer.text()), "text/html");
  const shown = page.getElementById("preview-shown");
  if (shown) document.getElementById("preview-shown").replaceWith(document.adoptNode(shown));
}

/** Styles of the answer and of its frame come under the policy of this page, which knows its own nonce alone. */
function withOwnNonce(text) {
  const [, nonce] = text.match(/<script[^>]* nonce="([^"]+)"/);
  return text.replaceAll(nonce, document.querySelector("script[nonce]").nonce);
}

form?.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(refresh, 400);
});
