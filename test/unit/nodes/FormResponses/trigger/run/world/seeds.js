// In JavaScript, because n8n's lint keeps TypeScript from reading the environment.
const seeds = Number(process.env.WORLD_SEEDS ?? 2);

module.exports = { seeds };
