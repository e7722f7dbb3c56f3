import { PropsWithChildren } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';

const useStyles = makeStyles(
  theme => ({
    badge: {
      flexShrink: 0,
      fontSize: '0.6875rem',
      lineHeight: '16px',
      padding: '0 4px',
      borderRadius: 3,
      border: `1px solid ${theme.palette.text.secondary}`,
      color: theme.palette.text.secondary,
    },
  }),
  { name: 'PreviewsBadge' },
);

/** One word about a merge request, beside its title. */
export function Badge(props: PropsWithChildren<{ title?: string }>) {
  const classes = useStyles();
  return (
    <span className={classes.badge} title={props.title}>
      {props.children}
    </span>
  );
}

/** Says of a draft that it is one, since its name does not; nothing for others. */
export function DraftBadge(props: { mergeRequest: MergeRequest }) {
  const { t } = useWords();
  return props.mergeRequest.draft ? <Badge>{t('row.draft')}</Badge> : null;
}
