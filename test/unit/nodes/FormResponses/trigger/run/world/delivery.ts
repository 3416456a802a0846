import { responseKey } from '../../../../../../../nodes/FormResponses/transport/responseKey';
import { received } from '../../../../../../../nodes/FormResponses/trigger/runInput';
import { RESPONSES, trim } from '../../../../../../../nodes/FormResponses/trigger/state/memory';
import { timing } from '../../../../../../../nodes/FormResponses/trigger/timing';
import type { Response } from './history';
import type { Process } from './process';
import { SECOND } from './schedule';
import type { World } from './world';

/** The service delivers a response once, twice or never. */
export function deliveryIn({ schedule, luck, fate, webs, queue }: World) {
	function receive({ envelope }: Response, web: Process) {
		const { known, taken } = web.memory;
		const key = responseKey(envelope);
		const takenAt = taken.get(key)?.at ?? -Infinity;
		if (known.has(key) || takenAt > schedule.now - timing.takenMs) return;
		taken.set(key, { at: schedule.now, byLive: true });
		trim(taken, RESPONSES);
		queue.add({ items: [received({ envelope, isRecovered: false })] });
	}

	function deliver(response: Response, web: Process) {
		const isGivenUp = !web.isAlive || (web.isStopped() && luck.chance(0.5));
		if (!isGivenUp) web.after(0, () => receive(response, web));
	}

	return (response: Response) => {
		const isDelivered = !fate.chance(0.08);
		const isTwice = fate.chance(0.1);
		const isAtOnce = fate.chance(0.3);
		const at = response.at + fate.between(20, 400);
		const later = isAtOnce ? fate.between(0, 5) : fate.between(5, 60) * SECOND;
		const [first, other] = [fate.oneOf(webs), fate.oneOf(webs)];
		const second = isAtOnce ? webs[(webs.indexOf(first) + 1) % webs.length] : other;
		if (isDelivered) schedule.at(at, () => deliver(response, first));
		if (isDelivered && isTwice) schedule.at(at + later, () => deliver(response, second));
	};
}
