import ErrorOutlineIcon from '@material-ui/icons/ErrorOutline';
import LockIcon from '@material-ui/icons/LockOutlined';
import { previewReadPermission } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { Notice } from './Notice';
import { TextButton } from './TextButton';

/** HTTP status of an error of the API; undefined for others. */
export function statusOf(error: Error): number | undefined {
  const status = (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** An answer that says no, after which older rows must not stay on the page. */
export function isRefusal(error: Error | undefined): boolean {
  return error !== undefined && [401, 403, 404].includes(statusOf(error) ?? 0);
}

/** Why there is nothing to show: not permitted, or not working. */
export function QueryError(props: { error: Error; onRetry(): void }) {
  const { error, onRetry } = props;
  const { t } = useWords();
  const status = statusOf(error);
  if (status === 403) {
    return (
      <Notice
        icon={<LockIcon aria-hidden />}
        title={t('state.forbidden')}
        hint={t('state.forbiddenHint', {
          permission: previewReadPermission.name,
        })}
      />
    );
  }
  return (
    <Notice
      role="alert"
      icon={<ErrorOutlineIcon aria-hidden />}
      title={t('state.error')}
      hint={status === 503 ? t('state.unavailable') : error.message}
    >
      <div>
        <TextButton primary onClick={onRetry}>
          {t('tab.retry')}
        </TextButton>
      </div>
    </Notice>
  );
}
