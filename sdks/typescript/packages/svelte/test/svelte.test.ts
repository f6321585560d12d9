import { mount, unmount } from 'svelte';
import { components } from '../../../test/components.js';
import Page from './Page.svelte';

components((client, target) => {
  const page = mount(Page, { target, props: { client } });
  let isShown = true;
  return () => {
    if (isShown) void unmount(page);
    isShown = false;
  };
});
