const { TestEnvironment } = require('jest-environment-node');

/** @typedef {import('@jest/types').Circus.DescribeBlock} Suite */

/** @type {(suite: Suite) => string[]} */
function faultsIn({ name, children }) {
	if (children.length === 0) return [`There is no test in "${name}".`];
	return children.flatMap((child) => {
		if (child.type !== 'test') return faultsIn(child);
		return child.failing ? [`"${child.name}" passes if it fails.`] : [];
	});
}

/** Fails a file in which something says nothing when it passes, which Jest itself allows. */
module.exports = class extends TestEnvironment {
	/**
	 * @param {import('@jest/types').Circus.Event} event
	 * @param {import('@jest/types').Circus.State} state
	 */
	handleTestEvent(event, state) {
		if (event.name !== 'run_start') return;
		const faults = faultsIn(state.rootDescribeBlock);
		if (faults.length > 0) throw new Error(faults.join('\n'));
	}
};
