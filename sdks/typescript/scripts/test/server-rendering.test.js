// The packages for frameworks as they are built, rendered in a Node without any page: nothing is touched, no one is signed in yet.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import { afterAll, expect, test } from 'vitest';
import { root } from '../packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-server-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CLIENT = `
  import { createClient } from '@svc/client';
  const client = createClient({ baseURL: 'https://id.example', oauth: { clientId: 'app_1', redirectUri: 'https://shop.example/callback' } });
`;
const PAGES = {
  react: `
    import { createElement as h } from 'react';
    import { renderToString } from 'react-dom/server';
    import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton } from '@svc/react';
    const page = h(SvcProvider, { client }, h(SignInButton), h(UserButton), h(OrganizationSwitcher), h(Protect, { fallback: 'nothing' }, 'secret'));
    console.log(renderToString(page));`,
  vue: `
    import { createSSRApp, h } from 'vue';
    import { renderToString } from 'vue/server-renderer';
    import { OrganizationSwitcher, Protect, SignInButton, UserButton, createSvc } from '@svc/vue';
    const protect = h(Protect, {}, { default: () => 'secret', fallback: () => 'nothing' });
    const app = createSSRApp({ render: () => [h(SignInButton), h(UserButton), h(OrganizationSwitcher), protect] });
    console.log(await renderToString(app.use(createSvc(client))));`,
  solid: `
    import { createComponent } from 'solid-js';
    import { renderToString } from 'solid-js/web';
    import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton } from '@svc/solid';
    const children = () => [
      createComponent(SignInButton, {}), createComponent(UserButton, {}), createComponent(OrganizationSwitcher, {}),
      createComponent(Protect, { children: 'secret', fallback: 'nothing' }),
    ];
    console.log(renderToString(() => createComponent(SvcProvider, { client, get children() { return children(); } })));`,
  svelte: `
    import { render } from 'svelte/server';
    import Page from './Page.svelte';
    console.log(render(Page, { props: { client } }).body);`,
};
const PAGE = `
<script>
  import { OrganizationSwitcher, Protect, SignInButton, UserButton, setClient } from '@svc/svelte';
  let { client } = $props();
  setClient(client);
</script>
<SignInButton /><UserButton /><OrganizationSwitcher />
<Protect>secret{#snippet fallback()}nothing{/snippet}</Protect>`;

/** Compiles components for servers. */
const svelte = {
  name: 'svelte',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/Page\.svelte$/ }, ({ resolveDir }) => ({ path: join(resolveDir, 'Page.svelte') }));
    onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const source = path === join(root, 'Page.svelte') ? PAGE : readFileSync(path, 'utf8');
      return { contents: compile(source, { generate: 'server', filename: path }).js.code, loader: 'js' };
    });
  },
};

for (const [name, page] of Object.entries(PAGES)) {
  test(`a page of ${name}`, async () => {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      stdin: { contents: CLIENT + page, resolveDir: root },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'es2022',
      // React's server is CommonJS.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      plugins: [svelte],
      logLevel: 'error',
    });
    const html = execFileSync(process.execPath, [outfile], { encoding: 'utf8' });
    expect(html).toContain('nothing');
    expect(html).not.toContain('secret');
  });
}

test('server components take the package for React as one of client components', () => {
  expect(readFileSync(join(root, 'packages/react/dist/index.js'), 'utf8')).toMatch(/^'use client';\n/);
});
