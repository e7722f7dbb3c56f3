export { EventsRefresh, subscribeToHints } from './hints';
export type { HintListener } from './hints';
export { PreviewMetrics } from './metrics';
export type { MetricsReader } from './metrics';
export { PreviewNotifier } from './notifications';
export type { Hint } from './parseHint';
export { PreviewSignals } from './signals';
export type { SignalPublisher } from './signals';
