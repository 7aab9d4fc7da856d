/** replays: sending an endpoint what it missed, in the background, beside what is new. */
export { advanceReplay, nextReplayInMs } from './advance-replay.ts';
export { recoverEndpoint, replayEndpoint } from './begin-replay.ts';
export { cancelReplay, pauseReplay, resumeReplay } from './move-replay.ts';
export { type ReplayPace, steadyPace } from './plan-step.ts';
export { getReplay, listReplays } from './read-replays.ts';
