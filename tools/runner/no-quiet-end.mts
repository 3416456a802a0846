// Loaded before each test file: none may end so that tests of it are neither passed nor failed.
import { Worker } from 'node:worker_threads';
// A signal alone would end it without its exit handlers, which end what it has started.
import '../end-on-signal.mts';

/** One that hangs must not keep the others from being counted. */
const LONGEST_MS = Number(process.env.TEST_FILE_LONGEST_MS ?? 45 * 60_000);

const { exit } = process;
// node:test itself lets a file come to its end.
process.exit = (code) => exit(code === undefined || Number(code) === 0 ? 1 : code);

// In a loop without end no timer of its own comes to run, and no handler of a signal.
const killLater = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LONGEST_MS})`;
new Worker(killLater, { eval: true }).unref();
