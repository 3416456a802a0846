// A signal alone would end a test file without its exit handlers, which end what it has started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
