export { ChecksBar } from './ChecksBar';
export { ChecksList } from './ChecksList';
export { ChecksWarning } from './ChecksWarning';
