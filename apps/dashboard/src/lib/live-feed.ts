import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';

/** `opening` for a moment at first; `disconnected` while there is no stream, during which it reconnects. */
type LiveState = 'opening' | 'live' | 'disconnected';

export interface LiveFeed {
  state: () => LiveState;
  subscribe: (onChange: () => void) => () => void;
  open: () => () => void;
}

export interface LiveFeedOptions {
  /** Receives the types of committed events, batched per burst. */
  onChange: (types: ReadonlySet<string>) => void;
  /** Cached data may be outdated because events may have been missed. */
  onGap: () => void;
  onSignedOut: () => void;
  /** Resolves to false if the session has ended; rejects if the service does not respond. */
  isSignedIn: () => Promise<boolean>;
  /** The session that loaded the page. The service rejects a stream of another session. */
  sessionId?: () => string | undefined;
  /** Defaults to the browser's `EventSource`. */
  connect?: (url: string) => EventSource;
}

const ADDRESS = '/dashboard/stream';
function addressOf(after: string | undefined, session: string | undefined): string {
  const query = new URLSearchParams({ ...(after && { after }), ...(session && { session }) }).toString();
  return query === '' ? ADDRESS : `${ADDRESS}?${query}`;
}

/** The first event of a burst is reported at once, later ones together after this time. */
const GATHER_MS = 250;
/** Delay before reconnecting. A browser gives up after a response that is not a stream, such as a proxy's 502. */
const AGAIN_MS = 2_000;

interface Change {
  events: readonly { type: string }[];
}

function asChange(value: unknown): Change {
  return value as Change;
}

function createGathering(tell: (types: ReadonlySet<string>) => void) {
  let types = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (types.size === 0) return;
    tell(types);
    types = new Set();
    timer = setTimeout(flush, GATHER_MS);
  };
  return {
    add(events: Change['events']): void {
      for (const { type } of events) types.add(type);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/** The service pings every 3 s. After two missed pings the stream counts as dead, even if the browser keeps it open. */
const SILENT_MS = 8_000;

function createSilenceWatch(onSilent: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    heard(): void {
      stop();
      timer = setTimeout(onSilent, SILENT_MS);
    },
    stop,
  };
}

/** Time that a page waits for its stream before it loads without one. */
const OPENING_MS = 500;

function keepOpen(options: LiveFeedOptions, state: () => LiveState, put: (next: LiveState) => void): () => void {
  const { onChange, onGap, onSignedOut, isSignedIn, connect = (url) => new EventSource(url) } = options;
  const gathering = createGathering(onChange);
  let source: EventSource | undefined;
  let seen: string | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const opening = setTimeout(() => state() === 'opening' && put('disconnected'), OPENING_MS);
  const silence = createSilenceWatch(() => {
    put('disconnected');
    source?.close();
    void tryAgain();
  });
  const note = ({ lastEventId }: MessageEvent): void => {
    silence.heard();
    if (lastEventId !== '') seen = lastEventId;
  };
  const end = (): void => {
    closed = true;
    source?.close();
    for (const timer of [again, opening]) clearTimeout(timer);
    for (const part of [gathering, silence]) part.stop();
    put('disconnected');
  };
  const signOut = (): void => {
    end();
    onSignedOut();
  };
  async function tryAgain(): Promise<void> {
    const signedIn = await isSignedIn().catch(() => true);
    if (!closed) (signedIn ? listen : signOut)();
  }
  function listen(): void {
    const stream = connect(addressOf(seen, options.sessionId?.()));
    source = stream;
    silence.heard();
    stream.addEventListener('ready', (message: MessageEvent) => {
      // The page started without a position in the feed, so events since then were missed.
      if (seen === undefined && state() !== 'opening') onGap();
      note(message);
      put('live');
    });
    stream.addEventListener('change', (message: MessageEvent<string>) => {
      note(message);
      gathering.add(asChange(JSON.parse(message.data)).events);
    });
    stream.addEventListener('ping', note);
    stream.addEventListener('reset', () => onGap());
    stream.addEventListener('end', signOut);
    stream.addEventListener('error', () => {
      put('disconnected');
      if (stream.readyState !== stream.CLOSED || closed) return;
      silence.stop();
      again = setTimeout(() => void tryAgain(), AGAIN_MS);
    });
  }
  listen();
  return end;
}

/**
 * Follows the account's feed while it is open. After a reconnect it resumes from the last event id, so no event is
 * missed; where that is not possible it calls `onGap`.
 */
export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  let state: LiveState = 'opening';
  const listeners = new Set<() => void>();
  const put = (next: LiveState): void => {
    if (state === next) return;
    state = next;
    for (const tell of listeners) tell();
  };
  return {
    state: () => state,
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    open() {
      put('opening');
      return keepOpen(options, () => state, put);
    },
  };
}

export const LiveFeedContext = createContext<LiveFeed | undefined>(undefined);

function useLiveFeed(): LiveFeed {
  const feed = useContext(LiveFeedContext);
  if (!feed) throw new Error('There is no live feed above this component.');
  return feed;
}

/** True while the stream is connected. Otherwise, visible queries are polled (`pollWhenDisconnected`). */
export function useIsLive(): boolean {
  const feed = useLiveFeed();
  return useSyncExternalStore(feed.subscribe, feed.state) === 'live';
}

/** Follows the feed while the component is mounted. Returns false at first, until the stream is open. */
export function useLiveUpdates(): boolean {
  const feed = useLiveFeed();
  useEffect(() => feed.open(), [feed]);
  return useSyncExternalStore(feed.subscribe, feed.state) !== 'opening';
}
