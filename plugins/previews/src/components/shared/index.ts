export { addressNote } from './addressNote';
export { AgeLabel } from './AgeLabel';
export { ArgoCdLabel } from './ArgoCdLabel';
export { AuthorLabel, authorName } from './AuthorLabel';
export { Badge, DraftBadge } from './Badge';
export { BranchesLabel } from './BranchesLabel';
export {
  CertificateLabel,
  CertificateNoteText,
  CertificateState,
} from './CertificateLabel';
export {
  certificateNoteAt,
  certificateStateAt,
  worstCertificate,
} from './certificates';
export { CommitLabel } from './CommitLabel';
export { commitState, shortSha } from './commitState';
export { CountsLine } from './CountsLine';
export { FindingBars } from './FindingBars';
export { hasEnded } from './ended';
export { joinClasses } from './joinClasses';
export {
  mergeRequestName,
  mergeRequestTitle,
  sourceName,
  sourceNameOfId,
} from './names';
export { Notice } from './Notice';
export { NextTry } from './NextTry';
export { OpenAction, openUrl } from './OpenAction';
export { PhaseLabel } from './PhaseLabel';
export { isRefusal, QueryError, statusOf } from './QueryError';
export { ReasonLine } from './ReasonLine';
export { StaleBar } from './StaleBar';
export { TextButton } from './TextButton';
export { TimeLabel } from './TimeLabel';
export { TtlLine } from './TtlLine';
export { phaseTones, toneColor } from './tones';
export type { Tone } from './tones';
export { unreadGitLab } from './unreadGitLab';
export { unreadSource } from './unreadSource';
export { useToneStyles } from './useToneStyles';
export { VisuallyHidden } from './VisuallyHidden';
export { applicationTones, healthTone, syncTone } from './worst';
