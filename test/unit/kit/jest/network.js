const diagnostics = require('node:diagnostics_channel');
const nock = require('nock');

let underWay = 0;

/** @param {unknown} message */
function watch(message) {
	const { request } = /** @type {{ request: import('node:http').ClientRequest }} */ (message);
	underWay++;
	request.once('close', () => underWay--);
	// nock emits the error of a socket a second time, sometimes after Node has let go of the socket.
	// Nobody listens then, and Node would end the process.
	request.once('socket', (socket) => socket.on('error', () => {}));
}

beforeAll(() => {
	if (!nock.isActive()) nock.activate();
	nock.disableNetConnect();
	diagnostics.subscribe('http.client.request.created', watch);
});

afterEach(() => {
	nock.cleanAll();
	nock.emitter.removeAllListeners('no match');
});

// Test files of one worker share Node's `http`.
afterAll(() => {
	diagnostics.unsubscribe('http.client.request.created', watch);
	nock.restore();
});

/** How many requests were sent and are not answered yet. */
exports.requestsUnderWay = () => underWay;
