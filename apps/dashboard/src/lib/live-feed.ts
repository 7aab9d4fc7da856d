import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';

/** `opening` for a moment at first; `disconnected` while there is no stream, during which it reconnects. */
type LiveState = 'opening' | 'live' | 'disconnected';

export interface LiveFeed {
  state: () => LiveState;
  subscribe: (onChange: () => void) => () => void;
  /** Opens the stream before the page that follows it is drawn. */
  begin: () => void;
  open: () => () => void;
}

export interface LiveFeedOptions {
  onChange: (types: ReadonlySet<string>) => void;
  /** Cached data may be outdated because events may have been missed. */
  onGap: () => void;
  onSignedOut: () => void;
  /** Resolves to false if the session has ended; rejects if the service does not respond. */
  isSignedIn: () => Promise<boolean>;
  /** The session that loaded the page. The service rejects a stream of another session. */
  sessionId?: () => string | undefined;
  connect?: (url: string) => EventSource;
}

const STREAM_PATH = '/dashboard/stream';
function streamUrl(after: string | undefined, session: string | undefined): string {
  const query = new URLSearchParams({ ...(after && { after }), ...(session && { session }) }).toString();
  return query === '' ? STREAM_PATH : `${STREAM_PATH}?${query}`;
}

/** The first event of a burst is reported at once, later ones together after this time. */
const BATCH_MS = 250;
/** Delay before reconnecting. A browser gives up after a response that is not a stream, such as a proxy's 502. */
const RECONNECT_MS = 2_000;

interface Change {
  events: readonly { type: string }[];
}

function asChange(value: unknown): Change {
  return value as Change;
}

function createBatcher(onBatch: (types: ReadonlySet<string>) => void) {
  let types = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (types.size === 0) return;
    onBatch(types);
    types = new Set();
    timer = setTimeout(flush, BATCH_MS);
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
const UNRESPONSIVE_MS = 8_000;

function createPingWatch(onUnresponsive: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    heard(): void {
      stop();
      timer = setTimeout(onUnresponsive, UNRESPONSIVE_MS);
    },
    stop,
  };
}

/** Time that a page waits for its stream before it loads without one. */
const OPENING_MS = 500;

function keepOpen(options: LiveFeedOptions, state: () => LiveState, setState: (next: LiveState) => void): () => void {
  const { onChange, onGap, onSignedOut, isSignedIn, connect = (url) => new EventSource(url) } = options;
  const batcher = createBatcher(onChange);
  let source: EventSource | undefined;
  let lastId: string | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const opening = setTimeout(() => state() === 'opening' && setState('disconnected'), OPENING_MS);
  const pings = createPingWatch(() => {
    setState('disconnected');
    source?.close();
    void reconnect();
  });
  const note = ({ lastEventId }: MessageEvent): void => {
    pings.heard();
    if (lastEventId !== '') lastId = lastEventId;
  };
  const end = (): void => {
    closed = true;
    source?.close();
    for (const timer of [again, opening]) clearTimeout(timer);
    for (const part of [batcher, pings]) part.stop();
    setState('disconnected');
  };
  const signOut = (): void => {
    end();
    onSignedOut();
  };
  async function reconnect(): Promise<void> {
    const signedIn = await isSignedIn().catch(() => true);
    if (!closed) (signedIn ? listen : signOut)();
  }
  function listen(): void {
    const stream = connect(streamUrl(lastId, options.sessionId?.()));
    source = stream;
    pings.heard();
    stream.addEventListener('ready', (message: MessageEvent) => {
      // The page started without a position in the feed, so events since then were missed.
      if (lastId === undefined && state() !== 'opening') onGap();
      note(message);
      setState('live');
    });
    stream.addEventListener('change', (message: MessageEvent<string>) => {
      note(message);
      batcher.add(asChange(JSON.parse(message.data)).events);
    });
    stream.addEventListener('ping', note);
    stream.addEventListener('reset', () => onGap());
    stream.addEventListener('end', signOut);
    stream.addEventListener('error', () => {
      setState('disconnected');
      if (stream.readyState !== stream.CLOSED || closed) return;
      pings.stop();
      again = setTimeout(() => void reconnect(), RECONNECT_MS);
    });
  }
  listen();
  return end;
}

/** Follows the account's feed. A reconnect resumes from the last event id; where that is impossible, `onGap` is called. */
export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  let state: LiveState = 'opening';
  const listeners = new Set<() => void>();
  const setState = (next: LiveState): void => {
    if (state === next) return;
    state = next;
    for (const notify of listeners) notify();
  };
  const start = (): (() => void) => {
    setState('opening');
    return keepOpen(options, () => state, setState);
  };
  let begun: (() => void) | undefined;
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin() {
      begun ??= start();
    },
    open() {
      const end = begun ?? start();
      begun = undefined;
      return end;
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

export function useLiveUpdates(): boolean {
  const feed = useLiveFeed();
  useEffect(() => feed.open(), [feed]);
  return useSyncExternalStore(feed.subscribe, feed.state) !== 'opening';
}
