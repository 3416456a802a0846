import { randomInt } from 'n8n-workflow';
import { perNode } from './identity';

/** n8n registers no second cron with the same expression for a node, so triggers differ in the second. */
const SECONDS_APART = 7;

/**
 * The triggers of a node in this process; the last one is active. n8n keeps a trigger running whose `create`
 * failed, and starts another one on the next publication; it can only close the last (n8n,
 * workflow-trigger-activator.ts, workflow-active-triggers-state.ts).
 */
const triggersOf = perNode(() => ({ all: [] as symbol[], second: randomInt(60) }));

/** Whether the node's runs share a process with its trigger: then no other process writes to its store. */
export const isTriggerHere = (node: string): boolean => triggersOf(node).all.length > 0;

export function addTrigger(node: string) {
	const self = Symbol(node);
	const triggers = triggersOf(node);
	triggers.all.push(self);
	triggers.second = (triggers.second + SECONDS_APART) % 60;
	return {
		second: triggers.second,
		isActive: () => triggers.all[triggers.all.length - 1] === self,
		remove() {
			triggers.all = triggers.all.filter((one) => one !== self);
		},
	};
}
