import { LoggerService } from '@backstage/backend-plugin-api';
import {
  SourceError,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
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
import { levelOf } from '../levelOf';
import { kindDefinitions } from '../objects';
import { sleep } from '../sleep';
import { FactPool } from '../FactPool';
import { ClusterSource, ObjectsChange } from '../types';
import { ClusterConnection } from './ClusterConnection';
import { clusterState } from './clusterState';
import { KindReflector } from './KindReflector';
import { KubernetesClient } from './KubernetesClient';
import { toKubernetesRequestError } from './KubernetesRequestError';
import {
  ClusterSourceOptions,
  defaultDelays,
  ReflectorDelays,
} from './options';
import { WholeObjectReader } from './WholeObjectReader';

/** What is thrown away when reading begins afresh. */
interface Session {
  signal: AbortSignal;
  reflectors?: ReadonlyMap<KindName, KindReflector>;
  whole?: WholeObjectReader;
  connection?: ClusterConnection;
  connectionError?: SourceError;
}

const PENDING: KindReading<KindFacts[KindName]> = {
  state: 'pending',
  objects: new Map(),
};

/**
 * Reads one cluster: one reflector per kind, each on its own, so that a kind
 * that is missing or forbidden does not keep the others from being read.
 */
export class DefaultClusterSource implements ClusterSource {
  readonly id: string;
  readonly cluster: string;
  readonly #options: ClusterSourceOptions;
  readonly #delays: ReflectorDelays;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners<ObjectsChange>();
  #session: Session = { signal: AbortSignal.abort() };

  private constructor(options: ClusterSourceOptions) {
    this.#options = options;
    // What is listed again after so long is not tried again later than that.
    const { clusterRelistAfterMilliseconds: relistAfter } = options.schedule;
    this.#delays = {
      ...defaultDelays,
      notInstalledRecheck: Math.min(
        defaultDelays.notInstalledRecheck,
        relistAfter,
      ),
      forbiddenRecheck: Math.min(defaultDelays.forbiddenRecheck, relistAfter),
      ...options.delays,
    };
    this.#clock = options.clock ?? (() => new Date());
    this.cluster = options.config.name;
    this.id = `cluster:${this.cluster}`;
    this.#logger = options.logger.child({ source: this.id });
  }

  static create(options: ClusterSourceOptions): DefaultClusterSource {
    return new DefaultClusterSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    const session: Session = { signal };
    this.#session = session;
    this.#listeners.notify();
    void this.#run(session);
  }

  onChange(listener: (change?: ObjectsChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    const { signal, reflectors } = this.#session;
    if (!signal.aborted && reflectors) {
      await Promise.all(
        [...reflectors.values()].map(reflector => reflector.relist()),
      );
    }
  }

  reading(): ClusterReading {
    const { reflectors, connection } = this.#session;
    const reading = (kind: KindName) =>
      reflectors?.get(kind)?.reading() ?? PENDING;
    return {
      sourceId: this.id,
      cluster: this.cluster,
      destinations: this.#destinations(connection),
      kinds: Object.fromEntries(
        kindNames.map(kind => [kind, reading(kind)]),
      ) as { [K in KindName]: KindReading<KindFacts[K]> },
    };
  }

  readObjects(
    kind: KindName,
    keys: Iterable<string>,
  ): KindReading<KindFacts[KindName]> {
    const reflector = this.#session.reflectors?.get(kind);
    return reflector?.readObjects(keys) ?? PENDING;
  }

  async readWhole(
    request: ObjectRequest,
    options: { signal: AbortSignal },
  ): Promise<ObjectAnswer> {
    return (
      (await this.#session.whole?.read(request, options)) ?? { state: 'failed' }
    );
  }

  state(now: Date): SourceState {
    return clusterState({
      reading: this.reading(),
      connectionError: this.#session.connectionError,
      staleAfterMilliseconds:
        this.#options.schedule.clusterStaleAfterMilliseconds,
      now,
    });
  }

  #destinations(connection: ClusterConnection | undefined): string[] {
    const { access, argocdDestinations } = this.#options.config;
    const ownUrl = access.type === 'url' ? access.url : connection?.server;
    return [...(ownUrl ? [ownUrl] : []), ...argocdDestinations].map(
      destination => destination.replace(/\/+$/, ''),
    );
  }

  async #run(session: Session): Promise<void> {
    const connection = await this.#connect(session);
    if (!connection) {
      return;
    }
    const client = KubernetesClient.create({
      connection,
      callTimeoutMilliseconds: this.#delays.callTimeout,
      onCall: outcome => this.#options.onCall?.({ source: this.id, outcome }),
    });
    const pool = FactPool.create();
    const reflectors = new Map(
      kindNames.map(kind => [
        kind,
        KindReflector.create({
          cluster: this.cluster,
          client,
          definition: kindDefinitions[kind],
          pool,
          delays: this.#delays,
          relistAfterMilliseconds:
            this.#options.schedule.clusterRelistAfterMilliseconds,
          logger: this.#logger,
          clock: this.#clock,
          onChange: keys => this.#changed(session, keys && { kind, keys }),
        }),
      ]),
    );
    session.connection = connection;
    session.whole = WholeObjectReader.create({ client, clock: this.#clock });
    session.reflectors = reflectors;
    this.#changed(session);
    await Promise.all(
      [...reflectors.values()].map(reflector => reflector.run(session.signal)),
    );
    await connection.close();
  }

  /** Files that are missing now may be there later. */
  async #connect(session: Session): Promise<ClusterConnection | undefined> {
    while (!session.signal.aborted) {
      try {
        const connection = await ClusterConnection.open({
          access: this.#options.config.access,
          clock: this.#clock,
        });
        session.connectionError = undefined;
        return connection;
      } catch (error) {
        const { reason, message } = toKubernetesRequestError(error);
        if (session.connectionError?.message !== message) {
          this.#logger[levelOf(reason)](`Cannot connect: ${message}`, {
            reason,
          });
          session.connectionError = {
            reason,
            message,
            since: this.#clock().toISOString(),
          };
          this.#changed(session);
        }
      }
      await sleep(this.#delays.backOffMaximum, session.signal);
    }
    return undefined;
  }

  #changed(session: Session, change?: ObjectsChange): void {
    if (session === this.#session && !session.signal.aborted) {
      this.#listeners.notify(change);
    }
  }
}
