import Button from '@material-ui/core/Button';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import CallMergeIcon from '@material-ui/icons/CallMerge';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import LinkIcon from '@material-ui/icons/Link';
import SearchIcon from '@material-ui/icons/Search';
import Alert from '@material-ui/lab/Alert';
import {
  AnnotationProblem,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { Notice, sourceName } from '../shared';

const useStyles = makeStyles(
  theme => ({
    code: {
      margin: theme.spacing(2, 0, 0),
      padding: theme.spacing(1.5),
      overflowX: 'auto',
      fontSize: '0.8125rem',
      color: theme.palette.text.primary,
      backgroundColor: theme.palette.background.default,
      border: `1px solid ${theme.palette.divider}`,
    },
    problem: {
      marginBottom: theme.spacing(1),
      padding: '2px 12px',
      color: theme.palette.text.primary,
      overflowWrap: 'anywhere',
    },
  }),
  { name: 'PreviewsEmptyStates' },
);

/** What is wrong with the entity's own annotations, and the fix. */
export function AnnotationProblems(props: {
  problems: readonly AnnotationProblem[];
}) {
  const { problem } = useWords();
  const classes = useStyles();
  return (
    <>
      {props.problems.map(item => (
        <Alert
          // A list in one annotation may have several problems of a kind.
          key={item.message}
          severity="warning"
          className={classes.problem}
        >
          <code>{item.annotation}</code>: {problem(item)}
        </Alert>
      ))}
    </>
  );
}

/** The annotations that lead to a project, as they are written in the catalog. */
const exampleYaml = `metadata:
  annotations:
    gitlab.com/project-slug: group/project
    # or, where the project alone does not decide:
    previews/application-set: argocd/project-previews`;

export function NotOnboarded() {
  const { t } = useWords();
  const classes = useStyles();
  return (
    <Notice
      icon={<LinkIcon aria-hidden />}
      title={t('state.notOnboarded')}
      hint={t('state.notOnboardedHint')}
    >
      <pre
        className={classes.code}
        // Scrolls sideways on a narrow screen, so the keyboard must reach it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('state.annotations')}
        role="region"
      >
        {exampleYaml}
      </pre>
    </Notice>
  );
}

export function NoOpenMergeRequests(props: { project?: string }) {
  const { t } = useWords();
  return (
    <Notice
      icon={<CallMergeIcon aria-hidden />}
      title={t('state.noOpen')}
      hint={
        props.project
          ? t('state.noOpenHint', { project: props.project })
          : t('state.noOpenHintEntity')
      }
    />
  );
}

export function NotReadYet(props: { source: SourceState }) {
  const { t } = useWords();
  return (
    <Notice
      icon={<HourglassEmptyIcon aria-hidden />}
      title={t('state.notRead')}
      hint={t('state.notReadHint', { source: sourceName(props.source) })}
    />
  );
}

export function NoMatch(props: { onClear(): void }) {
  const { t } = useWords();
  return (
    <Notice
      icon={<SearchIcon aria-hidden />}
      title={t('state.noMatch')}
      hint={t('state.noMatchHint')}
    >
      <Typography component="div" variant="body2">
        <Button size="small" color="primary" onClick={props.onClear}>
          {t('filter.clear')}
        </Button>
      </Typography>
    </Notice>
  );
}
