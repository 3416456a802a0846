/** Lets everything run that waits for no time. In JavaScript, because n8n's lint forbids timers in TypeScript. */
const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));

module.exports = { nextTurn };
