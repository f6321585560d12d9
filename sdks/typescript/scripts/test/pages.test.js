// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://shop.example/" }
// The programs of the pages about frameworks, letter by letter, mounted in a page: a stranger sees the button and what is for strangers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';
import { beforeEach, expect, test } from 'vitest';

// In a page, modules have no addresses of files.
const root = process.cwd();
beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div><div id="app"></div>';
});

/** The first program in a language on a page. */
function block(page, language) {
  const text = readFileSync(join(root, '..', '..', 'docs', 'packages', `${page}.md`), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)[1];
}

async function mounted(contents, loader, plugins = []) {
  const { outputFiles } = await build({
    stdin: { contents, loader, resolveDir: root },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins,
    logLevel: 'error',
  });
  await import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  await expect.poll(() => document.body.textContent, { timeout: 30_000 }).toContain('Sign in first.');
  const buttons = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
  await expect.poll(buttons, { timeout: 30_000 }).toContain('Sign in');
  expect(document.body.textContent).not.toContain('Hello');
}

test('React', () => mounted(block('react', 'tsx'), 'tsx'));
// What the page gives is a provider and a hook: the rest of an application that had Auth0's is put after it.
test('the migration from Auth0', () => mounted(`${block('migrate', 'tsx')}
import { createRoot } from 'react-dom/client';

function Page() {
  const { isLoading, isAuthenticated, user, loginWithRedirect } = useAuth();
  if (isAuthenticated) return <p>Hello, {user?.name}.</p>;
  return <><p>{isLoading ? '' : 'Sign in first.'}</p><button onClick={() => loginWithRedirect()}>Sign in</button></>;
}

createRoot(document.getElementById('root')!).render(<Provider><Page /></Provider>);
`, 'tsx'));
test('Vue', () => mounted(block('vue', 'ts'), 'ts'));
test('Solid', () => mounted(block('solid', 'ts'), 'ts'));

test('Svelte', async () => {
  const files = { './auth.js': [block('svelte', 'ts'), 'ts'], './Page.svelte': [block('svelte', 'svelte'), 'svelte'] };
  const compiled = (source, filename) => ({ contents: compile(source, { generate: 'client', filename }).js.code, loader: 'js' });
  const page = {
    name: 'page',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/(auth\.js|Page\.svelte)$/ }, ({ path }) => ({ path, namespace: 'page' }));
      onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => {
        const [text, loader] = files[path];
        return { ...(loader === 'ts' ? { contents: text, loader } : compiled(text, 'Page.svelte')), resolveDir: root };
      });
      onLoad({ filter: /\.svelte$/ }, ({ path }) => compiled(readFileSync(path, 'utf8'), path));
    },
  };
  const start = "import { mount } from 'svelte'; import Page from './Page.svelte'; mount(Page, { target: document.getElementById('app') });";
  await mounted(start, 'js', [page]);
});
