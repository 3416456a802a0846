// Loaded first into each Node program that is started here, so that it and all that it started
// end with the process that started it, even where that one was killed.
process.once('disconnect', () => process.kill(0, 'SIGKILL'));
process.channel?.unref();
