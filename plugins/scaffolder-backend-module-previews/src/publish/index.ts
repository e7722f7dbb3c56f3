export { FilePublisher, type Publication } from './FilePublisher';
