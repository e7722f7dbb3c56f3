import {
  ListResourceRecordSetsCommand,
  ListResourceRecordSetsCommandOutput,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { Route53ZoneConfig } from '../../config';
import { CallOutcome } from '../calls';
import { sleep } from '../sleep';
import { DnsRequestError, toDnsRequestError } from './DnsRequestError';
import { ZoneRecords } from './ZoneRecords';

/** The most that Route 53 gives in a page. */
const PER_PAGE = 300;

/** A zone has 10,000 record sets unless AWS raised that; one that goes on after this is not believed. */
const MAXIMUM_PAGES = 2000;

/** Where the next page begins. */
type Start = Pick<
  ListResourceRecordSetsCommandOutput,
  'NextRecordName' | 'NextRecordType' | 'NextRecordIdentifier'
>;

/** Lists the record sets of one hosted zone, and calls nothing else. */
export class ZoneLister {
  readonly #hostedZone: string;
  readonly #client: Route53Client;
  readonly #callTimeout: number;
  readonly #betweenPages: number;
  readonly #onCall: (outcome: CallOutcome) => void;

  private constructor(options: ZoneListerOptions) {
    const { config } = options;
    this.#hostedZone = config.hostedZone;
    this.#callTimeout = options.callTimeout;
    this.#betweenPages = options.betweenPages;
    this.#onCall = options.onCall;
    this.#client = new Route53Client({
      // Credentials are left to the SDK's own chain: none are configured here.
      ...(config.region !== undefined && { region: config.region }),
      ...(config.profile !== undefined && { profile: config.profile }),
      ...(config.endpoint !== undefined && { endpoint: config.endpoint }),
      customUserAgent: 'backstage-previews',
      // When to try again is decided where it is known how often it failed.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: options.callTimeout },
    });
  }

  static create(options: ZoneListerOptions): ZoneLister {
    return new ZoneLister(options);
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
  }

  /**
   * All records of the zone. They are ordered by name, so that a record that comes
   * or goes meanwhile moves no other one over the edge of a page.
   *
   * @throws DnsRequestError where any page fails: half a zone says nothing.
   */
  async list(options: { signal: AbortSignal }): Promise<ZoneRecords> {
    const { signal } = options;
    const records = new ZoneRecords();
    let start: Start = {};
    for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
      const answer = await this.#page(start, signal);
      for (const set of answer.ResourceRecordSets ?? []) {
        records.add(set);
      }
      // The SDK takes an empty answer for one without anything in it.
      if (answer.IsTruncated === undefined) {
        throw notUnderstood('does not say whether it is whole');
      }
      if (!answer.IsTruncated) {
        return this.#checked(records);
      }
      if (answer.NextRecordName === undefined || isSame(start, answer)) {
        throw notUnderstood('does not say where the next page begins');
      }
      start = answer;
      await sleep(this.#betweenPages, signal);
      signal.throwIfAborted();
    }
    throw notUnderstood(`has more than ${MAXIMUM_PAGES} pages`);
  }

  /** A list without a SOA record is not one of a whole zone. */
  #checked(records: ZoneRecords): ZoneRecords {
    if (records.domain === undefined) {
      throw notUnderstood('has no SOA record');
    }
    return records;
  }

  async #page(
    start: Start,
    signal: AbortSignal,
  ): Promise<ListResourceRecordSetsCommandOutput> {
    const timeout = AbortSignal.timeout(this.#callTimeout);
    try {
      const answer = await this.#client.send(
        new ListResourceRecordSetsCommand({
          HostedZoneId: this.#hostedZone,
          MaxItems: PER_PAGE,
          StartRecordName: start.NextRecordName,
          StartRecordType: start.NextRecordType,
          StartRecordIdentifier: start.NextRecordIdentifier,
        }),
        { abortSignal: AbortSignal.any([signal, timeout]) },
      );
      this.#onCall('ok');
      return answer;
    } catch (error) {
      const failure = toDnsRequestError(error);
      if (!signal.aborted) {
        this.#onCall(failure.reason);
      }
      throw failure;
    }
  }
}

/** What a lister is made of. */
export interface ZoneListerOptions {
  config: Route53ZoneConfig;
  /** Milliseconds that a call may take. */
  callTimeout: number;
  /** Milliseconds between two pages. */
  betweenPages: number;
  onCall: (outcome: CallOutcome) => void;
}

function isSame(one: Start, other: Start): boolean {
  return (
    one.NextRecordName === other.NextRecordName &&
    one.NextRecordType === other.NextRecordType &&
    one.NextRecordIdentifier === other.NextRecordIdentifier
  );
}

function notUnderstood(what: string): DnsRequestError {
  return new DnsRequestError({
    reason: 'UnexpectedAnswer',
    message: `The list of the hosted zone ${what}.`,
  });
}
