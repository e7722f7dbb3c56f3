export { EventsRefresh, subscribeToHints } from './hints';
export type { HintListener } from './hints';
export type { Hint } from './parseHint';
export { PreviewSignals } from './signals';
export type { SignalPublisher } from './signals';
