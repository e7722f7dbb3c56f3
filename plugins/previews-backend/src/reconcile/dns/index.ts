export { dnsNameOf, hostsToRemember } from './hosts';
export { HostsInUse } from './HostsInUse';
export { leftRecords, ownershipName } from './leftRecords';
export type { LeftRecord } from './leftRecords';
export { observeDns, zonesOf } from './observeDns';
export type { ObservedHost } from './observeDns';
