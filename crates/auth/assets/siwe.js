// Wallets of Ethereum (EIP-1193, EIP-6963): asks one for an account of the person, and then for the signature. Where a browser has
// none, the person copies the message and pastes the signature.

const ANNOUNCED_WITHIN = 200;

/** The wallets of the browser: those that announce themselves, or the one that stands in the window. */
async function wallets() {
  const found = new Map();
  const announced = ({ detail }) =>
    detail?.provider && found.set(detail.info?.uuid, { name: detail.info?.name, provider: detail.provider });
  window.addEventListener("eip6963:announceProvider", announced);
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  await new Promise((resolve) => setTimeout(resolve, ANNOUNCED_WITHIN));
  window.removeEventListener("eip6963:announceProvider", announced);
  if (found.size === 0 && window.ethereum) found.set("window", { provider: window.ethereum });
  return [...found.values()];
}

const hex = (text) =>
  "0x" + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A form whose button lets a wallet fill in what a person would type: a button for each, where it matters which. */
class WalletForm {
  constructor(form, wallets) {
    this.form = form;
    this.wallets = wallets;
    this.status = form.querySelector("[role=status]");
    const signs = form.dataset.siwe === "sign";
    const first = form.querySelector("[data-siwe-button]");
    this.buttons = signs ? [first] : wallets.map((wallet) => this.labelled(first, wallet));
    this.buttons.forEach((button, nth) => {
      button.addEventListener("click", () => this.ask(() => (signs ? this.sign() : this.connect(wallets[nth]))));
      button.hidden = false;
    });
    // The back button brings a page from memory.
    window.addEventListener("pageshow", (event) => event.persisted && this.enable(true));
    if (form.dataset.now) this.ask(() => this.sign());
  }

  /** The button of a wallet, which has its name where there are several. */
  labelled(first, { name }) {
    const button = first.cloneNode(true);
    if (this.wallets.length > 1) {
      button.removeAttribute("id");
      if (name) button.textContent += `: ${name}`;
    }
    first.before(button);
    if (this.wallets.length === 1) first.remove();
    return button;
  }

  async ask(step) {
    const pressed = document.activeElement;
    this.enable(false);
    this.tell("");
    try {
      await step();
      this.form.submit();
    } catch ({ name }) {
      this.enable(true);
      // A button that is disabled loses the focus, and with it the keyboard its place on the page.
      if (this.buttons.includes(pressed)) pressed.focus();
      this.tell(name === "NotFoundError" ? this.form.dataset.missing : this.form.dataset.cancelled);
    }
  }

  /** Takes the account and the chain that the wallet is at, where that chain is offered. */
  async connect({ provider }) {
    const { address, chain_id: chain, wallet } = this.form.elements;
    const [account] = await provider.request({ method: "eth_requestAccounts" });
    const id = String(Number(await provider.request({ method: "eth_chainId" })));
    if ([...(chain.options ?? [])].some((option) => option.value === id)) chain.value = id;
    address.value = account;
    wallet.value = "yes";
  }

  /** Has the message signed by the wallet that has the account. */
  async sign() {
    const { address } = this.form.dataset;
    const provider = await this.holder(address.toLowerCase());
    const message = document.getElementById("siwe-message").value;
    this.form.elements.signature.value = await provider.request({
      method: "personal_sign",
      params: [hex(message), address],
    });
  }

  async holder(address) {
    for (const { provider } of this.wallets) {
      const accounts = await provider.request({ method: "eth_accounts" }).catch(() => []);
      if (accounts.some((account) => account.toLowerCase() === address)) return provider;
    }
    throw new DOMException("no wallet has the account", "NotFoundError");
  }

  enable(isOn) {
    this.buttons.forEach((button) => (button.disabled = !isOn));
  }

  tell(text) {
    this.status.textContent = text;
    this.status.hidden = !text;
  }
}

const found = await wallets();
if (found.length > 0) {
  document.querySelectorAll("form[data-siwe]").forEach((form) => new WalletForm(form, found));
}
