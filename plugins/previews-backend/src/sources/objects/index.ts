export { parseChallenge, parseOrder } from './acme';
export { parseAcmeEvent } from './acmeEvent';
export { parseApplication } from './application';
export { parseApplicationSet } from './applicationSet';
export { parseApprovalNote, parseApprovals } from './approvals';
export type { Approval, ApprovalNote } from './approvals';
export { parseCertificate } from './certificate';
export { parseCertificateRequest } from './certificateRequest';
export { parseGateway, parseHttpRoute, parseListenerSet } from './gatewayApi';
export {
  parseChangedPaths,
  parseMergeRequest,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
} from './gitlab';
export type { RegistryRepository, RegistryTag } from './gitlab';
export { parseIngress } from './ingress';
export { parseClusterIssuer, parseIssuer } from './issuer';
export { kindDefinitions } from './kinds';
export type { KindDefinition } from './kinds';
export { parseObjectMeta } from './meta';
export type { ParseContext } from './meta';
export { parseNamespace } from './namespace';
export { parseAnyObject } from './parseAnyObject';
export type { ParsedObject } from './parseAnyObject';
export { parseCommit, parseCommitMergeRequests, parseParents } from './commit';
export { parsePod } from './pod';
export { parseDnsRecord } from './records';
export { canExist, setUpKindDefinitions } from './setUpKinds';
export type { ObjectKindDefinition } from './setUpKinds';
export { parseDeployment, parseReplicaSet, parseStatefulSet } from './workload';
