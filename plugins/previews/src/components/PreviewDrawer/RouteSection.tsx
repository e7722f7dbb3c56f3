import { ComponentType } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import CancelIcon from '@material-ui/icons/Cancel';
import CheckCircleIcon from '@material-ui/icons/CheckCircle';
import HelpOutlineIcon from '@material-ui/icons/HelpOutline';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import {
  Preview,
  ProbeSummary,
  RouteSummary,
  ShownCertificate,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses, Tone, useToneStyles } from '../shared';
import { ResourceList } from './ResourceList';
import {
  probeStateOf,
  probeTones,
  routeStateOf,
  routeTones,
} from './routeState';
import { useListStyles } from './useListStyles';

const icons: Record<Tone, ComponentType<SvgIconProps>> = {
  good: CheckCircleIcon,
  moving: HourglassEmptyIcon,
  warning: ReportProblemIcon,
  bad: CancelIcon,
  neutral: HelpOutlineIcon,
};

const useStyles = makeStyles(
  {
    state: { display: 'inline-flex', alignItems: 'center', gap: 4 },
    icon: { fontSize: '1rem', flexShrink: 0 },
  },
  { name: 'PreviewsRouteSection' },
);

function StateWord(props: { tone: Tone; text: string }) {
  const { tone, text } = props;
  const classes = useStyles();
  const tones = useToneStyles();
  const Icon = icons[tone];
  return (
    <span className={joinClasses(classes.state, tones[tone])}>
      <Icon className={classes.icon} aria-hidden />
      {text}
    </span>
  );
}

function RouteItem(props: { route: RouteSummary; isTold: boolean }) {
  const { route, isTold } = props;
  const { t, sentence } = useWords();
  const classes = useListStyles();
  const state = routeStateOf(route);
  return (
    <>
      <div className={classes.line}>
        <StateWord tone={routeTones[state]} text={t(`routes.${state}`)} />
        <strong>{route.hosts.join(', ')}</strong>
      </div>
      <div className={classes.quiet}>
        {route.kind} {route.namespace}/{route.name}
        {route.parents.length > 0 && ` → ${route.parents.join(', ')}`}
      </div>
      {state !== 'accepted' && !isTold && (
        <div>{sentence({ type: 'RouteAccepted', ...route })}</div>
      )}
    </>
  );
}

function ShownCertificateLine(props: { certificate: ShownCertificate }) {
  const { certificate } = props;
  const { t, date } = useWords();
  const classes = useListStyles();
  const { names, issuer, notAfter, namesHost, trusted, error } = certificate;
  const facts = [
    issuer && t('probe.issuer', { issuer }),
    t('probe.until', { date: date(notAfter) }),
    !namesHost && t('probe.otherHost'),
    trusted
      ? t('probe.trusted')
      : [t('probe.notTrusted'), error && `(${error})`]
          .filter(Boolean)
          .join(' '),
  ].filter(Boolean);
  return (
    <div className={classes.quiet} title={certificate.chain.join(' → ')}>
      {[t('probe.certificate', { names: names.join(', ') }), ...facts].join(
        ' · ',
      )}
    </div>
  );
}

function ProbeItem(props: { probe: ProbeSummary; isTold: boolean }) {
  const { probe, isTold } = props;
  const { t, relative, dateTime, sentence } = useWords();
  const classes = useListStyles();
  const state = probeStateOf(probe);
  const { host, milliseconds, observedAt, params, certificate } = probe;
  const visited = state === 'unknown' ? undefined : relative(observedAt);
  return (
    <>
      <div className={classes.line}>
        <StateWord tone={probeTones[state]} text={t(`probe.${state}`)} />
        <strong>{host}</strong>
        <span className={classes.quiet}>
          {[
            typeof params.status === 'number' &&
              t('probe.status', { status: String(params.status) }),
            milliseconds !== undefined &&
              t('probe.milliseconds', { number: String(milliseconds) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {visited && (
          <time
            className={classes.quiet}
            dateTime={observedAt}
            title={dateTime(observedAt)}
          >
            {t('probe.observed', { time: visited })}
          </time>
        )}
      </div>
      {/* That it answers, and with what, is said already. */}
      {!isTold && probe.reason !== 'Answered' && (
        <div className={joinClasses(state === 'answers' && classes.quiet)}>
          {sentence({ type: 'Reachable', ...probe })}
        </div>
      )}
      {certificate && <ShownCertificateLine certificate={certificate} />}
    </>
  );
}

/** The routes that lead to the preview, and what the portal found when it visited its hosts. */
export function RouteSection(props: { preview: Preview }) {
  const { routes, probes = [], reason: told } = props.preview;
  const { t } = useWords();
  const classes = useListStyles();
  if (routes.length === 0 && probes.length === 0) {
    return <p className={classes.item}>{t('routes.none')}</p>;
  }
  return (
    <>
      <ResourceList title={t('routes.list')} items={routes}>
        {route => (
          <RouteItem
            route={route}
            isTold={
              told?.type === 'RouteAccepted' &&
              told.reason === route.reason &&
              told.params.route === route.params?.route
            }
          />
        )}
      </ResourceList>
      <ResourceList
        title={t('routes.probes')}
        items={probes.map(probe => ({
          ...probe,
          cluster: '',
          name: probe.host,
        }))}
      >
        {probe => (
          <ProbeItem
            probe={probe}
            isTold={
              told?.type === 'Reachable' &&
              told.reason === probe.reason &&
              told.params.host === probe.host
            }
          />
        )}
      </ResourceList>
    </>
  );
}
