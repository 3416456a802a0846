// n8n and the services are ended, and their data removed, when the process that started them exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
