/**
 * Webhook ingress of the previews plugin.
 *
 * @packageDocumentation
 */
export {
  eventsModulePreviews,
  eventsModulePreviews as default,
} from './module';
