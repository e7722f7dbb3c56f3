import { makeStyles } from '@material-ui/core/styles';
import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { initialsOf } from './names';
import { VisuallyHidden } from './VisuallyHidden';

const useStyles = makeStyles(
  theme => ({
    root: {
      display: 'inline-flex',
      alignItems: 'center',
      justifyContent: 'center',
      flexShrink: 0,
      width: 20,
      height: 20,
      borderRadius: '50%',
      fontSize: '0.625rem',
      fontWeight: 700,
      color: theme.palette.text.primary,
      border: `1px solid ${theme.palette.text.secondary}`,
    },
  }),
  { name: 'PreviewsAuthorLabel' },
);

/** Name and login, as far as GitLab tells them. */
export function authorName({ name, username }: MergeRequest['author']): string {
  return name ? `${name} (${username})` : username;
}

/** An author as initials: the content security policy forbids foreign images. */
export function AuthorLabel(props: { author: MergeRequest['author'] }) {
  const { author } = props;
  const { t } = useWords();
  const classes = useStyles();
  const name = authorName(author);
  return (
    <span className={classes.root} title={name}>
      <span aria-hidden>{initialsOf(author)}</span>
      <VisuallyHidden>{t('row.author', { author: name })}</VisuallyHidden>
    </span>
  );
}
