import { withPage } from '../../vitest.dom.js';

export default withPage('frontend-ui');
