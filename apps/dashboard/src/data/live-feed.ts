/** `opening` for a moment at first; `disconnected` while there is no stream, which is then opened again and again. */
type LiveState = 'opening' | 'live' | 'disconnected';

export interface LiveFeed {
  state: () => LiveState;
  subscribe: (onChange: () => void) => () => void;
  /** Opens the stream; the returned function closes it. */
  open: () => () => void;
}

export interface LiveFeedOptions {
  /** Told of the types of events that were committed, a burst at once. */
  onChange: (types: ReadonlySet<string>) => void;
  /** What was read may be old: events may have passed that nobody told of. */
  onGap: () => void;
  onSignedOut: () => void;
  /** Whether somebody is still signed in; rejects when the service does not answer. */
  isSignedIn: () => Promise<boolean>;
  /** The session that the page was loaded by: a stream of another one is refused. */
  sessionId?: () => string | undefined;
  /** Opens a stream; the browser's `EventSource`. */
  connect?: (url: string) => EventSource;
}

const ADDRESS = '/dashboard/stream';
function addressOf(after: string | undefined, session: string | undefined): string {
  const query = new URLSearchParams({ ...(after && { after }), ...(session && { session }) }).toString();
  return query === '' ? ADDRESS : `${ADDRESS}?${query}`;
}

/** The first event of a burst is told at once, what follows within this time together. */
const GATHER_MS = 250;
/** After an answer that is no stream, such as a proxy's 502, a browser gives up; we don't. */
const AGAIN_MS = 2_000;

/** What a message tells of an event. */
interface Change {
  events: readonly { type: string }[];
}

// The stream is written by this service, in this form.
function asChange(value: unknown): Change {
  return value as Change;
}

/** Tells the types of events in bursts. */
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

/** The service pings every 3 s: after two missed pings the stream is dead, although the browser holds it open. */
const SILENT_MS = 8_000;

/** Calls `onSilent` once nothing was heard for that long. */
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

/** How long a page waits for its stream before it begins without. */
const OPENING_MS = 500;

/** Keeps a stream open until the returned function closes it. */
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
      // The page began without a place in the feed to go on from: what passed meanwhile was told to nobody.
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
 * Follows the account's feed for as long as it is open. A reader that was cut off names the last event it saw, so
 * nothing between is missed; where that is not possible, `onGap` is told.
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
