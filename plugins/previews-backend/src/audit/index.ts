export { checkSetUp, type Answered } from './checkSetUp';
export { goneEntities } from './goneEntities';
export {
  requestKey,
  requestsFollowing,
  requestsOf,
  type WantedObjects,
} from './requestsOf';
export { setUpsOf, type EntitySetUp } from './setUpOf';
export { supersede } from './supersede';
export { webhookSeen } from './webhookSeen';
