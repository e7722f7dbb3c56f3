export {
  serviceOfPreview,
  UsualDurations,
  type Durations,
} from './UsualDurations';
