import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import {
  ClusterReading,
  KindFacts,
  KindName,
  kindNames,
  KindReading,
  ObjectAnswer,
  ObjectRequest,
} from '../../model';
import { Listeners } from '../Listeners';
import { parseApplication, parseApplicationSet } from '../objects';
import { readingState } from '../readingState';
import { ClusterSource, ObjectsChange } from '../types';
import { ApplicationFeed } from './ApplicationFeed';
import { ApplicationSetPoll } from './ApplicationSetPoll';
import { ArgocdClient } from './ArgocdClient';
import { KindMemory } from './KindMemory';
import { ArgocdDelays, ArgocdSourceOptions } from './options';
import { readWhole } from './readWhole';

const defaultDelays: ArgocdDelays = {
  backOffStart: 1_000,
  backOffMaximum: 30_000,
  applicationSetsPoll: 30_000,
  streamHeadStart: 250,
  callTimeout: 60_000,
};

const NOT_OBSERVED: KindReading<never> = {
  state: 'notObserved',
  objects: new Map<string, never>(),
};

/** What is thrown away when reading begins afresh. */
interface Session {
  signal: AbortSignal;
  client: ArgocdClient;
  applications: KindMemory<'applications'>;
  applicationSets: KindMemory<'applicationSets'>;
  feed: ApplicationFeed;
  poll: ApplicationSetPoll;
}

/**
 * Reads one Argo CD by its API, for portals without access to the cluster: its
 * Applications and ApplicationSets. Every other kind is not observed, so that
 * Argo CD's own word on sync and health is all there is.
 */
export class DefaultArgocdSource implements ClusterSource {
  readonly id: string;
  readonly cluster: string;
  readonly #options: ArgocdSourceOptions;
  readonly #delays: ArgocdDelays;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners<ObjectsChange>();
  #session?: Session;

  private constructor(options: ArgocdSourceOptions) {
    this.#options = options;
    this.#delays = {
      ...defaultDelays,
      applicationSetsPoll: Math.min(
        defaultDelays.applicationSetsPoll,
        options.schedule.clusterRelistAfterMilliseconds,
      ),
      ...options.delays,
    };
    this.#clock = options.clock ?? (() => new Date());
    this.cluster = options.config.name;
    this.id = `argocd:${this.cluster}`;
    this.#logger = options.logger.child({ source: this.id });
  }

  static create(options: ArgocdSourceOptions): DefaultArgocdSource {
    return new DefaultArgocdSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    const client = ArgocdClient.create({
      config: this.#options.config,
      callTimeoutMilliseconds: this.#delays.callTimeout,
      onCall: outcome => this.#options.onCall?.({ source: this.id, outcome }),
    });
    const session = this.#createSession(client, signal);
    this.#session = session;
    this.#listeners.notify();
    void Promise.all([session.feed.run(signal), session.poll.run(signal)]).then(
      () => client.close(),
    );
  }

  onChange(listener: (change?: ObjectsChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    const session = this.#session;
    if (session && !session.signal.aborted) {
      await Promise.all([session.feed.relist(), session.poll.relist()]);
    }
  }

  reading(): ClusterReading {
    const session = this.#session;
    const pending = { state: 'pending' as const, objects: new Map() };
    const kinds = {
      ...Object.fromEntries(kindNames.map(kind => [kind, NOT_OBSERVED])),
      applications: session?.applications.reading() ?? pending,
      applicationSets: session?.applicationSets.reading() ?? pending,
    };
    return {
      sourceId: this.id,
      cluster: this.cluster,
      destinations: [],
      kinds: kinds as { [K in KindName]: KindReading<KindFacts[K]> },
    };
  }

  readObjects(
    kind: KindName,
    keys: Iterable<string>,
  ): KindReading<KindFacts[KindName]> {
    if (kind !== 'applications' && kind !== 'applicationSets') {
      return NOT_OBSERVED;
    }
    return (
      this.#session?.[kind].readObjects(keys) ?? this.reading().kinds[kind]
    );
  }

  async readWhole(
    request: ObjectRequest,
    options: { signal: AbortSignal },
  ): Promise<ObjectAnswer> {
    const client = this.#session?.client;
    return client
      ? readWhole(request, { client, ...options })
      : { state: 'failed' };
  }

  state(now: Date): SourceState {
    const { kinds } = this.reading();
    return {
      id: this.id,
      kind: 'argocd',
      name: this.cluster,
      ...readingState({
        kinds: [kinds.applications, kinds.applicationSets],
        staleAfterMilliseconds:
          this.#options.schedule.clusterStaleAfterMilliseconds,
        now,
      }),
      notes: [],
    };
  }

  #createSession(client: ArgocdClient, signal: AbortSignal): Session {
    const common = {
      delays: this.#delays,
      logger: this.#logger,
      clock: this.#clock,
    };
    const changed = (kind: KindName) => (keys?: readonly string[]) => {
      if (this.#session?.signal === signal && !signal.aborted) {
        this.#listeners.notify(keys && { kind, keys });
      }
    };
    const context = { cluster: this.cluster };
    const applications = KindMemory.create<'applications'>({
      ...common,
      kind: 'Application',
      resource: 'applications',
      onChange: changed('applications'),
      parse: object => parseApplication(object, context),
    });
    const applicationSets = KindMemory.create<'applicationSets'>({
      ...common,
      kind: 'ApplicationSet',
      resource: 'applicationsets',
      onChange: changed('applicationSets'),
      parse: object => parseApplicationSet(object, context),
    });
    return {
      signal,
      client,
      applications,
      applicationSets,
      feed: ApplicationFeed.create({
        client,
        memory: applications,
        delays: this.#delays,
        relistAfterMilliseconds:
          this.#options.schedule.clusterRelistAfterMilliseconds,
        clock: this.#clock,
      }),
      poll: ApplicationSetPoll.create({
        client,
        memory: applicationSets,
        delays: this.#delays,
        clock: this.#clock,
      }),
    };
  }
}
