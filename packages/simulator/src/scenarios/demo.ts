import type { Simulator } from '../simulator';
import { runActivityLoop } from './activityLoop';
import { addDemoRepositories } from './demoRepositories';
import type { Service } from './scenarioBuilder';

const HOUR_MILLISECONDS = 3600 * 1000;
const FIRST_PUSH_MILLISECONDS = 60_000;
const FIRST_CLOSE_MILLISECONDS = 75_000;

interface DemoMergeRequest {
  branch: string;
  title: string;
  author: string;
  labels?: string[];
  draft?: boolean;
  /** The image was built before the demonstration began. */
  built?: boolean;
  hoursOld: number;
}

function open(
  simulator: Simulator,
  service: Service,
  options: DemoMergeRequest,
): { project: string; iid: number } {
  const { state } = simulator.gitlab;
  const { iid, sha } = simulator.control.openMergeRequest({
    project: service.project,
    sourceBranch: options.branch,
    title: options.title,
    author: options.author,
    labels: options.labels,
    draft: options.draft,
  });
  const mergeRequest = state.mergeRequest({ project: service.project, iid });
  mergeRequest.createdAt = new Date(
    simulator.platform.clock.now().getTime() -
      options.hoursOld * HOUR_MILLISECONDS,
  ).toISOString();
  if (options.built && sha) {
    state.pushTag({ project: service.project, tag: sha.slice(0, 8) });
  }
  return { project: service.project, iid };
}

/**
 * A group with three services, one of them with dev and prod, one without previews, and merge requests in every state that people meet: live, updating,
 * building, failing, without the label, draft, closing, without a certificate. Afterwards something happens about every
 * minute.
 */
export function demoScenario(simulator: Simulator): () => void {
  const { scenario, faults, control } = simulator;
  const checkout = scenario.addService({
    name: 'checkout',
    description: 'Basket, payment and order confirmation',
    previewLabels: true,
  });
  const catalogue = scenario.addService({
    name: 'catalogue',
    description: 'Products, prices and search',
    requireLabel: true,
    template: 'valuesObject',
  });
  const payments = scenario.addService({
    name: 'payments',
    description: 'Cards, refunds and reconciliation',
    template: 'kustomize',
    route: 'ingress',
  });

  addDemoRepositories(simulator, checkout);

  faults.platform.setStanding(
    'pipeline',
    'shop/payments@feature/new-ledger',
    'fails',
  );
  faults.platform.setStanding(
    'imageTag',
    'shop/payments@chore/slim-image',
    'never',
  );
  faults.platform.setStanding(
    'imageTag',
    'shop/payments@fix/short-tag',
    'sevenCharacters',
  );

  open(simulator, checkout, {
    branch: 'feature/one-page-checkout',
    title: 'Check out on one page',
    author: 'dev1',
    built: true,
    hoursOld: 50,
  });
  const updating = open(simulator, checkout, {
    branch: 'feature/gift-cards',
    title: 'Accept gift cards',
    author: 'dev2',
    built: true,
    hoursOld: 30,
  });
  open(simulator, checkout, {
    branch: 'fix/rounding',
    title: 'Round totals once, at the end',
    author: 'dev3',
    hoursOld: 1,
  });
  open(simulator, checkout, {
    branch: 'spike/voice-orders',
    title: 'Try orders by voice',
    author: 'dev1',
    draft: true,
    built: true,
    hoursOld: 100,
  });
  const closing = open(simulator, checkout, {
    branch: 'feature/express-lane',
    title: 'Express lane for returning customers',
    author: 'dev2',
    built: true,
    hoursOld: 70,
  });

  open(simulator, catalogue, {
    branch: 'feature/search-facets',
    title: 'Filter search results by facets',
    author: 'dev4',
    labels: ['preview'],
    built: true,
    hoursOld: 26,
  });
  open(simulator, catalogue, {
    branch: 'feature/price-history',
    title: 'Show the price history of a product',
    author: 'dev5',
    labels: ['preview', 'needs-design'],
    built: true,
    hoursOld: 12,
  });
  open(simulator, catalogue, {
    branch: 'chore/tidy-imports',
    title: 'Tidy imports',
    author: 'dev4',
    hoursOld: 5,
  });
  open(simulator, catalogue, {
    branch: 'fix/umlauts-in-search',
    title: 'Find products with umlauts',
    author: 'dev6',
    labels: ['bug', 'preview'],
    hoursOld: 0.5,
  });

  const limited = open(simulator, catalogue, {
    branch: 'feature/back-in-stock',
    title: 'Tell customers what is back in stock',
    author: 'dev5',
    labels: ['preview'],
    built: true,
    hoursOld: 4,
  });
  // Of its own host alone: others of the domain go on being issued.
  faults.platform.setStanding(
    'certificate',
    `preview-mr-${catalogue.projectId}-${limited.iid}`,
    'rateLimitedSet',
  );

  const crashing = open(simulator, payments, {
    branch: 'feature/instant-refunds',
    title: 'Refund at once',
    author: 'dev7',
    built: true,
    hoursOld: 20,
  });
  faults.platform.setStanding(
    'workload',
    `preview-mr-${payments.projectId}-${crashing.iid}`,
    'crashLoop',
  );
  open(simulator, payments, {
    branch: 'chore/slim-image',
    title: 'Make the image smaller',
    author: 'dev7',
    hoursOld: 8,
  });
  open(simulator, payments, {
    branch: 'fix/short-tag',
    title: 'Tag images by the short commit',
    author: 'dev8',
    hoursOld: 7,
  });
  open(simulator, payments, {
    branch: 'feature/new-ledger',
    title: 'Write to the new ledger',
    author: 'dev8',
    hoursOld: 3,
  });
  open(simulator, payments, {
    branch: 'fix/retry-webhooks',
    title: 'Retry webhooks of the card network',
    author: 'dev9',
    built: true,
    hoursOld: 40,
  });

  const refused = open(simulator, payments, {
    branch: 'feature/direct-debit',
    title: 'Pay by direct debit',
    author: 'dev8',
    built: true,
    hoursOld: 6,
  });
  faults.platform.setStanding(
    'certificate',
    `preview-mr-${payments.projectId}-${refused.iid}`,
    'accessDenied',
  );

  const { clock } = simulator.platform;
  // Whoever watches may have merged or closed it by then.
  const isOpen = (reference: { project: string; iid: number }) =>
    control
      .mergeRequests()
      .some(
        ({ project, iid, state }) =>
          project === reference.project &&
          iid === reference.iid &&
          state === 'opened',
      );
  const whileOpen =
    (
      reference: { project: string; iid: number },
      action: (reference: { project: string; iid: number }) => unknown,
    ) =>
    () => {
      if (isOpen(reference)) {
        action(reference);
      }
    };
  const cancels = [
    clock.after(FIRST_PUSH_MILLISECONDS, whileOpen(updating, control.push)),
    clock.after(FIRST_CLOSE_MILLISECONDS, whileOpen(closing, control.close)),
    runActivityLoop(simulator, [checkout, catalogue]),
  ];
  return () => cancels.forEach(cancel => cancel());
}
