import { withPage } from '../../vitest.dom.js';

export default withPage('react');
