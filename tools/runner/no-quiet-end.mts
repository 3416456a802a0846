// Loaded before each test file, so that none ends before its tests have passed or failed.
import { Worker } from 'node:worker_threads';
// A signal alone would skip the exit handlers, which end what the file has started.
import '../end-on-signal.mts';

/** A file that hangs must not keep the others from being counted. */
const LONGEST_MS = Number(process.env.TEST_FILE_LONGEST_MS ?? 45 * 60_000);

const { exit } = process;
// node:test never exits early: a file that does has left out tests.
process.exit = (code) => exit(code === undefined || Number(code) === 0 ? 1 : code);

// In another thread, because an endless loop lets no timer and no signal handler of its own run.
const killLater = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LONGEST_MS})`;
new Worker(killLater, { eval: true }).unref();
