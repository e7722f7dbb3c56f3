export { TierLine } from './TierLine';
export { TierStrip } from './TierStrip';
