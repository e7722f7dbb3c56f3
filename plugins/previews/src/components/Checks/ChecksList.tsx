import { ComponentType, useState } from 'react';
import Link from '@material-ui/core/Link';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import ErrorIcon from '@material-ui/icons/Error';
import InfoOutlinedIcon from '@material-ui/icons/InfoOutlined';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import {
  CheckResult,
  CheckSeverity,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import { useCheckTexts, useWords } from '../../words';
import {
  joinClasses,
  sourceNameOfId,
  TimeLabel,
  useToneStyles,
} from '../shared';
import { knownSeverity, severityTones, subjectName } from './checks';

/** More than these would push the rest of the page out of sight. */
const MOST = 5;

export const severityIcons: Record<
  CheckSeverity,
  ComponentType<SvgIconProps>
> = {
  error: ErrorIcon,
  warning: ReportProblemIcon,
  info: InfoOutlinedIcon,
};

const useStyles = makeStyles(
  theme => ({
    list: {
      listStyle: 'none',
      margin: 0,
      padding: 0,
      fontSize: '0.8125rem',
      lineHeight: '20px',
    },
    item: {
      display: 'flex',
      gap: theme.spacing(1),
      padding: theme.spacing(0.75, 0),
      overflowWrap: 'anywhere',
      '& + &': { borderTop: `1px solid ${theme.palette.divider}` },
    },
    severity: {
      display: 'inline-flex',
      alignItems: 'center',
      alignSelf: 'flex-start',
      gap: 4,
      flex: '0 0 96px',
      fontWeight: 600,
      lineHeight: '20px',
    },
    icon: { fontSize: '1rem', flexShrink: 0 },
    texts: { minWidth: 0 },
    quiet: { color: theme.palette.text.secondary },
    foot: {
      margin: theme.spacing(0.75, 0, 0),
      fontSize: '0.8125rem',
      color: theme.palette.text.secondary,
      overflowWrap: 'anywhere',
    },
  }),
  { name: 'PreviewsChecksList' },
);

/** The object, and what on it the verdict is found on. */
function Evidence(props: { result: CheckResult }) {
  const { result } = props;
  const { path, value } = result.evidence;
  return (
    <>
      {subjectName(result)}
      {path && (
        <>
          {' · '}
          <code>{value === undefined ? path : `${path}: ${value}`}</code>
        </>
      )}
    </>
  );
}

/** What the readiness checks found: what is wrong, on what evidence, and what to do. */
export function ChecksList(props: { checks: EntityChecks }) {
  const { results, counts, checkedAt, incomplete } = props.checks;
  const { t } = useWords();
  const textsOf = useCheckTexts();
  const classes = useStyles();
  const tones = useToneStyles();
  const [all, setAll] = useState(false);
  const shown = all ? results : results.slice(0, MOST);
  const left = results.length - shown.length;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {results.length > 0 && (
        <ul className={classes.list} aria-label={t('checks.label')}>
          {shown.map((result, index) => {
            const severity = knownSeverity(result.severity);
            const Icon = severityIcons[severity];
            const { problem, fix } = textsOf(result);
            return (
              <li
                // One check may find several things on one object.
                // eslint-disable-next-line react/no-array-index-key
                key={`${result.id} ${subjectName(result)} ${index}`}
                className={classes.item}
              >
                <span
                  className={joinClasses(
                    classes.severity,
                    tones[severityTones[severity]],
                  )}
                >
                  <Icon className={classes.icon} aria-hidden />
                  {t(`checks.${severity}.word`)}
                </span>
                <div className={classes.texts}>
                  <div>{problem}</div>
                  <div>{fix}</div>
                  <div className={classes.quiet}>
                    <Evidence result={result} />
                  </div>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      {left > 0 && (
        <p className={classes.foot}>
          <Link
            component="button"
            variant="inherit"
            onClick={() => setAll(true)}
          >
            {t('checks.more', { number: String(left) })}
          </Link>
        </p>
      )}
      {left === 0 && total > results.length && (
        <p className={classes.foot}>
          {t('checks.notListed', { number: String(total - results.length) })}
        </p>
      )}
      {incomplete.length > 0 && (
        <p className={classes.foot}>
          {t('checks.incomplete', {
            sources: incomplete.map(sourceNameOfId).join(', '),
          })}
        </p>
      )}
      <p className={classes.foot}>
        {t('checks.checked')} <TimeLabel time={checkedAt} />
      </p>
    </>
  );
}
