// Preloaded into each Node program that is started here. Kills its process group when its parent ends, even if the
// parent was killed.
process.once('disconnect', () => process.kill(0, 'SIGKILL'));
process.channel?.unref();
