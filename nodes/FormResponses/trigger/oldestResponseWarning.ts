import type { ParameterContext } from '../parameters';
import { orDefault, readOutputOptionsLeniently } from '../parameters';
import { MAX_RESPONSES } from '../transport/endpoints';

/** Said in the item (run/execute.ts) or by a failed execution (recover/emission.ts), if recover/missedResponses.ts finds cause. */
export const OUT_OF_REACH = `The oldest of the ${MAX_RESPONSES} responses that the API shows was missed, so older ones may be out of its reach. Compare with the form service.`;

/** Whether an item may say so, in `warning`. */
export const isToldInItem = (context: ParameterContext): boolean =>
	orDefault(() => readOutputOptionsLeniently(context).include.includes('warning'), true);
