const POLL_MS = 500;

/**
 * Stops this process when the script runner that started it is gone: a SIGTERM to the runner does not always reach its
 * children, and a service that nobody can see must not stay.
 */
export function watchRunner(): void {
  const runner = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === runner) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
