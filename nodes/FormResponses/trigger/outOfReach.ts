import type { OutputOptions } from '../output';
import { MAX_RESPONSES } from '../transport/endpoints';

export const OUT_OF_REACH = `The oldest of the ${MAX_RESPONSES} responses that the API shows was missed, so older ones may be out of its reach. Compare with the form service.`;

/** Whether an item may say so; otherwise a failed execution does. */
export const isWarningIn = ({ simplify, include }: OutputOptions): boolean =>
	!simplify || include.includes('warning');
