// From an event to the answer of the API: how long after a webhook, and after an
// event of a watch, each of three replicas shows what changed.
import { setTimeout as delay } from 'node:timers/promises';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { Replica, webhookOf } from '../support/startReplica';
import { pathOf, Place } from './support/objects';
import {
  percentile,
  placeOf,
  run,
  shapeOf,
  startReplicas,
  untilFresh,
  untilQuiet,
  writerOf,
} from './support/organisations';
import { startUpstream, Upstream } from './support/startUpstream';
import { report, SIZES } from './report';

const REPLICAS = ['replica-1', 'replica-2', 'replica-3'];
const EVENTS = 30;
const ASK_EVERY_MILLISECONDS = 20;
const PATIENCE_MILLISECONDS = 20_000;
const BUDGET_SECONDS = 1;
const { secret } = webhookOf(0);

async function idOf(replica: Replica, place: Place): Promise<string> {
  const { items } = await replica.client.listPreviews({
    project: pathOf(place.project),
    q: `!${place.iid}`,
    limit: 200,
  });
  const found = items.find(
    ({ mergeRequest }) => mergeRequest.iid === place.iid,
  );
  if (!found) {
    throw new Error(`${pathOf(place.project)}!${place.iid} is not there`);
  }
  return found.id;
}

/** Seconds from now until a replica shows the preview as it should be. */
async function secondsUntil(
  replica: Replica,
  id: string,
  isSo: (preview: Preview) => boolean,
): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < PATIENCE_MILLISECONDS) {
    const { preview } = await replica.client.getPreview(id);
    if (isSo(preview)) {
      return (performance.now() - startedAt) / 1000;
    }
    await delay(ASK_EVERY_MILLISECONDS);
  }
  throw new Error(`${replica.name} does not show what changed in ${id}`);
}

async function sendWebhook(upstream: Upstream, place: Place, port: number) {
  const { headers, body } = upstream.webhookOf(place);
  const response = await fetch(webhookOf(port).url, {
    method: 'POST',
    headers,
    body,
  });
  if (!response.ok) {
    throw new Error(`The webhook was answered with ${response.status}`);
  }
}

async function measure(size: number) {
  const shape = shapeOf(size);
  const upstream = await startUpstream({ ...shape, webhookSecret: secret });
  const { replicas, ports } = await startReplicas({
    names: REPLICAS,
    upstream,
    projects: shape.projects,
    // A poll would find the change as well; only hints are to be measured.
    schedule: {
      gitlabPoll: { minutes: 10 },
      gitlabStaleAfter: { minutes: 30 },
    },
  });
  try {
    await untilFresh(await writerOf(replicas), { size });
    // Pipelines are read after the lists; the portal has filled when they are known.
    await untilQuiet(upstream, { polls: 0 });
    const webhook: number[] = [];
    const watch: number[] = [];
    for (let number = 0; number < EVENTS; number += 1) {
      const place = placeOf({ ...shape, number });
      const id = await idOf(replicas[0], place);
      const title = `Retitled in round ${number}`;
      const inAll = (isSo: (preview: Preview) => boolean) =>
        replicas.map(replica => secondsUntil(replica, id, isSo));

      upstream.retitle(place, title);
      const retitled = inAll(preview => preview.mergeRequest.title === title);
      await sendWebhook(upstream, place, ports[number % ports.length]);
      webhook.push(...(await Promise.all(retitled)));

      const health = 'Degraded';
      const degraded = inAll(preview =>
        preview.applications.some(application => application.health === health),
      );
      upstream.setHealth(place, health);
      watch.push(...(await Promise.all(degraded)));
    }
    for (const [name, seconds] of Object.entries({ webhook, watch })) {
      report({
        name: `latency-${name}-p95`,
        size,
        figure: percentile(seconds, 0.95),
        budget: BUDGET_SECONDS,
        unit: 's',
      });
    }
  } finally {
    await Promise.all(replicas.map(replica => replica.kill()));
    await upstream.stop();
  }
}

run(async () => {
  for (const size of SIZES) {
    await measure(size);
  }
});
