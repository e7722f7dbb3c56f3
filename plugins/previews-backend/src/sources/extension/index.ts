export { createExtensions } from './createExtensions';
