export { endedSpans, type TimelineEvent } from './endedSpans';
export { isFirstTrouble } from './firstTrouble';
export { ObservationGaps } from './ObservationGaps';
export { summariseSpans } from './summariseSpans';
export {
  serviceOfPreview,
  UsualDurations,
  type Durations,
} from './UsualDurations';
