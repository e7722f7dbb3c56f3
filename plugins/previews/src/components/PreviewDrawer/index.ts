export { PreviewDrawer } from './PreviewDrawer';
