/** What a channel tells about: the previews of one entity, or all previews. */
export type SignalScope = 'all' | { entityRef: string };

/** Names the channels that answers hand out. */
export interface SignalHints {
  /** A name that only those know whom it was handed to. */
  channelFor(scope: SignalScope): Promise<string>;
}
