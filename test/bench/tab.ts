// The page of an entity's tab, 50 rows of all that is stored, over HTTP from a
// backend with a real catalog, permissions and users; and in the same run a route
// that does no more than the same checks and one `SELECT 1`.
import { Agent, get } from 'node:http';
import { percentile, run } from './support/organisations';
import { ENTITY, Host, startHost } from './support/startHost';
import { report, SIZES } from './report';

const ROWS = 50;
const ROUNDS = 200;
const WARM_UP = 50;
const BUDGET_RATIO = 2;

interface Answer {
  milliseconds: number;
  status: number;
  bytes: number;
}

/** An answer to its last byte, as a browser asks for it. */
function ask(
  url: string,
  options: { agent: Agent; token: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${options.token}`,
      'accept-encoding': 'gzip',
    };
    get(url, { agent: options.agent, headers }, response => {
      let bytes = 0;
      response.on('data', data => (bytes += data.length));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          milliseconds: performance.now() - startedAt,
          status: response.statusCode ?? 0,
          bytes,
        }),
      );
    }).on('error', reject);
  });
}

async function compare({ url, token }: Host, size: number) {
  const agent = new Agent({ keepAlive: true });
  const targets = {
    tab: `${url}/api/previews/v1/previews?entityRef=${ENTITY}&limit=${ROWS}`,
    plain: `${url}/api/plain?entityRef=${ENTITY}`,
    remembering: `${url}/api/plain?entityRef=${ENTITY}&remember`,
  };
  const taken: Record<keyof typeof targets, number[]> = {
    tab: [],
    plain: [],
    remembering: [],
  };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const which of ['tab', 'plain', 'remembering'] as const) {
      const answer = await ask(targets[which], { agent, token });
      if (answer.status !== 200) {
        throw new Error(`${targets[which]} answered ${answer.status}`);
      }
      if (round >= 0) {
        taken[which].push(answer.milliseconds);
      }
    }
  }
  agent.destroy();
  const tab = percentile(taken.tab, 0.5);
  const plain = percentile(taken.plain, 0.5);
  const remembering = percentile(taken.remembering, 0.5);
  report({
    name: 'tab-p50',
    size,
    figure: tab,
    unit: 'ms',
    ratio: tab / plain,
    budget: BUDGET_RATIO,
  });
  report({
    name: 'tab-p50-over-remembered-checks',
    size,
    figure: tab,
    unit: 'ms',
    ratio: tab / remembering,
  });
}

run(async () => {
  for (const size of SIZES) {
    const host = await startHost({ size, mergeRequestsPerProject: 2 * ROWS });
    try {
      await compare(host, size);
    } finally {
      await host.stop();
    }
  }
});
