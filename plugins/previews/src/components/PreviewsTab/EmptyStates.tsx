import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import CallMergeIcon from '@material-ui/icons/CallMerge';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import LinkIcon from '@material-ui/icons/Link';
import SearchIcon from '@material-ui/icons/Search';
import Alert from '@material-ui/lab/Alert';
import { LinkButton } from '@backstage/core-components';
import {
  AnnotationProblem,
  EntityChecks,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { ExternalLink, useTemplates } from '../../links';
import { useWords } from '../../words';
import { ChecksList } from '../Checks';
import { Notice, sourceName, TextButton } from '../shared';

const useStyles = makeStyles(
  theme => ({
    code: {
      margin: theme.spacing(1, 0, 0),
      padding: theme.spacing(1.5),
      overflowX: 'auto',
      fontSize: '0.8125rem',
      color: theme.palette.text.primary,
      backgroundColor: theme.palette.background.default,
      border: `1px solid ${theme.palette.divider}`,
    },
    action: { margin: theme.spacing(1.5, 0, 0) },
    button: { textTransform: 'none' },
    byHand: { marginTop: theme.spacing(2) },
    checks: { marginTop: theme.spacing(2) },
    notice: { marginBottom: theme.spacing(1) },
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

/** The way to previews: the form, else a page that explains it. */
function GetPreviews() {
  const { t } = useWords();
  const classes = useStyles();
  const { onboard, docsUrl } = useTemplates();
  if (onboard) {
    return (
      <p className={classes.action}>
        <LinkButton
          to={onboard}
          className={classes.button}
          variant="contained"
          color="primary"
        >
          {t('state.onboard')}
        </LinkButton>
      </p>
    );
  }
  return docsUrl ? (
    <p className={classes.action}>
      <ExternalLink href={docsUrl}>{t('state.onboardDocs')}</ExternalLink>
    </p>
  ) : null;
}

/** Nothing leads to a project: the form, the annotations, and what the checks find already. */
export function NotOnboarded(props: { checks?: EntityChecks }) {
  const { checks } = props;
  const { t } = useWords();
  const classes = useStyles();
  return (
    <Notice
      icon={<LinkIcon aria-hidden />}
      title={t('state.notOnboarded')}
      hint={t('state.notOnboardedHint')}
    >
      <GetPreviews />
      <Typography variant="body2" className={classes.byHand}>
        {t('state.annotationsHint')}
      </Typography>
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
      {checks &&
        (checks.results.length > 0 || checks.incomplete.length > 0) && (
          <div className={classes.checks}>
            <Typography variant="subtitle2" component="h4">
              {t('checks.already')}
            </Typography>
            <ChecksList checks={checks} />
          </div>
        )}
    </Notice>
  );
}

/** The project is known, but nothing makes previews of its merge requests. */
export function NoApplicationSet(props: { project?: string }) {
  const { project } = props;
  const { t } = useWords();
  const classes = useStyles();
  return (
    <div className={classes.notice}>
      <Notice
        icon={<LinkIcon aria-hidden />}
        title={t('state.noSet')}
        hint={
          project
            ? t('state.noSetHint', { project })
            : t('state.noSetHintEntity')
        }
      >
        <GetPreviews />
      </Notice>
    </div>
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
        <TextButton primary onClick={props.onClear}>
          {t('filter.clear')}
        </TextButton>
      </Typography>
    </Notice>
  );
}
